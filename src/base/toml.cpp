// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/toml.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "base/text.h"

namespace unwarp {
namespace {

constexpr int depthLimit = 64;
constexpr std::size_t longestPath = 64;

bool isBareKey(char c) {
  return isIdentifierPart(c) || c == '-';
}

class TomlWalker {
 public:
  TomlWalker(std::string_view text, const std::function<void(const TomlValue&)>& visit) : text_(text), visit_(visit) {}

  std::optional<TomlFault> run() {
    at_ = text_.size() - withoutByteOrderMark(text_).size();
    while (skipBlankLines(), at_ < text_.size()) {
      path_.resize(tableDepth_);
      const bool good = peek() == '[' ? header() : keyValue(0);
      if (good && (endOfLine() || fail("text behind a value: write one `key = value` a line"))) continue;
      skipLine();
    }
    return std::move(fault_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  /// The first fault counts. False, so that a step can say what it lacks and fail in one statement.
  bool fail(std::string_view what) { return failAt(line_, what); }
  bool failAt(std::uint32_t line, std::string_view what) {
    if (!fault_) fault_ = TomlFault{line, std::string(what)};
    return false;
  }

  void skipBlanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }

  void skipComment() {
    if (peek() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
  }

  /// Blanks, comments and line breaks: between statements and inside arrays.
  void skipBlankLines() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == '#')
        skipComment();
      else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
        ++at_;
      else
        return;
    }
  }

  bool endOfLine() {
    skipBlanks();
    skipComment();
    return at_ >= text_.size() || peek() == '\n' || (peek() == '\r' && peek(1) == '\n');
  }

  void skipLine() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  /// `[a.b]` and `[[a.b]]`.
  bool header() {
    const bool array = peek(1) == '[';
    at_ += array ? 2 : 1;
    path_.clear();
    tableDepth_ = 0;
    std::vector<std::string> keys;
    if (!dottedKey(keys)) return false;
    if (peek() != ']' || (array && peek(1) != ']')) return fail("the name of a table is not closed: write `[name]`");
    at_ += array ? 2 : 1;
    std::string joined;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      (joined += keys[i]) += '\n';
      path_.push_back(std::move(keys[i]));
      const bool last = i + 1 == keys.size();
      const auto known = elements_.find(joined);
      if (last && array)
        path_.push_back(std::to_string(elements_[joined]++));
      else if (known != elements_.end())
        path_.push_back(std::to_string(known->second - 1));
    }
    tableDepth_ = path_.size();
    visit_({path_, {}, TomlKind::Table, line_});
    return true;
  }

  bool dottedKey(std::vector<std::string>& keys) {
    while (true) {
      skipBlanks();
      std::string key;
      if (peek() == '"' || peek() == '\'') {
        if (!string(key)) return false;
      } else {
        const std::size_t begin = at_;
        while (at_ < text_.size() && isBareKey(text_[at_])) ++at_;
        if (at_ == begin) return fail("a key is expected: write `key = value`");
        key = std::string(text_.substr(begin, at_ - begin));
      }
      keys.push_back(std::move(key));
      skipBlanks();
      if (keys.size() > longestPath) return fail("a key of too many parts");
      if (peek() != '.') return true;
      ++at_;
    }
  }

  bool keyValue(int depth) {
    std::vector<std::string> keys;
    if (!dottedKey(keys)) return false;
    if (peek() != '=') return fail("'=' is expected behind a key: write `key = value`");
    ++at_;
    const std::size_t before = path_.size();
    for (std::string& key : keys) path_.push_back(std::move(key));
    const bool good = value(depth);
    path_.resize(before);
    return good;
  }

  bool value(int depth) {
    skipBlanks();
    const char c = peek();
    const std::uint32_t line = line_;
    if (c == '[' || c == '{') {
      if (depth >= depthLimit) return fail("brackets nest too deeply");
      visit_({path_, {}, c == '[' ? TomlKind::List : TomlKind::Table, line});
      return c == '[' ? array(depth + 1) : inlineTable(depth + 1);
    }
    std::string text;
    const bool quoted = c == '"' || c == '\'';
    if (quoted ? !string(text) : !bareValue(text)) return false;
    visit_({path_, std::move(text), quoted ? TomlKind::String : TomlKind::Plain, line});
    return true;
  }

  bool array(int depth) {
    const std::uint32_t line = line_;
    ++at_;
    path_.emplace_back();
    for (std::size_t index = 0;; ++index) {
      skipBlankLines();
      if (at_ >= text_.size()) return failAt(line, "a list is not closed: write `[a, b]`");
      if (peek() == ']') break;
      path_.back() = std::to_string(index);
      if (!value(depth)) return false;
      skipBlankLines();
      if (peek() == ',')
        ++at_;
      else if (peek() != ']')
        return at_ >= text_.size() ? failAt(line, "a list is not closed: write `[a, b]`")
                                   : fail("',' or ']' is expected behind an element of a list");
    }
    ++at_;
    path_.pop_back();
    return true;
  }

  bool inlineTable(int depth) {
    ++at_;
    while (true) {
      skipBlankLines();
      if (peek() == '}') return ++at_, true;
      if (!keyValue(depth)) return false;
      skipBlankLines();
      if (peek() == ',')
        ++at_;
      else if (peek() != '}')
        return fail("',' or '}' is expected in a table in braces");
    }
  }

