// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walker of our own rather than a library: manifests under audit are untrusted, and toml++ 3.3 (which reads our own
// files) runs into undefined behaviour on malformed headers and keys; it also gives nothing for a file with one faulty
// line, such as a template. This walker keeps no tree, takes linear time, limits nesting, and goes on behind a fault.
// It does not validate: duplicate keys, number formats and dates pass as written.
#include "scan/packages/toml_values.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"

namespace unwarp::scan::packages {
namespace {

constexpr int depthLimit = 64;
constexpr std::size_t longestPath = 64;

bool isBareKey(char c) {
  return isIdentifierPart(c) || c == '-';
}

class TomlWalker {
 public:
  TomlWalker(std::string_view text, const std::function<void(const JsonScalar&)>& visit) : text_(text), visit_(visit) {}

  bool run() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (skipBlankLines(), at_ < text_.size()) {
      path_.resize(tableDepth_);
      const bool good = peek() == '[' ? header() : keyValue(0);
      if (good && endOfLine()) continue;
      whole_ = false;
      skipLine();
    }
    return whole_;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

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
    if (!dottedKey(keys) || peek() != ']' || (array && peek(1) != ']')) return false;
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
        if (at_ == begin) return false;
        key = std::string(text_.substr(begin, at_ - begin));
      }
      keys.push_back(std::move(key));
      skipBlanks();
      if (keys.size() > longestPath) return false;
      if (peek() != '.') return true;
      ++at_;
    }
  }

  bool keyValue(int depth) {
    std::vector<std::string> keys;
    if (!dottedKey(keys) || peek() != '=') return false;
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
      if (depth >= depthLimit) return false;
      return c == '[' ? array(depth + 1) : inlineTable(depth + 1);
    }
    std::string text;
    const bool quoted = c == '"' || c == '\'';
    if (quoted ? !string(text) : !bareValue(text)) return false;
    visit_({path_, std::move(text), quoted, line});
    return true;
  }

  bool array(int depth) {
    ++at_;
    path_.emplace_back();
    for (std::size_t index = 0;; ++index) {
      skipBlankLines();
      if (peek() == ']') break;
      path_.back() = std::to_string(index);
      if (!value(depth)) return false;
      skipBlankLines();
      if (peek() == ',')
        ++at_;
      else if (peek() != ']')
        return false;
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
        return false;
    }
  }

  /// Numbers, booleans, dates: up to what ends a value.
  bool bareValue(std::string& out) {
    const std::size_t end = std::min(text_.find_first_of(",]}#\r\n", at_), text_.size());
    out = std::string(trim(text_.substr(at_, end - at_)));
    at_ = end;
    return !out.empty() && out.find_first_of("\"'{[=") == std::string::npos;
  }

  bool string(std::string& out) {
    const char quote = peek();
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
      if (c == '\n' && !multiline) return false;
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
    return false;
  }

  void newLine() {
    ++at_;
    ++line_;
  }

  void escape(std::string& out, bool multiline) {
    const char c = peek();
    constexpr std::string_view from = "ntr\\\"", to = "\n\t\r\\\"";
    if (const std::size_t i = from.find(c); c != '\0' && i != std::string_view::npos) {
      out += to[i];
      ++at_;
    } else if (multiline && (c == '\n' || c == '\r' || c == ' ' || c == '\t')) {
      while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n')
        peek() == '\n' ? newLine() : void(++at_);
    } else {
      out += '\\';  // \u and what is no escape stay as written: no package is named by them
    }
  }

  std::string_view text_;
  const std::function<void(const JsonScalar&)>& visit_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  bool whole_ = true;
  std::vector<std::string> path_;
  std::size_t tableDepth_ = 0;
  std::unordered_map<std::string, std::size_t>
      elements_;  ///< per array of tables (keys joined by line breaks): how many so far
};

}  // namespace

bool visitToml(std::string_view text, const std::function<void(const JsonScalar&)>& visit) {
  return TomlWalker(text, visit).run();
}

void visitTomlNoting(std::string_view text, std::vector<std::string>& notes,
                     const std::function<void(const JsonScalar&)>& visit) {
  if (!visitToml(text, visit)) notes.push_back("not valid TOML throughout: faulty lines were passed over");
}

}  // namespace unwarp::scan::packages
