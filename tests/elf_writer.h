// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes small ELF files, NVIDIA-style fat binaries, cubins, PE files, `ar`, tar and zip archives in memory, for tests
// and fuzz corpora: no sample of a vendor's tool is ever committed. Written from the format descriptions, so that a
// test may also ask for what no tool writes: false sizes, cut tables, compression bombs.
// Limits: just enough of each format for the readers of src/scan/binary; nothing made here can run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace unwarp::tests {

/// Appends integers in a byte order, text and padding.
class ByteWriter {
 public:
  explicit ByteWriter(bool bigEndian = false) : bigEndian_(bigEndian) {}

  ByteWriter& integer(std::uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i) out_ += byteOf(value, bigEndian_ ? width - 1 - i : i);
    return *this;
  }
  ByteWriter& u8(std::uint64_t value) { return integer(value, 1); }
  ByteWriter& u16(std::uint64_t value) { return integer(value, 2); }
  ByteWriter& u32(std::uint64_t value) { return integer(value, 4); }
  ByteWriter& u64(std::uint64_t value) { return integer(value, 8); }
  ByteWriter& text(std::string_view text) {
    out_ += text;
    return *this;
  }
  ByteWriter& zeros(std::size_t count) {
    out_.append(count, '\0');
    return *this;
  }
  ByteWriter& align(std::size_t step) { return zeros((step - out_.size() % step) % step); }
  void patch(std::size_t offset, std::uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i) out_[offset + i] = byteOf(value, bigEndian_ ? width - 1 - i : i);
  }
  std::size_t size() const { return out_.size(); }
  std::string take() { return std::move(out_); }

 private:
  static char byteOf(std::uint64_t value, unsigned index) { return static_cast<char>(value >> (8 * index) & 0xff); }
  bool bigEndian_;
  std::string out_;
};

// Fat binaries
// ------------------------------------------------------------------------------------------------------------

constexpr std::uint16_t fatPtx = 1, fatElf = 2, fatLtoIr = 8;
constexpr std::uint64_t fatZstd = 0x8000, fatLz4 = 0x2000, fatArchitectureOnly = 0x100000, fatFamily = 0x200000;

/// One entry of a container; the payload is never looked into.
struct FatEntry {
  std::uint16_t kind = fatElf;
  std::uint32_t sm = 80;
  std::uint64_t flags = 0;
  std::string payload = "payload.";
};

inline void writeFatRecord(ByteWriter& out, const FatEntry& entry, std::uint32_t second, std::uint64_t sizeBytes,
                           std::uint32_t optionsAt) {
  out.u16(entry.kind).u16(0x101).u32(second).u64(sizeBytes).u32(0).u32(optionsAt).u16(8).u16(1).u32(entry.sm);
  out.u32(0).u32(0).u64(0x11 | entry.flags).u64(0).u64(0);
}

/// A container holding `entries`; `sizeBytes` other than 0 is a lie about its length.
inline std::string writeFatBinary(const std::vector<FatEntry>& entries, std::uint64_t sizeBytes = 0) {
  ByteWriter body;
  for (const FatEntry& entry : entries) {
    const std::uint64_t padded = (entry.payload.size() + 7) / 8 * 8;
    writeFatRecord(body, entry, 64, padded, 0);
    body.text(entry.payload).align(8);
  }
  const std::string bytes = body.take();
  ByteWriter out;
  out.u32(0xba55ed50).u16(1).u16(16).u64(sizeBytes != 0 ? sizeBytes : bytes.size()).text(bytes);
  return out.take();
}

/// A container with one entry that holds all `entries` in one compressed block; each has `options` text.
inline std::string writeConcatenatedFatBinary(const std::vector<FatEntry>& entries, std::string_view options) {
  ByteWriter table;
  for (const FatEntry& entry : entries) {
    writeFatRecord(table, entry, 0, entry.payload.size(), 64);
    table.u32(72).u32(options.size()).text(options).u8(0).align(8);
  }
  const std::string records = table.take();
  ByteWriter body;
  FatEntry all{256, 0, fatZstd, {}};
  writeFatRecord(body, all, static_cast<std::uint32_t>(64 + 8 + records.size()), 8, 64);
  body.u32(entries.size()).u32(8 + records.size()).text(records).text("payload.");
  const std::string bytes = body.take();
  ByteWriter out;
  out.u32(0xba55ed50).u16(1).u16(16).u64(bytes.size()).text(bytes);
  return out.take();
}

