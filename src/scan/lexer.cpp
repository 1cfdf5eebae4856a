// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over the bytes, a class table for characters, `memchr` inside comments. The identifiers' look-up is the only
// work per token, and NameIndex turns nearly all of them away with one bit test. Trees of hundreds of megabytes go
// through here, so nothing allocates per token.
//
// Recovery: a string or character literal ends at the end of its line, a comment or raw string at the end of the file.
// `>>>` is one token only while a `<<<` is open, so that nested template arguments stay two or three tokens.
#include "scan/lexer.h"

#include <array>
#include <cstring>

#include "base/text.h"

namespace unwarp::scan {

namespace {

enum Class : std::uint8_t { Other, Blank, Newline, Letter, Digit, Quote, Apostrophe, Slash, Backslash, Hash };

constexpr std::array<std::uint8_t, 256> makeClasses() {
  std::array<std::uint8_t, 256> table{};
  for (int c = 0; c < 256; ++c) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
    table[static_cast<std::size_t>(c)] = letter ? Letter : c >= '0' && c <= '9' ? Digit : Other;
  }
  table[0] = table[' '] = table['\t'] = table['\r'] = table['\v'] = table['\f'] = Blank;
  table['\n'] = Newline;
  table['"'] = Quote;
  table['\''] = Apostrophe;
  table['/'] = Slash;
  table['\\'] = Backslash;
  table['#'] = Hash;
  return table;
}
constexpr std::array<std::uint8_t, 256> classes = makeClasses();

std::uint8_t classOf(char c) {
  return classes[static_cast<unsigned char>(c)];
}
bool isNamePart(char c) {
  return classOf(c) == Letter || classOf(c) == Digit;
}

/// Bytes of the line splice that `text` starts with: a backslash and a line break.
std::size_t spliceLength(std::string_view text) {
  if (text.starts_with("\\\n")) return 2;
  return text.starts_with("\\\r\n") ? 3 : 0;
}

class Lexer {
 public:
  Lexer(std::string_view text, const knowledge::Knowledge& knowledge, LexedFile& out)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()), knowledge_(knowledge), out_(out) {}

  void run() {
    at_ = withoutByteOrderMark({at_, static_cast<std::size_t>(end_ - at_)}).data();
    while (at_ < end_) {
      switch (classOf(*at_)) {
        case Blank:
          do ++at_;
          while (at_ < end_ && classOf(*at_) == Blank);
          break;
        case Newline:
          newline();
          break;
        case Letter:
          identifier();
          break;
        case Digit:
          number();
          break;
        case Quote:
          wantsHeader_ == HeaderState::Path ? header() : string(at_);
          break;
        case Apostrophe:
          character(at_);
          break;
        case Slash:
          slash();
          break;
        case Backslash:
          backslash();
          break;
        case Hash:
          hash();
          break;
        default:
          punctuation();
          break;
      }
    }
    endDirective();
  }

 private:
  std::uint32_t offset(const char* p) const { return static_cast<std::uint32_t>(p - begin_); }
  char peek(std::ptrdiff_t n) const { return end_ - at_ > n ? at_[n] : '\0'; }

  Token& add(const char* from, TokenKind kind) {
    out_.tokens.push_back(
        {offset(from), static_cast<std::uint32_t>(at_ - from), line_, knowledge::Knowledge::none, kind, inDirective_});
    lineStart_ = false;
    return out_.tokens.back();
  }

  void newline() {
    ++at_;
    ++line_;
    lineStart_ = true;
    if (inDirective_) endDirective();
  }

  void endDirective() {
    if (!inDirective_) return;
    wantsHeader_ = HeaderState::No;
    inDirective_ = false;
    Directive& directive = out_.directives.back();
    directive.last = static_cast<std::uint32_t>(out_.tokens.size());
    if (directive.last > directive.first + 1) {
      const Token& name = out_.tokens[directive.first + 1];
      directive.name = {begin_ + name.offset, name.length};
    }
  }

  void backslash() {
    // A splice joins lines: the directive goes on. Any other backslash is a stray character.
    const char* from = at_++;
    if (at_ < end_ && *at_ == '\r') ++at_;
    if (at_ < end_ && *at_ == '\n') {
      ++at_;
      ++line_;
    } else {
      add(from, TokenKind::Punctuation).length = 1;
    }
  }

