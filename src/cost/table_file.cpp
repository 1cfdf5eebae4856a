// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/table_file.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp::cost {

Result<TableFile> TableFile::parse(std::string_view file, std::string_view text,
                                   const std::vector<std::string_view>& required) {
  TableFile table;
  table.file_ = file;
  LineReader lines(withoutByteOrderMark(text));
  for (std::string_view line; lines.next(line);) {
    if (trim(line).empty()) continue;
    std::vector<std::string_view> cells = split(line, '\t');
    for (std::string_view& cell : cells) cell = trim(cell);
    if (table.header_.empty())
      table.header_ = std::move(cells);
    else
      table.rows_.push_back({lines.number(), std::move(cells)});
  }
  for (std::size_t i = 0; i < table.header_.size(); ++i)
    if (!table.header_[i].empty() &&
        std::find(table.header_.begin(), table.header_.begin() + static_cast<std::ptrdiff_t>(i), table.header_[i]) !=
            table.header_.begin() + static_cast<std::ptrdiff_t>(i))
      return toError({table.file_, 1, std::string(table.header_[i]), "names two columns", "keep one of them"});
  for (std::string_view name : required) {
    if (std::find(table.header_.begin(), table.header_.end(), name) != table.header_.end()) continue;
    return toError({table.file_, 1, std::string(name), "the header line has no such column",
                    "the first line names the columns, separated by tabs"});
  }
  return table;
}

std::string_view TableFile::cell(std::size_t row, std::string_view column) const {
  auto found = std::find(header_.begin(), header_.end(), column);
  auto index = static_cast<std::size_t>(found - header_.begin());
  const std::vector<std::string_view>& cells = rows_[row].cells;
  return found == header_.end() || index >= cells.size() ? std::string_view() : cells[index];
}

BadInput TableFile::bad(std::size_t row, std::string_view column, std::string what, std::string fix) const {
  return {file_, line(row), std::string(column), std::move(what), std::move(fix)};
}

}  // namespace unwarp::cost
