// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CSV with a header row, as spreadsheets and billing exports write it: RFC 4180 quotes, any line break, a byte order
// mark, and comma, semicolon or tab between cells (the one that stands most often in the header). Cells are text;
// what a number or a date is, the reader of the columns decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace unwarp {

class CsvTable {
 public:
  /// An error names the line: a quote that is never closed, a row with more cells than the header, two columns
  /// of one name, no header at all.
  /// Rows with fewer cells are filled up with empty ones; empty lines are passed over.
  static Result<CsvTable> parse(std::string_view text);

  const std::vector<std::string>& header() const { return header_; }
  std::size_t rows() const { return lines_.size(); }
  /// Line of a row's first cell, from 1.
  std::uint32_t line(std::size_t row) const { return lines_[row]; }
  /// The column of that name, without regard to case; nothing when there is none.
  std::optional<std::size_t> column(std::string_view name) const;
  /// A cell without blanks around it.
  std::string_view cell(std::size_t row, std::size_t column) const;
  /// The cell of a named column, empty when there is no such column.
  std::string_view cell(std::size_t row, std::string_view name) const;

 private:
  std::vector<std::string> header_;
  std::vector<std::string> cells_;  ///< row by row, as many as the header has
  std::vector<std::uint32_t> lines_;
};

}  // namespace unwarp
