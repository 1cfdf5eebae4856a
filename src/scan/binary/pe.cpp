// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows PE files: the import and delay-import tables name the DLLs a program needs, and nvcc's GPU code lies in a
// section whose name is cut to eight characters (".nv_fatb"). Enough to say what a wheel for Windows binds to.
// Limits: no export table, no strings, no symbols; at most 1024 imports.
#include <algorithm>

#include "scan/binary/binary_facts.h"

namespace unwarp::scan {
namespace {

constexpr std::uint32_t maxImports = 1024;
constexpr std::uint16_t maxSections = 256;

struct PeSection {
  std::string_view name;
  std::uint64_t address, sizeBytes, offset, fileSizeBytes;
};

struct PeImage {
  ByteView view;
  std::vector<PeSection> sections;
  std::uint32_t imports = 0;
  std::uint32_t delayImports = 0;
};

std::optional<PeImage> parsePe(std::string_view bytes) {
  const ByteView view(bytes);
  const std::uint64_t header = view.u32(0x3c);
  if (view.slice(header, 4) != std::string_view("PE\0\0", 4) || !view.holds(header, 24 + 96)) return std::nullopt;
  PeImage image{view, {}, 0, 0};
  const std::uint16_t count = std::min<std::uint16_t>(view.u16(header + 6), maxSections);
  const std::uint64_t optional = header + 24;
  const std::uint16_t optionalBytes = view.u16(header + 20);
  const bool is64 = view.u16(optional) == 0x20b;
  const std::uint64_t directories = optional + (is64 ? 112 : 96);
  const std::uint32_t directoryCount = view.u32(directories - 4);
  if (directoryCount > 1) image.imports = view.u32(directories + 8);
  if (directoryCount > 13) image.delayImports = view.u32(directories + 8 * 13);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = optional + optionalBytes + i * 40;
    if (!view.holds(at, 40)) break;
    std::string_view name = view.slice(at, 8);
    name = name.substr(0, name.find('\0'));
    image.sections.push_back({name, view.u32(at + 12), view.u32(at + 8), view.u32(at + 20), view.u32(at + 16)});
  }
  return image;
}

std::optional<std::uint64_t> fileOffset(const PeImage& image, std::uint64_t address) {
  for (const PeSection& section : image.sections)
    if (address >= section.address && address - section.address < section.fileSizeBytes)
      return section.offset + (address - section.address);
  return std::nullopt;
}

/// Walks a table of import descriptors; the DLL's name stands at `nameField` of each.
void readImports(const PeImage& image, std::uint32_t table, std::uint64_t step, std::uint64_t nameField,
                 BinaryFacts& facts) {
  if (table == 0) return;
  const auto start = fileOffset(image, table);
  if (!start) return facts.note("import table lies outside the file");
  for (std::uint64_t i = 0; i < maxImports; ++i) {
    const std::uint64_t at = *start + i * step;
    const std::uint32_t name = image.view.u32(at + nameField);
    if (!image.view.holds(at, step) || name == 0) return;
    if (const auto text = fileOffset(image, name)) facts.addLibrary(image.view.cString(*text, 256));
  }
  facts.note("only the first 1024 imports were read");
}

}  // namespace

void readPe(const Input& input, BinaryFacts& facts) {
  const auto image = parsePe(input.bytes);
  if (!image) return facts.note("not read: PE header is damaged or absent");
  facts.note("PE: imports and GPU code sections read, strings and symbols not");
  readImports(*image, image->imports, 20, 12, facts);
  readImports(*image, image->delayImports, 32, 4, facts);
  for (const PeSection& section : image->sections) {
    if (section.name != ".nv_fatb") continue;
    facts.addGpuCode(".nv_fatb", readFatBinary(image->view.slice(section.offset, section.fileSizeBytes)));
    return;
  }
}

}  // namespace unwarp::scan
