// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of a shell text: quotes, escapes, expansions and substitutions. Command texts found inside words (`$(...)`,
// backticks,
// `<(...)`) are handed out as nested texts. Quotes and brackets without partner are taken literally: an apostrophe in
// PowerShell or cmd text must not swallow the rest. Scans for closing brackets draw from a shared budget, so hostile
// nesting stays linear.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp::scan {

/// A command text inside another one.
struct NestedShellText {
  std::string_view text;
  std::uint32_t line;
  std::uint32_t chain;  ///< if-chain or case it stands in
  int depth;
};

inline bool isShellBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
inline bool isShellOperator(char c) {
  return c == ';' || c == '&' || c == '|' || c == '(' || c == ')' || c == '<' || c == '>';
}

class ShellWordReader {
 public:
  ShellWordReader(std::string_view text, std::uint32_t line, std::size_t& budget)
      : text_(text), line_(line), budget_(budget) {}

  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  char here() const { return at(position_); }
  bool done() const { return position_ >= text_.size(); }
  std::string_view text() const { return text_; }
  std::size_t position() const { return position_; }
  std::uint32_t line() const { return line_; }
  void advance(std::size_t count) { position_ += count; }
  void moveTo(std::size_t position) { position_ = position; }
  void nextLine() { ++line_; }

  /// Length of a continuation mark and its line break at `i`, or 0.
  std::size_t continuationLength(std::size_t i) const;
  /// Reads the word at the cursor, up to a blank, line break or operator.
  std::string word();
  /// A command text whose `(` is at `open`; moves behind it and returns what was consumed.
  std::string_view substitution(std::size_t open);
  /// Nested texts found since the last call; `chain` and `depth` are not set.
  std::vector<NestedShellText> takeNested();

 private:
  std::size_t closingBracket(std::size_t open, char opening, char closing);
  void countLines(std::size_t begin, std::size_t end);
  void moveBehind(std::size_t end, std::string& word);
  bool wordPart(std::string& word);
  void dollar(std::string& word);
  void braces(std::size_t open, std::string& word);
  void backtick(std::string& word);
  void singleQuoted(std::string& word);
  void doubleQuoted(std::string& word);
  bool hasClosingDoubleQuote();

  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_;
  std::size_t& budget_;
  std::vector<NestedShellText> nested_;
  bool singleQuotesEnded_ = false;
  bool doubleQuotesEnded_ = false;
};

}  // namespace unwarp::scan
