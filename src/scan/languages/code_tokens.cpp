// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/languages/code_tokens.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp::scan::languages {
namespace {

constexpr std::size_t npos = std::string_view::npos;

class CodePass {
 public:
  CodePass(std::string_view text, CodeDialect dialect) : text_(text), dialect_(dialect) {}

  std::vector<CodeToken> run() {
    while (position_ < text_.size()) step();
    return std::move(tokens_);
  }

 private:
  std::string_view rest() const { return text_.substr(position_); }
  char at(std::size_t offset) const { return position_ + offset < text_.size() ? text_[position_ + offset] : '\0'; }

  void step() {
    const char c = text_[position_];
    if (c == '\n') ++line_, lineBegin_ = position_ + 1;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++position_;
    } else if (rest().starts_with("//")) {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (rest().starts_with("/*")) {
      blockComment();
    } else if (c == '\'') {
      character();
    } else if (!string()) {
      wordOrMark();
    }
  }

  std::uint32_t column(std::size_t place) const { return static_cast<std::uint32_t>(place - lineBegin_ + 1); }

  void moveTo(std::size_t end) {
    const std::string_view piece = text_.substr(position_, end - position_);
    line_ += static_cast<std::uint32_t>(std::count(piece.begin(), piece.end(), '\n'));
    if (const std::size_t last = piece.rfind('\n'); last != npos) lineBegin_ = position_ + last + 1;
    position_ = end;
  }

  void blockComment() {
    const bool nests = dialect_ == CodeDialect::Rust;
    std::size_t at = position_ + 2, depth = 1;
    while (depth > 0) {
      const std::size_t close = text_.find("*/", at);
      if (close == npos) return moveTo(text_.size());
      const std::size_t open = nests ? text_.substr(at, close - at).find("/*") : npos;
      depth += open == npos ? -1 : 1;
      at = open == npos ? close + 2 : at + open + 2;
    }
    moveTo(at);
  }

  /// `'a'`, `'\n'`, `'\u{1F600}'`; a lifetime of Rust (`'a`) is one mark and a word.
  void character() {
    constexpr std::size_t longest = 12;
    std::size_t close = npos;
    if (at(1) == '\\') {
      close = rest().substr(0, longest).find('\'', 3);
    } else {
      std::size_t end = 2;
      while ((static_cast<unsigned char>(at(end)) & 0xc0) == 0x80) ++end;
      if (at(end) == '\'') close = end;
    }
    position_ += close == npos ? 1 : close + 1;
  }

  /// Reads a string when one starts here.
  bool string() {
    std::size_t prefix = 0;  // `b`, `r` and `br` of Rust, `@` and `$` of C#
    const std::string_view letters = dialect_ == CodeDialect::Rust     ? "brc"
                                     : dialect_ == CodeDialect::CSharp ? "@$"
                                                                       : "";
    const bool begins = tokens_.empty() || !(position_ > 0 && isIdentifierPart(text_[position_ - 1]));
    while (begins && prefix < 2 && letters.find(at(prefix)) != npos && at(prefix) != '\0') ++prefix;
    const std::string_view marks = text_.substr(position_, prefix);
    if (dialect_ == CodeDialect::Rust && marks.ends_with('r')) {
      std::size_t hashes = 0;
      while (at(prefix + hashes) == '#') ++hashes;
      if (at(prefix + hashes) == '"') return ended(prefix + hashes + 1, "\"" + std::string(hashes, '#')), true;
    }
    const char quote = at(prefix);
    if (dialect_ == CodeDialect::Go && quote == '`') return ended(1, "`"), true;
    if (quote != '"') return false;
    const bool triple = (dialect_ == CodeDialect::Java || dialect_ == CodeDialect::CSharp) &&
                        text_.substr(position_ + prefix).starts_with("\"\"\"");
    if (triple) return ended(prefix + 3, "\"\"\""), true;
    if (marks.find('@') != npos) return verbatim(prefix + 1), true;
    escaped(prefix + 1);
    return true;
  }

  void add(std::size_t begin, std::size_t end) {
    tokens_.push_back({CodeTokenKind::String, text_.substr(begin, end - begin), line_, column(position_)});
  }

  /// A string without escapes, up to `mark`.
  void ended(std::size_t open, const std::string& mark) {
    const std::size_t begin = position_ + open, close = text_.find(mark, begin);
    add(begin, std::min(close, text_.size()));
    moveTo(close == npos ? text_.size() : close + mark.size());
  }

  /// C#'s `@"a ""quote"" b"`.
  void verbatim(std::size_t open) {
    const std::size_t begin = position_ + open;
    std::size_t close = text_.find('"', begin);
    while (close != npos && close + 1 < text_.size() && text_[close + 1] == '"') close = text_.find('"', close + 2);
    add(begin, std::min(close, text_.size()));
    moveTo(close == npos ? text_.size() : close + 1);
  }

  /// A string with backslashes. Those of Rust go on over line breaks, the others end with their line.
  void escaped(std::size_t open) {
    const std::size_t begin = position_ + open;
    std::size_t end = begin;
    while (end < text_.size() && text_[end] != '"' && (text_[end] != '\n' || dialect_ == CodeDialect::Rust))
      end += text_[end] == '\\' ? 2 : 1;
    end = std::min(end, text_.size());
    add(begin, end);
    moveTo(end < text_.size() && text_[end] == '"' ? end + 1 : end);
  }

  void wordOrMark() {
    const std::size_t begin = position_;
    while (position_ < text_.size() && isIdentifierPart(text_[position_])) ++position_;
    const bool word = position_ > begin;
    if (!word) position_ += rest().starts_with("::") ? 2 : 1;
    tokens_.push_back({word ? CodeTokenKind::Word : CodeTokenKind::Punctuation, text_.substr(begin, position_ - begin),
                       line_, column(begin)});
  }

  std::string_view text_;
  CodeDialect dialect_;
  std::size_t position_ = 0, lineBegin_ = 0;
  std::uint32_t line_ = 1;
  std::vector<CodeToken> tokens_;
};

}  // namespace

std::vector<CodeToken> readCodeTokens(std::string_view text, CodeDialect dialect) {
  return CodePass(text, dialect).run();
}

}  // namespace unwarp::scan::languages