// ELF
// ---------------------------------------------------------------------------------------------------------------------

struct SectionSpec {
  std::string name;
  std::string bytes;
  std::uint32_t type = 1;   ///< PROGBITS
  std::uint64_t flags = 2;  ///< ALLOC
};

struct ElfSpec {
  bool is64 = true;
  bool bigEndian = false;
  std::uint16_t type = 3;  ///< shared object
  std::uint16_t machine = 62;
  std::uint32_t flags = 0;
  std::uint8_t osAbi = 0, abiVersion = 0;
  std::vector<std::string> needed;
  std::string soname, runPath;
  std::vector<SectionSpec> sections;
  std::vector<std::pair<std::string, bool>> symbols;  ///< name, defined
  bool sectionHeaders = true;                         ///< false: as after sstrip
};

/// Lays an ELF file out: header, two program headers, dynamic strings and entries, sections, symbols, section headers.
class ElfWriter {
 public:
  explicit ElfWriter(const ElfSpec& spec) : spec_(spec), out_(spec.bigEndian) {}

  std::string write() {
    const std::size_t headerBytes = spec_.is64 ? 64 : 52;
    const std::size_t programBytes = spec_.is64 ? 56 : 32;
    out_.zeros(headerBytes + 2 * programBytes);
    placed_.push_back({});
    writeDynamic();
    for (const SectionSpec& section : spec_.sections) place(section.name, section.type, section.flags, section.bytes);
    writeSymbols();
    const std::size_t loaded = out_.size();
    const std::size_t table = writeSectionHeaders();
    writeHeader(headerBytes, table);
    writeProgramHeaders(headerBytes, loaded);
    return out_.take();
  }

 private:
  struct Placed {
    std::string name;
    std::uint32_t type = 0;
    std::uint64_t flags = 0;
    std::size_t offset = 0, sizeBytes = 0;
    std::uint32_t link = 0;
    std::size_t entryBytes = 0;
  };

  unsigned word() const { return spec_.is64 ? 8 : 4; }

  std::size_t place(std::string name, std::uint32_t type, std::uint64_t flags, std::string_view bytes,
                    std::uint32_t link = 0, std::size_t entryBytes = 0) {
    out_.align(16);
    const std::size_t offset = out_.size();
    out_.text(bytes);
    placed_.push_back({std::move(name), type, flags, offset, bytes.size(), link, entryBytes});
    return offset;
  }

  void writeDynamic() {
    if (spec_.needed.empty() && spec_.soname.empty() && spec_.runPath.empty()) return;
    std::string strings(1, '\0');
    std::vector<std::pair<std::uint64_t, std::uint64_t>> entries;
    const auto add = [&](std::uint64_t tag, const std::string& text) {
      entries.emplace_back(tag, strings.size());
      strings += text + '\0';
    };
    for (const std::string& name : spec_.needed) add(1, name);
    if (!spec_.soname.empty()) add(14, spec_.soname);
    if (!spec_.runPath.empty()) add(29, spec_.runPath);
    const std::size_t stringsAt = place(".dynstr", 3, 2, strings);
    entries.emplace_back(5, stringsAt);  // the file is loaded at address 0
    entries.emplace_back(10, strings.size());
    entries.emplace_back(0, 0);
    ByteWriter table(spec_.bigEndian);
    for (const auto& [tag, value] : entries) table.integer(tag, word()).integer(value, word());
    const std::string bytes = table.take();
    dynamicBytes_ = bytes.size();
    dynamicAt_ = place(".dynamic", 6, 3, bytes, static_cast<std::uint32_t>(placed_.size() - 1), 2 * word());
  }

  void writeSymbols() {
    if (spec_.symbols.empty()) return;
    std::string names(1, '\0');
    ByteWriter table(spec_.bigEndian);
    table.zeros(spec_.is64 ? 24 : 16);
    for (const auto& [name, defined] : spec_.symbols) {
      const std::uint64_t home = defined ? 1 : 0;
      if (spec_.is64)
        table.u32(names.size()).u8(0x12).u8(0).u16(home).u64(0).u64(0);
      else
        table.u32(names.size()).u32(0).u32(0).u8(0x12).u8(0).u16(home);
      names += name + '\0';
    }
    place(".strtab", 3, 0, names);
    const auto link = static_cast<std::uint32_t>(placed_.size() - 1);
    place(".symtab", 2, 0, table.take(), link, spec_.is64 ? 24 : 16);
  }

