// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tokenizer works on bytes: every non-ASCII byte counts as a letter, which is right for names and harmless
// elsewhere. f-strings are followed through their replacement fields (nested quotes of the same kind are legal since
// Python 3.12); should that run off the end of the file once, the rest of the file is read with plain string rules, so
// the time stays linear.
#include "scan/python/python_tokens.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/python/python_guards.h"

namespace unwarp::scan::python {
namespace {

constexpr std::size_t fieldDepthLimit = 16;
constexpr int embeddingLimit = 4;
/// f-strings that may fail to close before the rest of the file is read with plain string rules: keeps hostile files
/// linear.
constexpr int failureLimit = 64;

bool isLetter(char c) {
  return isIdentifierStart(c) || static_cast<unsigned char>(c) >= 0x80;
}
bool isLetterOrDigit(char c) {
  return isIdentifierPart(c) || static_cast<unsigned char>(c) >= 0x80;
}

/// A replacement field of an f-string: where it begins, where it ends.
struct Field {
  std::uint32_t offset, end, line;
  std::uint32_t parent;  ///< index of the logical line it stands in
  int depth;
};

/// Length of a string prefix with the quote right behind it, or npos.
std::size_t prefixLength(std::string_view text, std::size_t at) {
  std::size_t i = at;
  while (i < text.size() && i - at < 3 && std::string_view("rRbBuUfFtT").find(text[i]) != std::string_view::npos) ++i;
  const bool quote = i < text.size() && (text[i] == '"' || text[i] == '\'');
  return quote ? i - at : std::string_view::npos;
}

/// What ended the logical line before.
enum class LineEnd : std::uint8_t { Break, Semicolon, Colon };

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) { file_.text = text; }

  PyFile run() {
    end_ = file_.text.size();
    lines();
    for (std::size_t i = 0; i < fields_.size(); ++i) embed(fields_[i]);
    return std::move(file_);
  }

 private:
  void lines() {
    while (at_ < end_) {
      const std::uint32_t blanks = indentation();
      if (ended_ == LineEnd::Break) indent_ = blanks;
      if (ended_ == LineEnd::Colon) ++indent_;  // what follows on the line is the block
      ended_ = LineEnd::Break;
      const auto first = static_cast<std::uint32_t>(file_.tokens.size());
      brackets_ = lambdas_ = 0;
      tokensUntilLineEnd();
      addLine(first, indent_, static_cast<std::uint32_t>(file_.lines.size()));
    }
  }

  /// Tokenizes one replacement field as a line of its own.
  void embed(Field field) {
    at_ = field.offset;
    end_ = field.end;
    line_ = field.line;
    lineStart_ = at_;
    for (std::size_t i = at_; i > 0 && file_.text[i - 1] != '\n' && at_ - i < 4096; --i) lineStart_ = i - 1;
    depth_ = field.depth;
    const auto first = static_cast<std::uint32_t>(file_.tokens.size());
    brackets_ = 1;  // line breaks inside a field join
    tokensUntilLineEnd();
    brackets_ = 0;
    addLine(first, 0, field.parent);
  }

  void addLine(std::uint32_t first, std::uint32_t indent, std::uint32_t parent) {
    const auto last = static_cast<std::uint32_t>(file_.tokens.size());
    if (last > first) file_.lines.push_back({first, last, indent, false, parent});
  }

  std::uint32_t indentation() {
    std::uint32_t width = 0;
    while (at_ < end_) {
      const char c = file_.text[at_];
      if (c == ' ') {
        ++width;
      } else if (c == '\t') {
        width = (width / 8 + 1) * 8;
      } else if (c != '\f' && c != '\r') {
        break;
      }
      ++at_;
    }
    return width;
  }

  void tokensUntilLineEnd() {
    while (at_ < end_) {
      const char c = file_.text[at_];
      if (c == '\n') {
        newLine();
        if (brackets_ == 0) return;
      } else if (c == '\\' && lineBreakFollows()) {
        at_ = std::min(file_.text.find('\n', at_), end_);
        if (at_ < end_) newLine();
      } else if (c == '#') {
        at_ = std::min(file_.text.find('\n', at_), end_);
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
        ++at_;
      } else if (c == ';' && brackets_ == 0) {
        ++at_;
        ended_ = LineEnd::Semicolon;
        return;
      } else {
        token(c);
        if (c == ':' && endsHead()) {
          ended_ = LineEnd::Colon;
          return;
        }
      }
    }
  }

  /// The colon just read ends the head of a compound statement: `try:`, `if x:`, `for a in b:`.
  bool endsHead() {
    if (brackets_ > 0 || depth_ > 0 || file_.tokens.back().length != 1) return false;
    if (lambdas_ > 0) return --lambdas_, false;
    const std::uint32_t first = file_.lines.empty() ? 0 : file_.lines.back().last;
    if (file_.is(first, "case")) return file_.tokens.size() - first > 2;  // `case: int` declares a variable
    constexpr std::array<std::string_view, 12> heads{"if",    "elif", "else", "try",   "except", "finally",
                                                     "while", "for",  "with", "async", "def",    "class"};
    return std::find(heads.begin(), heads.end(), file_.at(first)) != heads.end();
  }

