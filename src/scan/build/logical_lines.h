// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines joined over trailing backslashes, for makefiles, ninja files and configure scripts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"

namespace unwarp::scan::build {

/// Walks logical lines. The joined text keeps its line breaks, so that places inside it stay countable.
class LogicalLines {
 public:
  /// `continuation` ends a line that goes on: a backslash, or `$` for ninja.
  explicit LogicalLines(std::string_view text, char continuation = '\\')
      : text_(text), reader_(text), continuation_(continuation) {}

  /// False at the end. `line` is a view of the text, from the first to the last physical line.
  bool next(std::string_view& line) {
    std::string_view piece;
    if (!reader_.next(piece)) return false;
    number_ = reader_.number();
    const std::size_t begin = reader_.offset();
    std::size_t end = begin + piece.size();
    while (!piece.empty() && piece.back() == continuation_ && reader_.next(piece))
      end = reader_.offset() + piece.size();
    line = text_.substr(begin, end - begin);
    return true;
  }
  std::uint32_t number() const { return number_; }

 private:
  std::string_view text_;
  LineReader reader_;
  char continuation_;
  std::uint32_t number_ = 0;
};

/// Calls `visit(piece, line)` for each physical line of a logical one, without its continuation.
template <class Visit>
void eachPhysicalLine(std::string_view line, std::uint32_t number, char continuation, Visit visit) {
  for (std::string_view piece : split(line, '\n')) {
    if (!piece.empty() && piece.back() == '\r') piece.remove_suffix(1);
    if (!piece.empty() && piece.back() == continuation) piece.remove_suffix(1);
    visit(piece, number++);
  }
}

}  // namespace unwarp::scan::build
