// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See block_text.h. `#` starts a comment everywhere but in Groovy, `//` in HCL and Groovy (in Nix it is an operator).
#include "scan/deploy/block_text.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp::scan {
namespace {

constexpr std::size_t npos = std::string_view::npos;

bool isWordPart(char c) {
  return isIdentifierPart(c) || c == '-' || c == '.' || c == '/';
}

class BlockPass {
 public:
  BlockPass(std::string_view text, BlockDialect dialect) : text_(text), dialect_(dialect) {}

  std::vector<BlockToken> run() {
    while (position_ < text_.size()) step();
    return std::move(tokens_);
  }

 private:
  bool hasSlashComments() const { return dialect_ == BlockDialect::Hcl || dialect_ == BlockDialect::Groovy; }
  bool hasTripleQuotes() const { return dialect_ == BlockDialect::Groovy || dialect_ == BlockDialect::Workflow; }
  bool startsWith(std::string_view prefix) const { return text_.substr(position_, prefix.size()) == prefix; }

  void step() {
    const char c = text_[position_];
    if (c == '\n') ++line_;
    const bool hashComment = c == '#' && dialect_ != BlockDialect::Groovy;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++position_;
    } else if (hashComment || (startsWith("//") && hasSlashComments())) {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (startsWith("/*")) {
      const std::size_t end = text_.find("*/", position_ + 2);
      moveTo(end == npos ? text_.size() : end + 2);
    } else if (hasTripleQuotes() && (startsWith("'''") || startsWith("\"\"\""))) {
      longQuoted(3);
    } else if (dialect_ == BlockDialect::Nix && startsWith("''")) {
      longQuoted(2);
    } else if (c == '"' || (c == '\'' && dialect_ != BlockDialect::Hcl && dialect_ != BlockDialect::Nix)) {
      quoted(c);
    } else if (dialect_ == BlockDialect::Hcl && startsWith("<<")) {
      hereDocument();
    } else if (isIdentifierStart(c) || (c >= '0' && c <= '9')) {
      word();
    } else {
      tokens_.push_back({BlockTokenKind::Punctuation, std::string(1, c), line_});
      ++position_;
    }
  }

  void moveTo(std::size_t end) {
    const std::string_view piece = text_.substr(position_, end - position_);
    line_ += static_cast<std::uint32_t>(std::count(piece.begin(), piece.end(), '\n'));
    position_ = end;
  }

  void word() {
    const std::size_t begin = position_;
    while (position_ < text_.size() && isWordPart(text_[position_]) && !startsWith("//") && !startsWith("/*"))
      ++position_;
    tokens_.push_back({BlockTokenKind::Word, std::string(text_.substr(begin, position_ - begin)), line_});
  }

  void quoted(char quote) {
    const std::uint32_t line = line_;
    std::string value;
    int braces = 0;  // `${...}` may hold quotes of its own
    for (++position_; position_ < text_.size() && text_[position_] != '\n'; ++position_) {
      const char c = text_[position_];
      if (c == '\\' && position_ + 1 < text_.size()) {
        const char next = text_[++position_];
        if (next == '\n') break;
        value += next == 'n' ? '\n' : next;
        continue;
      }
      if (c == '{' && !value.empty() && (value.back() == '$' || braces > 0)) ++braces;
      if (c == '}' && braces > 0) --braces;
      if (c == quote && braces == 0) {
        ++position_;
        break;
      }
      value += c;
    }
    tokens_.push_back({BlockTokenKind::String, std::move(value), line});
  }

  /// Text of several lines between marks of `length` quotes.
  void longQuoted(std::size_t length) {
    const std::string_view mark = text_.substr(position_, length);
    const std::size_t begin = position_ + length;
    std::size_t close = text_.find(mark, begin);
    // Nix writes `''$` for a dollar sign, `'''` for two quotes and `''\` for other escapes.
    while (length == 2 && close != npos && close + 2 < text_.size() &&
           std::string_view("$'\\").find(text_[close + 2]) != npos)
      close = text_.find(mark, close + 3);
    const std::size_t end = close == npos ? text_.size() : close;
    tokens_.push_back({BlockTokenKind::Text, std::string(text_.substr(begin, end - begin)), line_});
    moveTo(close == npos ? end : end + length);
  }

  void hereDocument() {
    std::size_t begin = position_ + 2;
    if (begin < text_.size() && (text_[begin] == '-' || text_[begin] == '~')) ++begin;
    std::size_t end = begin;
    while (end < text_.size() && isIdentifierPart(text_[end])) ++end;
    const std::string_view delimiter = text_.substr(begin, end - begin);
    const std::size_t lineEnd = text_.find('\n', end);
    if (delimiter.empty() || lineEnd == npos) {
      position_ = end;
      return;
    }
    moveTo(lineEnd + 1);
    const std::size_t bodyBegin = position_;
    const std::uint32_t firstLine = line_;
    std::size_t bodyEnd = position_;
    while (position_ < text_.size()) {
      const std::size_t next = std::min(text_.find('\n', position_), text_.size());
      const bool isEnd = trim(text_.substr(position_, next - position_)) == delimiter;
      bodyEnd = isEnd ? position_ : next;
      moveTo(std::min(next + 1, text_.size()));
      if (isEnd) break;
    }
    tokens_.push_back({BlockTokenKind::Text, std::string(text_.substr(bodyBegin, bodyEnd - bodyBegin)), firstLine});
  }

  std::string_view text_;
  BlockDialect dialect_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::vector<BlockToken> tokens_;
};

}  // namespace

std::vector<BlockToken> readBlockTokens(std::string_view text, BlockDialect dialect) {
  return BlockPass(text, dialect).run();
}

}  // namespace unwarp::scan
