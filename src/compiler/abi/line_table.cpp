// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/abi/line_table.h"

#include <algorithm>

#include "compiler/abi/bytes.h"

namespace unwarp::abi {
namespace {

// Seven bits a byte, lowest first; the high bit says that more follow.
void put(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

// Signed differences as 0, -1, 1, -2, ...
void putSigned(std::string& out, int64_t value) {
  put(out, (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    failed_ = true;
    return 0;
  }
  int64_t difference() {
    uint64_t value = number();
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }
  bool finished() const { return rest_.empty() && !failed_; }
  bool failed() const { return failed_; }
  size_t left() const { return rest_.size(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

std::string encodeRows(const std::vector<SourceLine>& rows) {
  std::string out;
  put(out, rows.size());
  SourceLine before;
  for (const SourceLine& row : rows) {
    put(out, row.at - before.at);
    putSigned(out, int64_t{row.file} - before.file);
    putSigned(out, int64_t{row.line} - before.line);
    before = row;
  }
  return out;
}

bool decodeRows(std::string_view bytes, size_t files, std::vector<SourceLine>& rows) {
  Reader reader(bytes);
  uint64_t count = reader.number();
  if (reader.failed() || count > reader.left()) return false;
  SourceLine row;
  for (uint64_t i = 0; i < count; ++i) {
    row.at += static_cast<uint32_t>(reader.number());
    row.file += static_cast<uint32_t>(reader.difference());
    row.line += static_cast<uint32_t>(reader.difference());
    if (reader.failed() || row.file >= files) return false;
    rows.push_back(row);
  }
  return reader.finished();
}

// The last row that begins at or before `at`.
const SourceLine* rowAt(const std::vector<SourceLine>& rows, uint64_t at) {
  auto after = std::upper_bound(rows.begin(), rows.end(), at,
                                [](uint64_t wanted, const SourceLine& row) { return wanted < row.at; });
  return after == rows.begin() ? nullptr : &*(after - 1);
}

}  // namespace

std::string encode(const LineTable& table) {
  if (table.empty()) return "";
  ByteWriter out;
  out.number(table.files.size());
  for (const std::string& file : table.files) out.text(file);
  out.text(encodeRows(table.code));
  out.text(encodeRows(table.sites));
  return out.take();
}

std::optional<LineTable> decodeLines(std::string_view bytes) {
  LineTable table;
  if (bytes.empty()) return table;
  ByteReader in(bytes);
  for (uint64_t left = in.count(); left > 0; --left) table.files.emplace_back(in.text());
  std::string_view code = in.text(), sites = in.text();
  bool good = !in.failed() && decodeRows(code, table.files.size(), table.code) &&
              decodeRows(sites, table.files.size(), table.sites);
  if (!good) return std::nullopt;
  return table;
}

const SourceLine* lineOfCode(const LineTable& table, uint64_t offset) {
  return rowAt(table.code, offset);
}

const SourceLine* lineOfSite(const LineTable& table, uint32_t site) {
  const SourceLine* row = rowAt(table.sites, site);
  return row && row->at == site ? row : nullptr;
}

}  // namespace unwarp::abi