  bool lineBreakFollows() const {
    const std::string_view rest = file_.text.substr(at_ + 1, 2);
    return rest.starts_with("\n") || rest.starts_with("\r\n");
  }

  void newLine() {
    ++at_;
    ++line_;
    lineStart_ = at_;
  }

  void token(char c) {
    PyToken token{static_cast<std::uint32_t>(at_), 0, line_, static_cast<std::uint32_t>(at_ - lineStart_ + 1),
                  PyTokenKind::Operator};
    const std::size_t prefix = prefixLength(file_.text.substr(0, end_), at_);
    if (prefix != std::string_view::npos) {
      token.kind = PyTokenKind::String;
      string(prefix);
    } else if (isLetter(c)) {
      token.kind = PyTokenKind::Name;
      while (at_ < end_ && isLetterOrDigit(file_.text[at_])) ++at_;
      if (brackets_ == 0 && file_.text.substr(token.offset, at_ - token.offset) == "lambda") ++lambdas_;
    } else if (c >= '0' && c <= '9') {
      token.kind = PyTokenKind::Number;
      while (at_ < end_ && (isLetterOrDigit(file_.text[at_]) || file_.text[at_] == '.')) ++at_;
    } else {
      operatorToken(c);
    }
    token.length = static_cast<std::uint32_t>(at_) - token.offset;
    file_.tokens.push_back(token);
  }

  void operatorToken(char c) {
    if (c == '(' || c == '[' || c == '{') ++brackets_;
    if ((c == ')' || c == ']' || c == '}') && brackets_ > 0 && !(depth_ > 0 && brackets_ == 1)) --brackets_;
    ++at_;
    const char next = at_ < end_ ? file_.text[at_] : '\0';
    const bool pair = (next == '=' && std::string_view("=!<>+-*/%|&^@:").find(c) != std::string_view::npos) ||
                      (c == '-' && next == '>') || (next == c && (c == '*' || c == '/' || c == '<' || c == '>'));
    if (pair) ++at_;
  }

  /// Moves behind a string literal that starts with `prefix` letters.
  void string(std::size_t prefix) {
    bool formatted = false;
    for (std::size_t i = 0; i < prefix; ++i)
      formatted |= std::string_view("fFtT").find(file_.text[at_ + i]) != std::string_view::npos;
    const std::size_t quoteAt = at_ + prefix;
    const char quote = file_.text[quoteAt];
    const bool triple = file_.text.substr(quoteAt, 3) == std::string(3, quote) && quoteAt + 3 <= end_;
    const std::size_t begin = quoteAt + (triple ? 3 : 1);
    const std::uint32_t lineBefore = line_;
    const std::size_t lineStartBefore = lineStart_;
    const std::size_t fieldsBefore = fields_.size();
    if (formatted && failures_ < failureLimit) {
      at_ = begin;
      if (stringBody(quote, triple, true)) return;
      ++failures_;
      line_ = lineBefore;
      lineStart_ = lineStartBefore;
      fields_.resize(fieldsBefore);
    }
    at_ = begin;
    stringBody(quote, triple, false);
  }

  /// From the first byte of the body to behind the closing quote; false when fields stay open.
  bool stringBody(char quote, bool triple, bool fields) {
    while (at_ < end_) {
      const char c = file_.text[at_];
      if (c == '\\') {
        ++at_;
        if (at_ < end_ && file_.text[at_] == '\n')
          newLine();
        else if (at_ < end_)
          ++at_;
      } else if (c == '\n') {
        if (!triple) return true;  // unterminated: the line break ends it
        newLine();
      } else if (c == quote && (!triple || file_.text.substr(at_, 3) == std::string(3, quote))) {
        at_ += triple ? 3 : 1;
        return true;
      } else if (fields && c == '{') {
        if (file_.text.substr(at_, 2) == "{{") {
          at_ += 2;
        } else if (!field(triple)) {
          return false;
        }
      } else {
        ++at_;
      }
    }
    return !fields;
  }