  void identifier() {
    const char* from = at_;
    do ++at_;
    while (at_ < end_ && (classOf(*at_) == Letter || classOf(*at_) == Digit));
    std::size_t length = static_cast<std::size_t>(at_ - from);
    if (at_ < end_ && *at_ == '\\') {
      std::size_t splice = spliceLength({at_, static_cast<std::size_t>(end_ - at_)});
      out_.splitsNames |= splice > 0 && isNamePart(peek(static_cast<std::ptrdiff_t>(splice)));
    }
    if (at_ < end_ && length <= 3 && (*at_ == '"' || *at_ == '\'')) {
      std::string_view prefix(from, length);
      if (*at_ == '"' && prefix.back() == 'R' &&
          (length == 1 || prefix == "LR" || prefix == "uR" || prefix == "UR" || prefix == "u8R")) {
        return rawString(from);
      }
      if (prefix == "L" || prefix == "u" || prefix == "U" || prefix == "u8")
        return *at_ == '"' ? string(from) : character(from);
    }
    Token& token = add(from, TokenKind::Identifier);
    token.api = knowledge_.findApi({from, length});
    if (wantsHeader_ == HeaderState::No) return;
    std::string_view word(from, length);
    bool include = word == "include" || word == "include_next" || word == "import";
    wantsHeader_ = wantsHeader_ == HeaderState::Name && include ? HeaderState::Path : HeaderState::No;
  }

  void number() {
    const char* from = at_++;
    while (at_ < end_) {
      std::uint8_t c = classOf(*at_);
      bool exponentSign = (*at_ == '+' || *at_ == '-') &&
                          (at_[-1] == 'e' || at_[-1] == 'E' || at_[-1] == 'p' || at_[-1] == 'P') &&
                          !(from[0] == '0' && at_ - from > 1 && (from[1] == 'x' || from[1] == 'X') &&
                            (at_[-1] == 'e' || at_[-1] == 'E'));
      bool separator = *at_ == '\'' && at_ + 1 < end_ && (classOf(at_[1]) == Letter || classOf(at_[1]) == Digit);
      if (c != Letter && c != Digit && *at_ != '.' && !exponentSign && !separator) break;
      ++at_;
    }
    add(from, TokenKind::Number);
  }

  /// From the opening quote at `at_`; `from` is where the prefix starts.
  void quoted(const char* from, char quote, TokenKind kind) {
    std::uint32_t startLine = line_;
    ++at_;
    while (at_ < end_ && *at_ != quote) {
      if (*at_ == '\\' && at_ + 1 < end_) {
        ++at_;
        if (*at_ == '\r' && at_ + 1 < end_ && at_[1] == '\n') ++at_;
        if (*at_ == '\n') ++line_;
      } else if (*at_ == '\n') {
        break;  // unterminated: the line ends it
      }
      ++at_;
    }
    if (at_ < end_ && *at_ == quote) ++at_;
    if (kind == TokenKind::String) out_.strings.push_back(static_cast<std::uint32_t>(out_.tokens.size()));
    add(from, kind).line = startLine;
  }
  void string(const char* from) { quoted(from, '"', TokenKind::String); }
  void character(const char* from) { quoted(from, '\'', TokenKind::Character); }

  void rawString(const char* from) {
    const char* open = at_ + 1;
    const char* paren = open;
    while (paren < end_ && paren - open <= 16 && *paren != '(' && *paren != '\n' && *paren != '"') ++paren;
    if (paren >= end_ || *paren != '(') return string(from);
    std::array<char, 20> closing;
    std::size_t length = static_cast<std::size_t>(paren - open);
    closing[0] = ')';
    std::memcpy(closing.data() + 1, open, length);
    closing[length + 1] = '"';
    std::string_view rest(paren, static_cast<std::size_t>(end_ - paren));
    std::string_view end(closing.data(), length + 2);
    std::size_t found = rest.find(end);
    std::uint32_t startLine = line_;
    const char* stop = found == std::string_view::npos ? end_ : paren + found + length + 2;
    if (found == std::string_view::npos) out_.openUntil = end;
    countLines(at_, stop);
    at_ = stop;
    out_.strings.push_back(static_cast<std::uint32_t>(out_.tokens.size()));
    add(from, TokenKind::String).line = startLine;
  }