  std::size_t writeSectionHeaders() {
    if (!spec_.sectionHeaders) return 0;
    std::string names(1, '\0');
    std::vector<std::size_t> nameAt;
    for (const Placed& section : placed_) {
      nameAt.push_back(names.size());
      names += section.name + '\0';
    }
    nameAt.push_back(names.size());
    names += std::string(".shstrtab") + '\0';
    place(".shstrtab", 3, 0, names);
    out_.align(16);
    const std::size_t table = out_.size();
    for (std::size_t i = 0; i < placed_.size(); ++i) {
      const Placed& section = placed_[i];
      out_.u32(nameAt[i]).u32(section.type).integer(section.flags, word()).integer(section.offset, word());
      out_.integer(section.offset, word()).integer(section.sizeBytes, word()).u32(section.link).u32(0);
      out_.integer(8, word()).integer(section.entryBytes, word());
    }
    return table;
  }

  void writeHeader(std::size_t headerBytes, std::size_t table) {
    ByteWriter header(spec_.bigEndian);
    header.text("\x7f").text("ELF").u8(spec_.is64 ? 2 : 1).u8(spec_.bigEndian ? 2 : 1).u8(1);
    header.u8(spec_.osAbi).u8(spec_.abiVersion).zeros(7);
    header.u16(spec_.type).u16(spec_.machine).u32(1).integer(0, word()).integer(headerBytes, word());
    header.integer(table, word()).u32(spec_.flags).u16(headerBytes).u16(spec_.is64 ? 56 : 32).u16(2);
    header.u16(spec_.is64 ? 64 : 40).u16(table != 0 ? placed_.size() : 0).u16(table != 0 ? placed_.size() - 1 : 0);
    overwrite(0, header.take());
  }

  void writeProgramHeaders(std::size_t at, std::size_t loaded) {
    ByteWriter table(spec_.bigEndian);
    const auto segment = [&](std::uint32_t type, std::uint64_t offset, std::uint64_t sizeBytes) {
      table.u32(type);
      if (spec_.is64) table.u32(4);
      table.integer(offset, word()).integer(offset, word()).integer(offset, word());
      table.integer(sizeBytes, word()).integer(sizeBytes, word());
      if (!spec_.is64) table.u32(4);
      table.integer(8, word());
    };
    segment(1, 0, loaded);
    segment(dynamicAt_ != 0 ? 2 : 0, dynamicAt_, dynamicBytes_);
    overwrite(at, table.take());
  }

  void overwrite(std::size_t at, std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) out_.patch(at + i, static_cast<unsigned char>(bytes[i]), 1);
  }

  const ElfSpec& spec_;
  ByteWriter out_;
  std::vector<Placed> placed_;
  std::size_t dynamicAt_ = 0, dynamicBytes_ = 0;
};

inline std::string writeElf(const ElfSpec& spec) {
  return ElfWriter(spec).write();
}

/// Data section content: each text NUL-terminated.
inline std::string cStrings(const std::vector<std::string>& texts) {
  std::string out(1, '\0');
  for (const std::string& text : texts) out += text + '\0';
  return out;
}

/// A cubin. The old ABI (7) keeps the architecture in the low byte of the flags, the new one (8) in the second.
inline std::string writeCubin(std::uint32_t sm, bool architectureOnly, bool newAbi) {
  ElfSpec spec;
  spec.type = 2;
  spec.machine = 190;
  spec.osAbi = newAbi ? 0x41 : 0x33;
  spec.abiVersion = newAbi ? 8 : 7;
  spec.flags = newAbi ? 0x6000004 | sm << 8 : (sm << 16 | 0x500 | sm | (architectureOnly ? 0x800 : 0));
  spec.sections.push_back({".nv.info", std::string(8, '\1'), 0x70000000, 0});
  if (newAbi) {
    ByteWriter compat;
    compat.u32(0x00000c02).u8(4).u8(0xb).u16(8).u64(9).u8(2).u8(9).u16(architectureOnly ? 1 : 0);
    spec.sections.push_back({".nv.compat", compat.take(), 0x70000086, 0});
  }
  return writeElf(spec);
}

}  // namespace unwarp::tests
