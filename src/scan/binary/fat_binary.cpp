// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout as observed on files made with CUDA 11.8 to 13.5 (own checks against cuobjdump's listings):
//   container: u32 magic BA55ED50, u16 version 1, u16 header size 16, u64 size of the entries; 8-byte aligned
//   entry:     u16 kind (1 PTX, 2 ELF, 8 LTO-IR, 256 several in one compressed block), u16 version 0x101, u32 header
//              size, u64 payload size, u32 compressed size, u32 options offset, u16 minor, u16 major, u32 architecture,
//              u32 name offset, u32 name size, u64 flags (0x2000 LZ4, 0x8000 zstd, 0x100000 `a`, 0x200000 `f`), ...
//   kind 256:  at 64: u32 count, u32 table size (with these 8 bytes), then one entry-like record each.
// Limits: payloads are never looked into, so a container whose header lies about the architecture is believed.
#include "scan/binary/fat_binary.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "base/text.h"

namespace unwarp::scan {
namespace {

constexpr std::string_view containerMagic("\x50\xed\x55\xba", 4);
constexpr std::uint64_t entryHeaderBytes = 48;
constexpr std::uint64_t recordBytes = 64;
constexpr std::uint16_t entryVersion = 0x101;
constexpr std::uint16_t kindPtx = 1, kindElf = 2, kindLtoIr = 8, kindConcatenated = 256;
constexpr std::uint64_t flagsCompressed = 0x2000 | 0x8000;
constexpr std::uint64_t flagArchitectureOnly = 0x100000, flagFamily = 0x200000;
constexpr std::size_t maxImages = 1u << 20;

std::uint64_t roundUp8(std::uint64_t value) {
  return (value + 7) & ~std::uint64_t{7};
}

void note(FatBinary& out, std::string text) {
  if (std::find(out.problems.begin(), out.problems.end(), text) == out.problems.end())
    out.problems.push_back(std::move(text));
}

/// Adds the image whose entry header (or table record) starts at `at`. False for a kind that is not known.
bool addImage(const ByteView& view, std::uint64_t at, bool compressedBlock, FatBinary& out) {
  GpuImage image;
  switch (view.u16(at)) {
    case kindPtx:
      image.kind = GpuImageKind::Ptx;
      break;
    case kindElf:
      image.kind = GpuImageKind::Sass;
      break;
    case kindLtoIr:
      image.kind = GpuImageKind::LtoIr;
      break;
    default:
      note(out, "GPU code of unknown kind " + std::to_string(view.u16(at)) + " not read");
      return false;
  }
  const std::uint64_t flags = view.u64(at + 40);
  image.sm = view.u32(at + 28);
  image.compressed = compressedBlock || (flags & flagsCompressed) != 0;
  if ((flags & flagArchitectureOnly) != 0) image.suffix = 'a';
  if ((flags & flagFamily) != 0) image.suffix = 'f';
  if (out.images.size() < maxImages)
    out.images.push_back(image);
  else
    note(out, "more GPU images than are kept");
  return true;
}

/// The table of an entry that holds several images in one compressed block. A record is as long as its texts, which
/// end with a NUL and are padded to eight bytes.
void readConcatenated(const ByteView& entry, FatBinary& out) {
  const std::uint32_t count = entry.u32(recordBytes);
  const std::uint64_t tableEnd = std::min<std::uint64_t>(entry.size(), recordBytes + entry.u32(recordBytes + 4));
  std::uint64_t at = recordBytes + 8;
  std::uint32_t seen = 0;
  for (; seen < count && at + recordBytes <= tableEnd; ++seen) {
    if (entry.u16(at + 2) != entryVersion) break;
    addImage(entry, at, true, out);
    std::uint64_t length = recordBytes;
    const std::uint64_t nameAt = entry.u32(at + 32);
    const std::uint64_t optionsAt = entry.u32(at + 20);
    if (nameAt != 0) length = std::max(length, nameAt + roundUp8(entry.u32(at + 36) + 1ull));
    if (optionsAt != 0 && at + optionsAt + 8 <= tableEnd)
      length = std::max(length, optionsAt + 8 + roundUp8(entry.u32(at + optionsAt + 4) + 1ull));
    at += length;
  }
  if (seen < count) note(out, "table of a combined GPU code block is damaged");
}

void readEntries(const ByteView& entries, FatBinary& out) {
  std::uint64_t at = 0;
  while (entries.holds(at, entryHeaderBytes)) {
    const std::uint64_t headerBytes = entries.u32(at + 4);
    const std::uint64_t payloadBytes = entries.u64(at + 8);
    if (entries.u16(at + 2) != entryVersion || headerBytes < entryHeaderBytes) {
      note(out, "damaged entry in a GPU code container; the rest of it is not read");
      return;
    }
    if (entries.u16(at) == kindConcatenated)
      readConcatenated(ByteView(entries.slice(at, headerBytes)), out);
    else
      addImage(entries, at, false, out);
    if (!entries.holds(at, headerBytes) || !entries.holds(at + headerBytes, payloadBytes)) {
      note(out, "GPU code container is cut off");
      return;
    }
    at = roundUp8(at + headerBytes + payloadBytes);
  }
}

void sortUnique(std::vector<std::string>& words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

/// The suffix of a cubin of ABI 8: attribute 9 of section .nv.compat. Its records are (format, attribute, 16 bits),
/// format 4 being followed by that many bytes.
char compatibilitySuffix(const ElfImage& image) {
  const ElfSection* section = image.section(".nv.compat");
  if (section == nullptr) return 0;
  const ByteView view(section->bytes);
  for (std::uint64_t at = 0; view.holds(at, 4); at += 4) {
    const std::uint8_t format = view.u8(at);
    if (format != 4 && view.u8(at + 1) == 9) return view.u16(at + 2) == 1 ? 'a' : 0;
    if (format == 4) at += (view.u16(at + 2) + 3u) & ~3u;
  }
  return 0;
}

}  // namespace

std::string GpuImage::architecture() const {
  static constexpr std::string_view prefixes[] = {"compute_", "sm_", "lto_"};
  std::string text(prefixes[static_cast<std::size_t>(kind)]);
  text += std::to_string(sm);
  if (suffix != 0) text += suffix;
  return text;
}

bool startsFatBinary(std::string_view bytes) {
  const ByteView view(bytes);
  return bytes.starts_with(containerMagic) && view.u16(4) == 1 && view.u16(6) >= 16;
}

FatBinary readFatBinary(std::string_view bytes) {
  FatBinary out;
  const ByteView view(bytes);
  std::uint64_t at = 0;
  while ((at = bytes.find(containerMagic, at)) != std::string_view::npos) {
    const std::string_view rest = bytes.substr(at);
    if (!startsFatBinary(rest)) {
      at += containerMagic.size();
      continue;
    }
    ++out.containers;
    const std::uint64_t headerBytes = view.u16(at + 6);
    const std::uint64_t bodyBytes = view.u64(at + 8);
    if (!view.holds(at, headerBytes) || !view.holds(at + headerBytes, bodyBytes))
      note(out, "GPU code container is cut off");
    const std::string_view body = view.slice(at + headerBytes, bodyBytes);
    readEntries(ByteView(body), out);
    at += headerBytes + body.size();
  }
  return out;
}

GpuImage cubinImage(const ElfImage& image) {
  // ABI version 8 (CUDA 12.9/13 with OS ABI 0x41) moved the architecture one byte up.
  const bool newAbi = image.osAbi() == 0x41 || image.abiVersion() >= 8;
  GpuImage out;
  out.sm = (newAbi ? image.flags() >> 8 : image.flags()) & 0xff;
  if (newAbi)
    out.suffix = (image.flags() & 0x8) != 0 ? 'a' : compatibilitySuffix(image);
  else if ((image.flags() & 0x800) != 0)
    out.suffix = 'a';
  return out;
}

OffloadTargets readOffloadBundle(std::string_view bytes) {
  static constexpr std::string_view magic = "__CLANG_OFFLOAD_BUNDLE__";
  OffloadTargets out;
  const ByteView view(bytes);
  std::uint64_t at = 0;
  while ((at = bytes.find(magic, at)) != std::string_view::npos) {
    const std::uint64_t count = std::min<std::uint64_t>(view.u64(at + magic.size()), 4096);
    std::uint64_t entry = at + magic.size() + 8;
    for (std::uint64_t i = 0; i < count && view.holds(entry, 24); ++i) {
      const std::string_view id = view.slice(entry + 24, std::min<std::uint64_t>(view.u64(entry + 16), 256));
      const std::size_t arch = id.rfind("--");
      const std::string target(arch == std::string_view::npos ? id : id.substr(arch + 2));
      if (id.find("amdgcn") != std::string_view::npos && !target.empty()) out.amd.push_back(toValidUtf8(target));
      if (id.find("nvptx") != std::string_view::npos && !target.empty()) out.nvidia.push_back(toValidUtf8(target));
      entry += 24 + id.size();
    }
    at = std::min<std::uint64_t>(std::max(entry, at + magic.size()), bytes.size());
  }
  if (bytes.starts_with("CCOB")) out.problems.emplace_back("compressed offload bundle: its targets are not read");
  sortUnique(out.amd);
  sortUnique(out.nvidia);
  return out;
}

OffloadTargets readLlvmOffloading(std::string_view bytes) {
  static constexpr std::string_view magic("\x10\xff\x10\xad", 4);
  OffloadTargets out;
  std::uint64_t at = 0;
  while ((at = bytes.find(magic, at)) != std::string_view::npos) {
    const ByteView file(bytes.substr(at));
    const ByteView view(file.slice(0, file.u64(8)));
    const std::uint64_t entry = view.u64(16);
    const std::uint64_t strings = view.u64(entry + 8);
    const std::uint64_t count = view.holds(entry, 40) ? std::min<std::uint64_t>(view.u64(entry + 16), 64) : 0;
    std::string_view triple, arch;
    for (std::uint64_t i = 0; i < count && view.holds(strings + i * 16, 16); ++i) {
      const std::string_view key = view.cString(view.u64(strings + i * 16), 64);
      const std::string_view value = view.cString(view.u64(strings + i * 16 + 8), 256);
      if (key == "triple") triple = value;
      if (key == "arch") arch = value;
    }
    if (triple.starts_with("nvptx")) out.nvidia.push_back(toValidUtf8(arch.empty() ? triple : arch));
    if (triple.starts_with("amdgcn")) out.amd.push_back(toValidUtf8(arch.empty() ? triple : arch));
    if (count == 0) out.problems.emplace_back("an LLVM offload record is damaged");
    at += std::max<std::uint64_t>(view.size(), magic.size());
  }
  sortUnique(out.amd);
  sortUnique(out.nvidia);
  sortUnique(out.problems);
  return out;
}

std::string listArchitectures(std::vector<GpuImage> images) {
  const auto key = [](const GpuImage& image) {
    const int order = image.kind == GpuImageKind::Sass ? 0 : image.kind == GpuImageKind::Ptx ? 1 : 2;
    return std::tuple(order, image.sm, image.suffix);
  };
  std::sort(images.begin(), images.end(), [&](const GpuImage& a, const GpuImage& b) { return key(a) < key(b); });
  std::string text;
  const GpuImage* last = nullptr;
  for (const GpuImage& image : images) {
    if (last != nullptr && key(*last) == key(image)) continue;
    if (!text.empty()) text += ' ';
    text += image.architecture();
    last = &image;
  }
  return text;
}

}  // namespace unwarp::scan
