// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tab-separated tables that users bring: columns are found by name, further ones ignored, cells at the end of a line
// may be missing. The strict reader of knowledge/ (knowledge/table.h) is for our own tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cost/quantity.h"

namespace unwarp::cost {

/// Rows as views into the text, which must outlive them.
class TableFile {
 public:
  /// Fails when there is no header or a name of `required` is not in it.
  static Result<TableFile> parse(std::string_view file, std::string_view text,
                                 const std::vector<std::string_view>& required);

  std::size_t rows() const { return rows_.size(); }
  std::uint32_t line(std::size_t row) const { return rows_[row].line; }
  /// The trimmed cell, empty when the table has no such column or the line no such cell.
  std::string_view cell(std::size_t row, std::string_view column) const;
  BadInput bad(std::size_t row, std::string_view column, std::string what, std::string fix) const;

 private:
  struct Row {
    std::uint32_t line;
    std::vector<std::string_view> cells;
  };
  std::string file_;
  std::vector<std::string_view> header_;
  std::vector<Row> rows_;
};

}  // namespace unwarp::cost
