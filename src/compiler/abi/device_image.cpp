// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/abi/device_image.h"

#include <cstring>

#include "compiler/abi/bytes.h"

namespace unwarp::abi {
namespace {

constexpr char kMagic[8] = {'U', 'W', 'I', 'M', 'A', 'G', 'E', '1'};

}  // namespace

std::string encode(const DeviceImage& image) {
  ByteWriter body;
  body.number(image.relocatable);
  body.text(image.source);
  body.number(image.images.size());
  for (const ArchitectureImage& one : image.images) {
    body.number(one.architecture);
    body.text(one.bitcode);
  }
  ByteWriter sized;
  sized.text(body.take());
  return std::string(kMagic, sizeof kMagic) + sized.take();
}

uint64_t imageSize(const void* start) {
  if (std::memcmp(start, kMagic, sizeof kMagic) != 0) return 0;
  uint64_t size = 0;
  std::memcpy(&size, static_cast<const char*>(start) + sizeof kMagic, sizeof size);
  return sizeof kMagic + sizeof size + size;
}

std::optional<DeviceImage> decodeImage(std::string_view bytes) {
  if (bytes.size() < 16 || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0) return std::nullopt;
  ByteReader outer(bytes.substr(sizeof kMagic));
  ByteReader in(outer.text());
  DeviceImage image;
  image.relocatable = in.number() != 0;
  image.source = in.text();
  for (uint64_t left = in.count(); left > 0; --left) {
    ArchitectureImage one;
    one.architecture = in.number();
    one.bitcode = in.text();
    image.images.push_back(std::move(one));
  }
  if (outer.failed() || in.failed()) return std::nullopt;
  return image;
}

}  // namespace unwarp::abi
