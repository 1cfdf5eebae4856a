// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes `ar`, tar and zip archives and a minimal PE file in memory, honest or not, for tests and fuzz corpora.
// Limits: zip members are stored, or one run of zero bytes deflated with the fixed code (158 to 1): a small bomb.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "elf_writer.h"

namespace unwarp::tests {

using Members = std::vector<std::pair<std::string, std::string>>;  ///< name, bytes

/// A static archive with GNU long names.
inline std::string writeAr(const Members& members) {
  std::string names;
  std::string body;
  const auto header = [](std::string_view name, std::size_t sizeBytes) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%-16.16s%-12d%-6d%-6d%-8o%-10zu`\n", std::string(name).c_str(), 0, 0, 0,
                  0644u, sizeBytes);
    return std::string(text.data(), 60);
  };
  for (const auto& [name, bytes] : members) {
    std::string field = name + '/';
    if (field.size() > 16) {
      field = '/' + std::to_string(names.size());
      names += name + "/\n";
    }
    body += header(field, bytes.size()) + bytes;
    if (bytes.size() % 2 != 0) body += '\n';
  }
  std::string out = "!<arch>\n";
  if (!names.empty()) {
    out += header("//", names.size()) + names;
    if (names.size() % 2 != 0) out += '\n';
  }
  return out + body;
}

/// A POSIX tar archive.
inline std::string writeTar(const Members& members) {
  std::string out;
  for (const auto& [name, bytes] : members) {
    std::string block(512, '\0');
    const auto put = [&](std::size_t at, std::string_view text) { block.replace(at, text.size(), text); };
    std::array<char, 16> number{};
    put(0, std::string_view(name).substr(0, 100));
    put(100, "0000644");
    put(108, "0000000");
    put(116, "0000000");
    std::snprintf(number.data(), number.size(), "%011zo", bytes.size());
    put(124, number.data());
    put(136, "00000000000");
    put(148, "        ");
    put(156, "0");
    put(257, std::string_view("ustar\00000", 8));
    unsigned sum = 0;
    for (const char c : block) sum += static_cast<unsigned char>(c);
    std::snprintf(number.data(), number.size(), "%06o", sum);
    put(148, std::string_view(number.data(), 7));
    out += block + bytes;
    out.append((512 - bytes.size() % 512) % 512, '\0');
  }
  return out.append(1024, '\0');
}

inline std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1)));
  }
  return ~crc;
}

/// A deflate stream of one zero byte and `runs` matches of 258 zeros, with the fixed Huffman code.
inline std::string deflateZeros(std::size_t runs) {
  std::string out;
  unsigned filled = 0;
  unsigned current = 0;
  const auto bit = [&](unsigned value) {
    current |= value << filled;
    if (++filled < 8) return;
    out += static_cast<char>(current);
    filled = current = 0;
  };
  const auto code = [&](unsigned value, unsigned length) {
    while (length-- > 0) bit(value >> length & 1);
  };
  bit(1), bit(1), bit(0);  // last block, fixed code
  code(0x30, 8);           // literal 0
  for (std::size_t i = 0; i < runs; ++i) {
    code(0xc5, 8);  // length 258
    code(0, 5);     // distance 1
  }
  code(0, 7);  // end of block
  while (filled != 0) bit(0);
  return out;
}

struct ZipMember {
  std::string name;
  std::string bytes;            ///< as stored in the archive
  bool encrypted = false;       ///< flag only
  std::uint64_t zeroBytes = 0;  ///< not 0: `bytes` is a deflate stream of this many zeros
  std::uint32_t crc = 0;        ///< of the zeros
};

/// A zip archive with its central directory.
inline std::string writeZip(const std::vector<ZipMember>& members) {
  ByteWriter out;
  ByteWriter directory;
  for (const ZipMember& member : members) {
    const std::size_t at = out.size();
    const unsigned method = member.zeroBytes != 0 ? 8 : 0;
    const std::uint64_t plain = member.zeroBytes != 0 ? member.zeroBytes : member.bytes.size();
    const std::uint32_t crc = member.zeroBytes != 0 ? member.crc : crc32(member.bytes);
    const auto common = [&](ByteWriter& to) {
      to.u16(20).u16(member.encrypted ? 1 : 0).u16(method).u32(0x21 << 16).u32(crc).u32(member.bytes.size());
      to.u32(plain).u16(member.name.size()).u16(0);
    };
    out.u32(0x04034b50);
    common(out);
    out.text(member.name).text(member.bytes);
    directory.u32(0x02014b50).u16(0x314);
    common(directory);
    directory.u16(0).u16(0).u16(0).u32(0100644u << 16).u32(at).text(member.name);
  }
  const std::size_t start = out.size();
  const std::string entries = directory.take();
  out.text(entries).u32(0x06054b50).u16(0).u16(0).u16(members.size()).u16(members.size());
  out.u32(entries.size()).u32(start).u16(0);
  return out.take();
}

inline std::string writeZip(const Members& members) {
  std::vector<ZipMember> out;
  for (const auto& [name, bytes] : members) out.push_back({name, bytes});
  return writeZip(out);
}

/// A 64-bit PE file that imports `dlls`; `gpuCode` fills a section ".nv_fatb".
inline std::string writePe(const std::vector<std::string>& dlls, std::string_view gpuCode) {
  constexpr std::uint32_t dataAt = 0x400, dataAddress = 0x1000, codeAddress = 0x100000;
  ByteWriter data;
  data.zeros(20 * (dlls.size() + 1));
  for (std::size_t i = 0; i < dlls.size(); ++i) {
    data.patch(20 * i + 12, dataAddress + data.size(), 4);
    data.text(dlls[i]).u8(0);
  }
  data.align(16);
  const std::string bytes = data.take();
  ByteWriter out;
  out.text("MZ").zeros(58).u32(0x80).zeros(0x40).text(std::string_view("PE\0\0", 4));
  out.u16(0x8664).u16(2).u32(0).u32(0).u32(0).u16(240).u16(0x2022);
  out.u16(0x20b).zeros(106).u32(16).u64(0).u32(dataAddress).u32(20 * (dlls.size() + 1)).zeros(8 * 14);
  const auto section = [&](std::string_view name, std::uint32_t address, std::size_t sizeBytes, std::size_t offset) {
    out.text(name).zeros(8 - name.size()).u32(sizeBytes).u32(address).u32(sizeBytes).u32(offset).zeros(16);
  };
  section(".rdata", dataAddress, bytes.size(), dataAt);
  section(".nv_fatb", codeAddress, gpuCode.size(), dataAt + bytes.size());
  out.zeros(dataAt - out.size()).text(bytes).text(gpuCode);
  return out.take();
}

}  // namespace unwarp::tests
