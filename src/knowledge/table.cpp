// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strict on purpose: a fact without its source, or in the wrong column, must not reach a report.
#include "knowledge/table.h"

#include "base/text.h"

namespace unwarp::knowledge {

Result<Table> Table::parse(std::string_view file, std::string_view text, const std::vector<Column>& columns) {
  Table table;
  table.file_ = file;
  table.columns_ = columns;
  table.width_ = columns.size();
  LineReader lines(text);
  std::string_view line;
  std::string name(file);
  if (!lines.next(line)) return Error{name + ": empty table"};
  std::vector<std::string_view> header = split(line, '\t');
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i >= header.size() || header[i] != columns[i].name) {
      return Error{name + ":1: column " + std::to_string(i + 1) + " must be '" + std::string(columns[i].name) + "'"};
    }
  }
  if (header.size() != columns.size()) return Error{name + ":1: unknown column '" + std::string(header.back()) + "'"};
  table.cells_.reserve(text.size() / 12);
  while (lines.next(line)) {
    std::size_t count = 0;
    for (std::size_t begin = 0;; ++count) {
      std::size_t tab = line.find('\t', begin);
      table.cells_.push_back(line.substr(begin, tab == std::string_view::npos ? tab : tab - begin));
      if (tab == std::string_view::npos) break;
      begin = tab + 1;
    }
    if (++count != columns.size()) {
      return Error{name + ":" + std::to_string(lines.number()) + ": " + std::to_string(count) + " cells, expected " +
                   std::to_string(columns.size())};
    }
    std::size_t row = table.rows() - 1;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].required && table.cell(row, i).empty()) return Error{table.where(row, i) + "must not be empty"};
    }
  }
  return table;
}

std::string Table::where(std::size_t row, std::size_t column) const {
  return std::string(file_) + ":" + std::to_string(row + 2) + ": " + std::string(columns_[column].name) + ": ";
}

}  // namespace unwarp::knowledge
