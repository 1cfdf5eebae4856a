// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ELF tables, each walked once with its entry size and count clipped to what the file holds.
// The dynamic entries are taken from PT_DYNAMIC as a loader does (section headers may be stripped or false) and
// from the SHT_DYNAMIC section only when there is no such segment.
// Limits: names longer than 512 bytes count as unreadable; at most 4096 dynamic strings are kept.
#include "scan/binary/elf_image.h"

#include "base/text.h"

namespace unwarp::scan {
namespace {

constexpr std::uint64_t maxNameBytes = 512;
constexpr std::size_t maxDynamicStrings = 4096;
constexpr std::uint32_t sectionSymbols = 2;
constexpr std::uint32_t sectionDynamic = 6;
constexpr std::uint32_t sectionNoBits = 8;
constexpr std::uint32_t sectionDynamicSymbols = 11;

}  // namespace

std::optional<ElfImage> ElfImage::parse(std::string_view bytes) {
  if (!bytes.starts_with("\x7f"
                         "ELF") ||
      bytes.size() < 20)
    return std::nullopt;
  const char byteOrder = bytes[5];
  if (byteOrder != 1 && byteOrder != 2) return std::nullopt;
  ElfImage image(ByteView(bytes, byteOrder == 2));
  if (!image.readHeader()) return std::nullopt;
  image.readSections();
  image.readSegments();
  image.readDynamic();
  return image;
}

bool ElfImage::readHeader() {
  const std::uint8_t width = view_.u8(4);
  if (width != 1 && width != 2) return false;
  is64_ = width == 2;
  if (view_.size() < (is64_ ? 64u : 52u)) return false;
  type_ = view_.u16(16);
  machine_ = view_.u16(18);
  programTable_ = word(is64_ ? 32 : 28);
  sectionTable_ = word(is64_ ? 40 : 32);
  flags_ = view_.u32(is64_ ? 48 : 36);
  const std::uint64_t tail = is64_ ? 54 : 42;
  programEntry_ = view_.u16(tail);
  programCount_ = view_.u16(tail + 2);
  sectionEntry_ = view_.u16(tail + 4);
  sectionCount_ = view_.u16(tail + 6);
  nameTable_ = view_.u16(tail + 8);
  return true;
}

void ElfImage::readSections() {
  if (sectionTable_ == 0) return;
  const std::uint64_t headerBytes = is64_ ? 64 : 40;
  if (sectionEntry_ < headerBytes || !view_.holds(sectionTable_, headerBytes)) {
    problems_.emplace_back("section headers lie outside the file");
    return;
  }
  // More than 65279 sections: the true numbers stand in section 0.
  std::uint64_t count = sectionCount_;
  if (count == 0) count = word(sectionTable_ + (is64_ ? 32 : 20));
  std::uint64_t names = nameTable_;
  if (names == 0xffff) names = view_.u32(sectionTable_ + (is64_ ? 40 : 24));
  const std::uint64_t room = (view_.size() - sectionTable_) / sectionEntry_;
  if (count > room) {
    problems_.emplace_back("section headers are cut off");
    count = room;
  }
  std::vector<std::uint32_t> nameOffsets;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = sectionTable_ + i * sectionEntry_;
    ElfSection section;
    nameOffsets.push_back(view_.u32(at));
    section.type = view_.u32(at + 4);
    section.flags = word(at + 8);
    const std::uint64_t offset = word(at + (is64_ ? 24 : 16));
    const std::uint64_t sizeBytes = word(at + (is64_ ? 32 : 20));
    section.link = view_.u32(at + (is64_ ? 40 : 24));
    section.entrySizeBytes = word(at + (is64_ ? 56 : 36));
    if (section.type != sectionNoBits && i > 0) section.bytes = view_.slice(offset, sizeBytes);
    sections_.push_back(section);
  }
  if (names >= sections_.size()) {
    if (count > 0) problems_.emplace_back("section names are missing");
    return;
  }
  const ByteView strings(sections_[names].bytes);
  for (std::size_t i = 0; i < sections_.size(); ++i) sections_[i].name = strings.cString(nameOffsets[i], maxNameBytes);
}

