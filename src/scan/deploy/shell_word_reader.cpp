// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See shell_word_reader.h. Expansions stay in the word as written; only quotes and escapes are removed.
#include "scan/deploy/shell_word_reader.h"

#include <algorithm>
#include <utility>

namespace unwarp::scan {
namespace {
constexpr std::size_t npos = std::string_view::npos;
}  // namespace

std::size_t ShellWordReader::continuationLength(std::size_t i) const {
  // `\` of shells, "`" of PowerShell and `^` of cmd, at the end of a line.
  const char c = at(i);
  if (c != '\\' && c != '`' && c != '^') return 0;
  if (at(i + 1) == '\n') return 2;
  return at(i + 1) == '\r' && at(i + 2) == '\n' ? 3 : 0;
}

std::string ShellWordReader::word() {
  std::string result;
  while (!done()) {
    const char c = here();
    if (isShellBlank(c) || c == '\n') break;
    if (c == '(' && !result.empty() && result.back() == '=') {
      // `NAME=(a b c)` is one word.
      const std::size_t close = closingBracket(position_, '(', ')');
      moveBehind(close == npos ? position_ + 1 : close + 1, result);
      continue;
    }
    if (isShellOperator(c) || !wordPart(result)) break;
  }
  return result;
}

std::string_view ShellWordReader::substitution(std::size_t open) {
  const std::size_t begin = position_;
  const std::size_t close = closingBracket(open, '(', ')');
  if (close == npos) {
    position_ = open + 1;
    return text_.substr(begin, position_ - begin);
  }
  const bool isArithmetic = at(open + 1) == '(';
  if (!isArithmetic) nested_.push_back({text_.substr(open + 1, close - open - 1), line_, 0, 0});
  countLines(begin, close);
  position_ = close + 1;
  return text_.substr(begin, position_ - begin);
}

std::vector<NestedShellText> ShellWordReader::takeNested() {
  return std::exchange(nested_, {});
}

std::size_t ShellWordReader::closingBracket(std::size_t open, char opening, char closing) {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = open; i < text_.size() && budget_ > 0; ++i, --budget_) {
    const char c = text_[i];
    if (c == '\\') {
      ++i;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == opening) {
      ++depth;
    } else if (c == closing && --depth == 0) {
      return i;
    }
  }
  return npos;
}

void ShellWordReader::countLines(std::size_t begin, std::size_t end) {
  const std::string_view piece = text_.substr(begin, end - begin);
  line_ += static_cast<std::uint32_t>(std::count(piece.begin(), piece.end(), '\n'));
}

void ShellWordReader::moveBehind(std::size_t end, std::string& word) {
  countLines(position_, end);
  word += text_.substr(position_, end - position_);
  position_ = end;
}

bool ShellWordReader::wordPart(std::string& word) {
  if (continuationLength(position_) > 0) return false;
  const char c = here();
  if (c == '\\') {
    if (position_ + 1 < text_.size()) word += at(position_ + 1);
    position_ += 2;
  } else if (c == '\'') {
    singleQuoted(word);
  } else if (c == '"') {
    doubleQuoted(word);
  } else if (c == '$') {
    dollar(word);
  } else if (c == '`') {
    backtick(word);
  } else if (c == '{' && at(position_ + 1) == '{') {
    braces(position_, word);
  } else {
    word += c;
    ++position_;
  }
  return true;
}

void ShellWordReader::dollar(std::string& word) {
  if (at(position_ + 1) == '(') {
    word += substitution(position_ + 1);
  } else if (at(position_ + 1) == '{') {
    braces(position_ + 1, word);
  } else {
    word += '$';
    ++position_;
  }
}

void ShellWordReader::braces(std::size_t open, std::string& word) {
  const std::size_t close = closingBracket(open, '{', '}');
  moveBehind(close == npos ? open + 1 : close + 1, word);
}

void ShellWordReader::backtick(std::string& word) {
  const std::size_t close = text_.find('`', position_ + 1);
  if (close == npos || close - position_ > budget_) {
    if (close == npos) budget_ -= std::min(budget_, text_.size() - position_);
    word += '`';
    ++position_;
    return;
  }
  budget_ -= close - position_;
  nested_.push_back({text_.substr(position_ + 1, close - position_ - 1), line_, 0, 0});
  moveBehind(close + 1, word);
}

void ShellWordReader::singleQuoted(std::string& word) {
  const std::size_t close = singleQuotesEnded_ ? npos : text_.find('\'', position_ + 1);
  if (close == npos) {
    singleQuotesEnded_ = true;
    word += '\'';
    ++position_;
    return;
  }
  word += text_.substr(position_ + 1, close - position_ - 1);
  countLines(position_, close);
  position_ = close + 1;
}

bool ShellWordReader::hasClosingDoubleQuote() {
  if (doubleQuotesEnded_) return false;
  for (std::size_t i = position_ + 1; i < text_.size() && budget_ > 0; ++i, --budget_) {
    if (text_[i] == '\\')
      ++i;
    else if (text_[i] == '"')
      return true;
  }
  doubleQuotesEnded_ = true;
  return false;
}

void ShellWordReader::doubleQuoted(std::string& word) {
  if (!hasClosingDoubleQuote()) {
    word += '"';
    ++position_;
    return;
  }
  ++position_;
  while (!done() && here() != '"') {
    const char c = here();
    if (const std::size_t length = continuationLength(position_); length > 0) {
      position_ += length;
      ++line_;
    } else if (c == '\\' && position_ + 1 < text_.size()) {
      const char next = at(position_ + 1);
      if (next != '"' && next != '\\' && next != '$' && next != '`') word += c;
      if (next == '\n') ++line_;
      word += next;
      position_ += 2;
    } else if (c == '$') {
      dollar(word);
    } else if (c == '`') {
      backtick(word);
    } else {
      if (c == '\n') ++line_;
      word += c;
      ++position_;
    }
  }
  ++position_;
}

}  // namespace unwarp::scan