  void countLines(const char* from, const char* to) {
    while ((from = static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(to - from)))) != nullptr) {
      ++line_;
      ++from;
    }
  }

  void slash() {
    if (peek(1) == '/') return lineComment();
    if (peek(1) == '*') return blockComment();
    punctuation();
  }

  void lineComment() {
    const char* from = at_;
    for (;;) {
      const void* hit = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
      at_ = hit == nullptr ? end_ : static_cast<const char*>(hit);
      const char* before = at_ - 1;
      if (before > from && *before == '\r') --before;
      if (at_ == end_) out_.openUntil = "\n";
      if (at_ == end_ || *before != '\\') break;
      ++at_;  // a splice continues the comment
      ++line_;
    }
    mark(from);
  }

  void blockComment() {
    const char* from = at_;
    std::string_view rest(at_ + 2, static_cast<std::size_t>(end_ - at_ - 2));
    std::size_t found = rest.find("*/");
    const char* stop = found == std::string_view::npos ? end_ : at_ + 2 + found + 2;
    if (found == std::string_view::npos) out_.openUntil = "*/";
    countLines(at_, stop);
    at_ = stop;
    mark(from);
  }

  /// Remembers a comment that holds "unwarp:". Colons are rare in comments, the letter u is not.
  void mark(const char* from) {
    constexpr std::string_view tag = "unwarp:";
    const char* colon = from;
    while ((colon = static_cast<const char*>(std::memchr(colon, ':', static_cast<std::size_t>(at_ - colon)))) !=
           nullptr) {
      ++colon;
      if (colon - from < static_cast<std::ptrdiff_t>(tag.size())) continue;
      if (std::string_view(colon - tag.size(), tag.size()) != tag) continue;
      out_.markedComments.emplace_back(offset(from), static_cast<std::uint32_t>(at_ - from));
      return;
    }
  }

  void hash() {
    if (!lineStart_ || inDirective_) return punctuation();
    inDirective_ = true;
    out_.directives.push_back({{}, static_cast<std::uint32_t>(out_.tokens.size()), 0, line_});
    const char* from = at_++;
    add(from, TokenKind::Punctuation);
    wantsHeader_ = HeaderState::Name;
  }

  /// The path of an #include: `<...>` or `"..."` becomes one HeaderName token with the path only.
  void header() {
    wantsHeader_ = HeaderState::No;
    char close = *at_ == '<' ? '>' : '"';
    const char* from = at_ + 1;
    const char* stop = from;
    while (stop < end_ && *stop != close && *stop != '\n') ++stop;
    at_ = stop;
    Token& token = add(from, TokenKind::HeaderName);
    token.api = knowledge_.findHeader({from, static_cast<std::size_t>(stop - from)});
    if (at_ < end_ && *at_ == close) ++at_;
  }

  void punctuation() {
    if (wantsHeader_ == HeaderState::Path && *at_ == '<') return header();
    wantsHeader_ = HeaderState::No;
    const char* from = at_;
    at_ += punctuationLength();
    add(from, TokenKind::Punctuation);
  }

  std::size_t punctuationLength() {
    char a = peek(0), b = peek(1), c = peek(2);
    if (a == '.' && b >= '0' && b <= '9') {  // .5f
      std::size_t n = 2;
      while (end_ - at_ > static_cast<std::ptrdiff_t>(n) && (classOf(at_[n]) == Letter || classOf(at_[n]) == Digit))
        ++n;
      return n;
    }
    if (a == '<' && b == '<' && c == '<') {
      // A longer run is the mark of a merge conflict, not a launch.
      std::size_t run = 3;
      while (static_cast<std::ptrdiff_t>(run) < end_ - at_ && at_[run] == '<') ++run;
      if (run > 3) return run;
      ++openLaunches_;
      return 3;
    }
    if (a == '>' && b == '>' && c == '>' && openLaunches_ > 0) {
      --openLaunches_;
      return 3;
    }
    if (a == ';') openLaunches_ = 0;  // a launch never spans statements: recover from a stray <<<
    if ((a == '<' && b == '<' && c == '=') || (a == '>' && b == '>' && c == '=') || (a == '.' && b == '.' && c == '.'))
      return 3;
    if (b == '=' && std::strchr("=!<>+-*/%&|^", a) != nullptr && a != '\0') return 2;
    if (a == b && a != '\0' && std::strchr("&|<>+-:#", a) != nullptr) return 2;
    if (a == '-' && b == '>') return 2;
    return 1;
  }

  enum class HeaderState : std::uint8_t { No, Name, Path };

  const char* begin_;
  const char* at_;
  const char* end_;
  const knowledge::Knowledge& knowledge_;
  LexedFile& out_;
  std::uint32_t line_ = 1;
  int openLaunches_ = 0;
  bool lineStart_ = true;
  bool inDirective_ = false;
  HeaderState wantsHeader_ = HeaderState::No;
};

}  // namespace

void lex(std::string_view text, const knowledge::Knowledge& knowledge, LexedFile& out) {
  out.clear();
  Lexer(text, knowledge, out).run();
}

std::string withWholeNames(std::string_view text) {
  std::string whole, splices;
  whole.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t splice = spliceLength(text.substr(at));
    const bool joins = splice > 0 && !whole.empty() && isNamePart(whole.back()) && at + splice < text.size() &&
                       (isNamePart(text[at + splice]) || text[at + splice] == '\\');
    if (joins) {
      splices += text.substr(at, splice);
      at += splice;
      continue;
    }
    if (!splices.empty() && !isNamePart(text[at])) {
      whole += splices;
      splices.clear();
    }
    whole += text[at++];
  }
  return whole += splices;
}

}  // namespace unwarp::scan
