// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/abi/device_image.h"

#include <cstring>
#include <string>

#include "compiler/abi/bytes.h"

namespace unwarp::abi {
namespace {

constexpr char kMagic[8] = {'U', 'W', 'I', 'M', 'A', 'G', 'E', '1'};

// The text form begins as PTX does, with comments; the bytes follow as comments in hexadecimal.
constexpr std::string_view kTextHead =
    "//\n// Device code made by Unwarp's nvcc. A CPU runs it from LLVM bitcode, which follows as comments;\n"
    "// there are no PTX instructions in this file.\n//\n";
constexpr std::string_view kTextLine = "// image: ";
constexpr size_t kBytesPerLine = 48;
constexpr char kDigits[] = "0123456789abcdef";

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string bytesOfText(std::string_view text) {
  std::string bytes;
  for (size_t at = text.find(kTextLine); at != std::string_view::npos; at = text.find(kTextLine, at)) {
    for (at += kTextLine.size(); at + 1 < text.size(); at += 2) {
      int high = digit(text[at]), low = digit(text[at + 1]);
      if (high < 0 || low < 0) break;
      bytes += static_cast<char>(high * 16 + low);
    }
  }
  return bytes;
}

bool isText(const char* start) {
  return std::strncmp(start, kTextHead.data(), kTextHead.size()) == 0;
}

}  // namespace

std::string encodeText(const DeviceImage& image) {
  std::string bytes = encode(image);
  uint64_t architecture = image.images.empty() ? 0 : image.images.front().architecture;
  std::string text(kTextHead);
  text += ".version 8.7\n.target sm_" + std::to_string(architecture) + "\n.address_size 64\n";
  for (size_t at = 0; at < bytes.size(); ++at) {
    if (at % kBytesPerLine == 0) text += (at ? "\n" : "") + std::string(kTextLine);
    auto byte = static_cast<unsigned char>(bytes[at]);
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text + "\n";
}

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
  if (isText(static_cast<const char*>(start))) return std::strlen(static_cast<const char*>(start));
  if (std::memcmp(start, kMagic, sizeof kMagic) != 0) return 0;
  uint64_t size = 0;
  std::memcpy(&size, static_cast<const char*>(start) + sizeof kMagic, sizeof size);
  return sizeof kMagic + sizeof size + size;
}

std::optional<DeviceImage> decodeImage(std::string_view bytes) {
  if (bytes.starts_with(kTextHead)) {
    std::string inner = bytesOfText(bytes);
    return decodeImage(inner);
  }
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