void ElfImage::readSegments() {
  const std::uint64_t headerBytes = is64_ ? 56 : 32;
  if (programTable_ == 0 || programCount_ == 0) return;
  if (programEntry_ < headerBytes || !view_.holds(programTable_, headerBytes)) {
    problems_.emplace_back("program headers lie outside the file");
    return;
  }
  std::uint64_t count = programCount_;
  const std::uint64_t room = (view_.size() - programTable_) / programEntry_;
  if (count > room) {
    problems_.emplace_back("program headers are cut off");
    count = room;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = programTable_ + i * programEntry_;
    const std::uint32_t kind = view_.u32(at);
    const std::uint32_t rights = view_.u32(at + (is64_ ? 4 : 24));
    ElfSegment segment;
    segment.offset = word(at + (is64_ ? 8 : 4));
    segment.address = word(at + (is64_ ? 16 : 8));
    segment.fileSizeBytes = word(at + (is64_ ? 32 : 16));
    segment.executable = (rights & 1) != 0;
    if (kind == 1) segments_.push_back(segment);
    if (kind == 2 && dynamicSegment_.empty()) dynamicSegment_ = view_.slice(segment.offset, segment.fileSizeBytes);
  }
}

std::optional<std::uint64_t> ElfImage::fileOffset(std::uint64_t address) const {
  for (const ElfSegment& segment : segments_)
    if (address >= segment.address && address - segment.address < segment.fileSizeBytes)
      return segment.offset + (address - segment.address);
  return std::nullopt;
}

void ElfImage::readDynamic() {
  std::string_view fallbackStrings;
  std::string_view entries = dynamicSegment_;
  for (const ElfSection& section : sections_) {
    if (section.type != sectionDynamic) continue;
    if (entries.empty()) entries = section.bytes;
    if (section.link < sections_.size()) fallbackStrings = sections_[section.link].bytes;
    break;
  }
  if (entries.empty()) return;
  const ByteView table(entries, view_.bigEndian());
  const std::uint64_t step = is64_ ? 16 : 8;
  std::string_view strings = fallbackStrings;
  std::uint64_t stringsAt = 0;
  std::uint64_t stringsSize = ~0ull;
  for (std::uint64_t at = 0; table.holds(at, step); at += step) {
    const std::uint64_t tag = is64_ ? table.u64(at) : table.u32(at);
    const std::uint64_t value = is64_ ? table.u64(at + 8) : table.u32(at + 4);
    if (tag == 0) break;
    if (tag == 5) stringsAt = value;
    if (tag == 10) stringsSize = value;
  }
  if (stringsAt != 0)
    if (const auto offset = fileOffset(stringsAt)) strings = view_.slice(*offset, stringsSize);
  if (strings.empty()) {
    problems_.emplace_back("dynamic string table lies outside the file");
    return;
  }
  readDynamicEntries(entries, strings);
}

void ElfImage::readDynamicEntries(std::string_view entries, std::string_view strings) {
  const ByteView table(entries, view_.bigEndian());
  const ByteView text(strings);
  const std::uint64_t step = is64_ ? 16 : 8;
  std::size_t kept = 0;
  for (std::uint64_t at = 0; table.holds(at, step); at += step) {
    const std::uint64_t tag = is64_ ? table.u64(at) : table.u32(at);
    const std::uint64_t value = is64_ ? table.u64(at + 8) : table.u32(at + 4);
    if (tag == 0) return;
    if (tag != 1 && tag != 14 && tag != 15 && tag != 29) continue;
    if (++kept > maxDynamicStrings) {
      problems_.emplace_back("only the first 4096 dynamic entries were read");
      return;
    }
    const std::string_view name = text.cString(value, maxNameBytes * 8);
    if (name.empty()) {
      if (tag == 1) problems_.emplace_back("a DT_NEEDED entry has no readable name");
      continue;
    }
    if (tag == 1) dynamic_.needed.push_back(name);
    if (tag == 14) dynamic_.soname = name;
    if (tag == 15 || tag == 29)
      for (std::string_view path : split(name, ':')) dynamic_.runPaths.push_back(path);
  }
}

const ElfSection* ElfImage::section(std::string_view name) const {
  for (const ElfSection& section : sections_)
    if (section.name == name) return &section;
  return nullptr;
}

void ElfImage::forEachSymbol(const std::function<void(std::string_view, bool)>& visit) const {
  // Overlapping symbol tables must not make the work quadratic: all tables together get the file's size.
  std::uint64_t budget = view_.size();
  for (const ElfSection& section : sections_) {
    if (section.type != sectionSymbols && section.type != sectionDynamicSymbols) continue;
    if (section.link >= sections_.size()) continue;
    const ByteView names(sections_[section.link].bytes);
    const ByteView table(section.bytes, view_.bigEndian());
    const std::uint64_t step = is64_ ? 24 : 16;
    for (std::uint64_t at = 0; table.holds(at, step) && budget >= step; at += step, budget -= step) {
      const std::uint32_t nameAt = table.u32(at);
      if (nameAt == 0) continue;
      const std::string_view name = names.cString(nameAt, maxNameBytes);
      const std::uint16_t home = table.u16(at + (is64_ ? 6 : 14));
      if (!name.empty()) visit(name, home != 0);
    }
  }
}

}  // namespace unwarp::scan