  /// One replacement field from its `{` to behind its `}`. Strings inside are skipped as a whole.
  bool field(bool triple) {
    const std::size_t begin = ++at_;
    const std::uint32_t line = line_;
    std::size_t depth = 1;
    while (at_ < end_) {
      const char c = file_.text[at_];
      if (c == '\n') {
        if (!triple) return false;
        newLine();
        continue;
      }
      if (c == '"' || c == '\'') {
        if (!skipInnerString(c)) return false;
        continue;
      }
      ++at_;
      if (c == '{' || c == '(' || c == '[') {
        if (++depth > fieldDepthLimit) return false;
      } else if (c == '}' || c == ')' || c == ']') {
        if (--depth > 0) continue;
        if (c != '}') return false;
        if (depth_ < embeddingLimit)
          fields_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_ - 1), line,
                             static_cast<std::uint32_t>(file_.lines.size()), depth_ + 1});
        return true;
      }
    }
    return false;
  }

  bool skipInnerString(char quote) {
    for (++at_; at_ < end_ && file_.text[at_] != '\n'; ++at_) {
      if (file_.text[at_] == '\\')
        ++at_;
      else if (file_.text[at_] == quote)
        return ++at_, true;
    }
    return false;
  }

  PyFile file_;
  std::vector<Field> fields_;
  std::size_t at_ = 0, end_ = 0, lineStart_ = 0;
  std::uint32_t line_ = 1;
  std::size_t brackets_ = 0;
  int depth_ = 0;
  int failures_ = 0;
  std::uint32_t indent_ = 0;
  std::size_t lambdas_ = 0;  ///< outside brackets of this line, whose colon is still to come
  LineEnd ended_ = LineEnd::Break;
};

/// Pairs brackets within each logical line; what has no partner stays alone.
void matchBrackets(PyFile& file) {
  file.match.assign(file.tokens.size(), 0);
  std::vector<std::uint32_t> open;
  for (const PyLine& line : file.lines) {
    open.clear();
    for (std::uint32_t i = line.first; i < line.last; ++i) {
      if (file.tokens[i].kind != PyTokenKind::Operator) continue;
      const char c = file.text[file.tokens[i].offset];
      if (c == '(' || c == '[' || c == '{') open.push_back(i);
      if ((c != ')' && c != ']' && c != '}') || open.empty()) continue;
      file.match[open.back()] = i;
      open.pop_back();
    }
  }
}

}  // namespace

PyFile tokenizePython(std::string_view text) {
  if (text.size() > 0xfffffff0u) text = text.substr(0, 0xfffffff0u);
  PyFile file = Tokenizer(text).run();
  matchBrackets(file);
  markGuardedLines(file);
  return file;
}

PyString openString(std::string_view token) {
  PyString string;
  std::size_t i = 0;
  for (; i < token.size() && token[i] != '"' && token[i] != '\''; ++i) {
    string.raw |= token[i] == 'r' || token[i] == 'R';
    string.formatted |= token[i] == 'f' || token[i] == 'F' || token[i] == 't' || token[i] == 'T';
  }
  if (i >= token.size()) return string;
  const char quote = token[i];
  string.triple = token.size() >= i + 3 && token.substr(i, 3) == std::string(3, quote);
  const std::size_t width = string.triple ? 3 : 1;
  string.bodyOffset = static_cast<std::uint32_t>(i + width);
  std::string_view body = token.substr(i + width);
  if (body.size() >= width && body.substr(body.size() - width) == std::string(width, quote)) body.remove_suffix(width);
  string.body = body;
  return string;
}

std::string stringValue(std::string_view token) {
  const PyString string = openString(token);
  if (string.raw || string.body.find('\\') == std::string_view::npos) return std::string(string.body);
  std::string out;
  out.reserve(string.body.size());
  for (std::size_t i = 0; i < string.body.size(); ++i) {
    const char c = string.body[i];
    if (c != '\\' || i + 1 >= string.body.size()) {
      out += c;
      continue;
    }
    const char next = string.body[++i];
    constexpr std::string_view from = "ntr\\'\"", to = "\n\t\r\\'\"";
    if (const std::size_t k = from.find(next); k != std::string_view::npos)
      out += to[k];
    else if (next != '\n')
      (out += '\\') += next;
  }
  return out;
}

std::uint32_t closingBracket(const PyFile& file, std::uint32_t open, std::uint32_t last) {
  const std::uint32_t close = open < file.match.size() ? file.match[open] : 0;
  return close > open && close < last ? close : last;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> splitAtCommas(const PyFile& file, std::uint32_t first,
                                                                   std::uint32_t last) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces;
  std::uint32_t begin = first;
  for (std::uint32_t i = first; i < last; ++i) {
    if (file.match[i] > i) {
      i = std::min(file.match[i], last);
    } else if (file.is(i, ",")) {
      pieces.emplace_back(begin, i);
      begin = i + 1;
    }
  }
  if (begin < last) pieces.emplace_back(begin, last);
  return pieces;
}

std::string textOf(const PyFile& file, std::uint32_t first, std::uint32_t last, std::size_t limit) {
  std::string out;
  for (std::uint32_t i = first; i < last && out.size() < limit; ++i) {
    const PyToken& token = file.tokens[i];
    if (i > first && token.offset > file.tokens[i - 1].offset + file.tokens[i - 1].length) out += ' ';
    out += file.text.substr(token.offset, std::min<std::size_t>(token.length, limit));
  }
  if (out.size() > limit) out.resize(limit);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

}  // namespace unwarp::scan::python
