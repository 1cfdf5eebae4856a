// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ELF as a structure: header, sections, dynamic entries and symbols, in 32 and 64 bit and both byte orders.
// Written for hostile files: tables may be truncated, overlap or point outside; what is unreadable is said in
// problems(). Limits: no relocations, no notes, no debug information, no decompression of SHF_COMPRESSED sections.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scan/binary/byte_view.h"

namespace unwarp::scan {

inline constexpr std::uint16_t elfMachineCuda = 190;
inline constexpr std::uint16_t elfMachineAmdGpu = 224;
inline constexpr std::uint16_t elfTypeRelocatable = 1;

/// One section; `bytes` is empty for NOBITS and cut where the file ends.
struct ElfSection {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint32_t link = 0;
  std::uint64_t flags = 0;
  std::uint64_t entrySizeBytes = 0;
  std::string_view bytes;

  bool allocated() const { return (flags & 2) != 0; }
  bool executable() const { return (flags & 4) != 0; }
};

/// One loadable segment (PT_LOAD).
struct ElfSegment {
  std::uint64_t address = 0;
  std::uint64_t offset = 0;
  std::uint64_t fileSizeBytes = 0;
  bool executable = false;
};

/// What the dynamic linker is told.
struct ElfDynamic {
  std::vector<std::string_view> needed;
  std::string_view soname;
  std::vector<std::string_view> runPaths;  ///< DT_RPATH and DT_RUNPATH, split at ':'
};

/// A parsed ELF file. Views point into the bytes given to parse().
class ElfImage {
 public:
  /// Nothing when the bytes are no ELF file or the header itself is cut off.
  static std::optional<ElfImage> parse(std::string_view bytes);

  std::uint16_t type() const { return type_; }
  std::uint16_t machine() const { return machine_; }
  std::uint32_t flags() const { return flags_; }
  std::uint8_t osAbi() const { return view_.u8(7); }
  std::uint8_t abiVersion() const { return view_.u8(8); }
  bool is64() const { return is64_; }
  const ByteView& view() const { return view_; }
  const std::vector<ElfSection>& sections() const { return sections_; }
  const std::vector<ElfSegment>& segments() const { return segments_; }
  const ElfDynamic& dynamic() const { return dynamic_; }
  /// What could not be read, in words.
  const std::vector<std::string>& problems() const { return problems_; }

  /// First section of that name, or null.
  const ElfSection* section(std::string_view name) const;
  /// Calls `visit(name, defined)` for every named symbol of .symtab and .dynsym.
  void forEachSymbol(const std::function<void(std::string_view name, bool defined)>& visit) const;

 private:
  explicit ElfImage(ByteView view) : view_(view) {}
  bool readHeader();
  void readSections();
  void readSegments();
  void readDynamic();
  void readDynamicEntries(std::string_view entries, std::string_view strings);
  std::optional<std::uint64_t> fileOffset(std::uint64_t address) const;
  std::uint64_t word(std::uint64_t offset) const { return is64_ ? view_.u64(offset) : view_.u32(offset); }

  ByteView view_;
  bool is64_ = false;
  std::uint16_t type_ = 0;
  std::uint16_t machine_ = 0;
  std::uint32_t flags_ = 0;
  std::uint64_t programTable_ = 0;
  std::uint64_t sectionTable_ = 0;
  std::uint16_t programEntry_ = 0;
  std::uint16_t programCount_ = 0;
  std::uint16_t sectionEntry_ = 0;
  std::uint32_t sectionCount_ = 0;
  std::uint32_t nameTable_ = 0;
  std::string_view dynamicSegment_;
  std::vector<ElfSection> sections_;
  std::vector<ElfSegment> segments_;
  ElfDynamic dynamic_;
  std::vector<std::string> problems_;
};

}  // namespace unwarp::scan