  /// Numbers, booleans, dates: up to what ends a value.
  bool bareValue(std::string& out) {
    const std::size_t end = std::min(text_.find_first_of(",]}#\r\n", at_), text_.size());
    out = std::string(trim(text_.substr(at_, end - at_)));
    at_ = end;
    const bool good = !out.empty() && out.find_first_of("\"'{[=") == std::string::npos;
    return good || fail("a value is expected: text in quotes, a number, true, false or `[a, b]`");
  }

  bool string(std::string& out) {
    const char quote = peek();
    const std::uint32_t line = line_;
    const bool multiline = peek(1) == quote && peek(2) == quote;
    at_ += multiline ? 3 : 1;
    if (multiline && peek() == '\r') ++at_;
    if (multiline && peek() == '\n') newLine();
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == quote && (!multiline || (peek(1) == quote && peek(2) == quote))) {
        at_ += multiline ? 3 : 1;
        // Up to two quotes may stand right before the closing ones.
        for (int i = 0; multiline && i < 2 && peek() == quote; ++i, ++at_) out += quote;
        return true;
      }
      if (c == '\n' && !multiline) return fail("a string does not end on its line: close its quote");
      if (c == '\\' && quote == '"') {
        ++at_;
        escape(out, multiline);
      } else {
        out += c;
        if (c == '\n')
          newLine();
        else
          ++at_;
      }
    }
    return failAt(line, "a string does not end: close its quote");
  }

  void newLine() {
    ++at_;
    ++line_;
  }

  void escape(std::string& out, bool multiline) {
    const char c = peek();
    constexpr std::string_view from = "btnfr\\\"", to = "\b\t\n\f\r\\\"";
    if (const std::size_t i = from.find(c); c != '\0' && i != std::string_view::npos) {
      out += to[i];
      ++at_;
    } else if (multiline && (c == '\n' || c == '\r' || c == ' ' || c == '\t')) {
      while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n')
        peek() == '\n' ? newLine() : void(++at_);
    } else if (!character(out)) {
      fail("an unknown escape in a string: write \\\\ for a backslash");
      out += '\\';  // and the text as written
    }
  }

  /// `uXXXX` and `UXXXXXXXX`.
  bool character(std::string& out) {
    const std::size_t digits = peek() == 'u' ? 4 : peek() == 'U' ? 8 : 0;
    const std::string_view hex = text_.substr(std::min(at_ + 1, text_.size()), digits);
    std::uint32_t code = 0;
    if (digits == 0 || hex.size() != digits) return false;
    if (std::from_chars(hex.data(), hex.data() + digits, code, 16).ptr != hex.data() + digits) return false;
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    appendUtf8(out, code);
    at_ += 1 + digits;
    return true;
  }

  std::string_view text_;
  const std::function<void(const TomlValue&)>& visit_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::optional<TomlFault> fault_;
  std::vector<std::string> path_;
  std::size_t tableDepth_ = 0;
  std::unordered_map<std::string, std::size_t>
      elements_;  ///< per array of tables (keys joined by line breaks): how many so far
};

}  // namespace

std::optional<TomlFault> visitToml(std::string_view text, const std::function<void(const TomlValue&)>& visit) {
  return TomlWalker(text, visit).run();
}

std::optional<std::int64_t> tomlInteger(std::string_view text) {
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool between = i > 0 && i + 1 < text.size() && text[i - 1] != '_' && text[i + 1] != '_';
    if (text[i] != '_')
      digits += text[i];
    else if (!between)
      return std::nullopt;
  }
  std::string_view rest = digits;
  if (rest.starts_with('+')) rest.remove_prefix(1);
  int base = 10;
  for (const auto& [prefix, itsBase] : {std::pair{"0x", 16}, std::pair{"0o", 8}, std::pair{"0b", 2}})
    if (rest.starts_with(prefix)) base = itsBase;
  if (base != 10) rest.remove_prefix(2);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value, base);
  if (error != std::errc() || end != rest.data() + rest.size() || (base != 10 && value < 0)) return std::nullopt;
  return value;
}

std::optional<TomlFault> readTomlEntries(std::string_view text, std::vector<TomlEntry>& entries) {
  std::optional<TomlFault> twice;
  std::unordered_map<std::string, std::size_t> places;
  std::optional<TomlFault> fault = visitToml(text, [&](const TomlValue& value) {
    const bool own = value.path.size() == 1;
    const auto [known, isNew] = places.try_emplace(value.path[0], entries.size());
    if (isNew) {
      const bool isList = own && value.kind == TomlKind::List;
      entries.push_back({value.path[0], value.line, isList, {}});
      if (!isList) entries.back().values.push_back({value.value, own ? value.kind : TomlKind::Table});
    } else if (own) {
      if (!twice) twice = TomlFault{value.line, "key '" + value.path[0] + "' stands twice: keep one"};
    } else if (TomlEntry& entry = entries[known->second]; entry.isList && value.path.size() == 2) {
      entry.values.push_back({value.value, value.kind});
    }
  });
  return fault ? fault : twice;
}

}  // namespace unwarp
