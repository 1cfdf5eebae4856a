// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which source line a piece of compiled device code comes from: for every address of the code, and for every call site
// at which threads may wait. Kept in the cache entry, so that a crash in a cached kernel is named without LLVM. Only
// code that was compiled with line information (-lineinfo, -g, -G) has one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp::abi {

/// The section of an object that LineTable::code describes: all code that our compiler makes.
constexpr std::string_view kLineSection = ".text";

/// Call sites of the shared part of a module have numbers above this, a kernel's own below.
constexpr uint32_t kSharedSites = 0x80000000u;

/// From `at` on (an offset in bytes from the start of the code, or the number of a call site) the source is this line.
struct SourceLine {
  uint32_t at = 0;
  uint32_t file = 0;  // index into LineTable::files
  uint32_t line = 0;  // from 1
  bool operator==(const SourceLine&) const = default;
};

struct LineTable {
  std::vector<std::string> files;
  std::vector<SourceLine> code;   // ascending by `at`; each holds up to the next
  std::vector<SourceLine> sites;  // ascending by `at`; each for itself
  bool empty() const { return code.empty() && sites.empty(); }
  bool operator==(const LineTable&) const = default;
};

/// Differences in variable length: a row takes about four bytes. An empty table is an empty text.
std::string encode(const LineTable& table);
/// Nothing for bytes that no table encodes to.
std::optional<LineTable> decodeLines(std::string_view bytes);

/// The row whose range holds `offset`, or null. No memory is allocated: crash reports ask.
const SourceLine* lineOfCode(const LineTable& table, uint64_t offset);
/// The row of a call site, or null.
const SourceLine* lineOfSite(const LineTable& table, uint32_t site);

}  // namespace unwarp::abi
