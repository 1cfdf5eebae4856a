// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A strict reader of the tab-separated tables of knowledge/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace unwarp::knowledge {

/// A column a table must have, and whether a cell of it may be empty.
struct Column {
  std::string_view name;
  bool required;
};

/// Rows as views into the text they were read from.
class Table {
 public:
  /// Every column must be there in this order; every row must have as many cells; required cells must not be empty.
  static Result<Table> parse(std::string_view file, std::string_view text, const std::vector<Column>& columns);

  std::size_t rows() const { return width_ == 0 ? 0 : cells_.size() / width_; }
  std::string_view cell(std::size_t row, std::size_t column) const { return cells_[row * width_ + column]; }
  /// "file:line: column: " for messages about a cell.
  std::string where(std::size_t row, std::size_t column) const;

 private:
  std::string_view file_;
  std::vector<Column> columns_;
  std::size_t width_ = 0;
  std::vector<std::string_view> cells_;
};

}  // namespace unwarp::knowledge
