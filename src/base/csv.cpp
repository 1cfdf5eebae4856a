// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/csv.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp {

namespace {

char separatorOf(std::string_view header) {
  char best = ',';
  for (char candidate : {';', '\t'})
    if (std::count(header.begin(), header.end(), candidate) > std::count(header.begin(), header.end(), best))
      best = candidate;
  return best;
}

/// Takes one row at a time off the text.
class Rows {
 public:
  explicit Rows(std::string_view text) : text_(text), separator_(separatorOf(text.substr(0, text.find('\n')))) {}

  bool atEnd() const { return at_ >= text_.size(); }
  std::uint32_t line() const { return line_; }
  /// False when a quote is never closed.
  bool next(std::vector<std::string>& cells) {
    cells.assign(1, {});
    while (at_ < text_.size()) {
      char c = text_[at_++];
      if (c == separator_) {
        cells.emplace_back();
      } else if (c == '\n') {
        ++line_;
        return true;
      } else if (c == '"' && cells.back().empty()) {
        if (!quoted(cells.back())) return false;
      } else if (c != '\r') {
        cells.back() += c;
      }
    }
    return true;
  }

 private:
  bool quoted(std::string& cell) {
    while (at_ < text_.size()) {
      char c = text_[at_++];
      if (c == '\n') ++line_;
      if (c != '"') {
        cell += c;
      } else if (at_ < text_.size() && text_[at_] == '"') {
        cell += text_[at_++];
      } else {
        return true;
      }
    }
    return false;
  }

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

Result<CsvTable> CsvTable::parse(std::string_view text) {
  CsvTable table;
  Rows rows(withoutByteOrderMark(text));
  std::vector<std::string> cells;
  while (!rows.atEnd()) {
    std::uint32_t line = rows.line();
    if (!rows.next(cells)) return Error{"line " + std::to_string(line) + ": a quote is opened and never closed"};
    if (cells.size() == 1 && trim(cells[0]).empty()) continue;
    if (table.header_.empty()) {
      for (std::string& name : cells) name = trim(name);
      table.header_ = std::move(cells);
      for (std::size_t i = 0; i < table.header_.size(); ++i)
        if (!table.header_[i].empty() && table.column(table.header_[i]) != i)
          return Error{"line " + std::to_string(line) + ": two columns are called '" + table.header_[i] + "'"};
      continue;
    }
    if (cells.size() > table.header_.size())
      return Error{"line " + std::to_string(line) + ": " + std::to_string(cells.size()) + " cells under a header of " +
                   std::to_string(table.header_.size())};
    cells.resize(table.header_.size());
    std::move(cells.begin(), cells.end(), std::back_inserter(table.cells_));
    table.lines_.push_back(line);
  }
  if (table.header_.empty()) return Error{"no header row"};
  return table;
}

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
  for (std::size_t i = 0; i < header_.size(); ++i)
    if (equalsIgnoreCase(header_[i], name)) return i;
  return std::nullopt;
}

std::string_view CsvTable::cell(std::size_t row, std::size_t column) const {
  return trim(cells_[row * header_.size() + column]);
}

std::string_view CsvTable::cell(std::size_t row, std::string_view name) const {
  auto found = column(name);
  return found ? cell(row, *found) : std::string_view();
}

}  // namespace unwarp
