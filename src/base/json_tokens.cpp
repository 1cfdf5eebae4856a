// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A streaming JSON walker. Readers of manifests need "which value stands at which path on which line", which no tree of
// the usual libraries tells, and they meet files cut short or written by hand; so this walks the text once and reports
// scalars as they come. Comments and trailing commas are accepted (presets, devcontainer files); a bracket deeper than
// the limit ends the walk.
#include "base/json_tokens.h"

#include <optional>

#include "base/text.h"

namespace unwarp {
namespace {

constexpr std::size_t depthLimit = 256;

/// Walks one text. The stack of open brackets is explicit: hostile nesting costs a limit, not the call stack.
class Walker {
 public:
  Walker(std::string_view text, const std::function<void(const JsonScalar&)>& visit) : text_(text), visit_(visit) {}

  bool run() {
    at_ = text_.size() - withoutByteOrderMark(text_).size();
    if (!value()) return false;
    while (!open_.empty())
      if (!member()) return false;
    skipBlanks();
    return at_ == text_.size();
  }

 private:
  struct Open {
    bool isObject;
    std::size_t count;
  };

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skipBlanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        skipBlockComment();
      } else {
        return;
      }
    }
  }

  void skipBlockComment() {
    const std::size_t close = text_.find("*/", at_ + 2);
    const std::size_t end = close == std::string_view::npos ? text_.size() : close + 2;
    for (; at_ < end; ++at_) line_ += text_[at_] == '\n';
  }

  /// The next member of the innermost bracket, or its end.
  bool member() {
    skipBlanks();
    Open& open = open_.back();
    if (peek() == (open.isObject ? '}' : ']')) {
      ++at_;
      close();
      return true;
    }
    if (open.count > 0) {
      if (peek() != ',') return false;
      ++at_;
      skipBlanks();
      if (peek() == (open.isObject ? '}' : ']')) return true;
    }
    if (!nameMember(open)) return false;
    ++open.count;
    return value();
  }

  bool nameMember(const Open& open) {
    if (!open.isObject) {
      path_.back() = std::to_string(open.count);
      return true;
    }
    if (peek() != '"') return false;
    std::optional<std::string> key = string();
    if (!key) return false;
    path_.back() = std::move(*key);
    skipBlanks();
    if (peek() != ':') return false;
    ++at_;
    return true;
  }

  bool value() {
    skipBlanks();
    const char c = peek();
    if (c == '{' || c == '[') {
      if (open_.size() >= depthLimit) return false;
      ++at_;
      open_.push_back({c == '{', 0});
      path_.emplace_back();
      return true;
    }
    const std::uint32_t line = line_;
    if (c == '"') {
      std::optional<std::string> text = string();
      if (!text) return false;
      visit_({path_, std::move(*text), true, line});
      return true;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (isIdentifierPart(text_[at_]) || text_[at_] == '-' || text_[at_] == '+' || text_[at_] == '.'))
      ++at_;
    if (at_ == begin) return false;
    visit_({path_, std::string(text_.substr(begin, at_ - begin)), false, line});
    return true;
  }

  void close() {
    open_.pop_back();
    path_.pop_back();
  }

  /// A string from its opening quote; nothing when the text ends first.
  std::optional<std::string> string() {
    std::string out;
    for (++at_; at_ < text_.size();) {
      const char c = text_[at_++];
      if (c == '"') return out;
      if (c == '\n') ++line_;
      if (c != '\\') {
        out += c;
      } else if (!escape(out)) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  bool escape(std::string& out) {
    if (at_ >= text_.size()) return false;
    const char c = text_[at_++];
    constexpr std::string_view from = "nrtbf", to = "\n\r\t\b\f";
    if (const std::size_t i = from.find(c); i != std::string_view::npos) {
      out += to[i];
    } else if (c == 'u') {
      std::optional<std::uint32_t> code = hex4();
      if (!code) return false;
      if (*code >= 0xD800 && *code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
        at_ += 2;
        const std::optional<std::uint32_t> low = hex4();
        if (!low) return false;
        code = *low >= 0xDC00 && *low < 0xE000 ? 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00) : 0xFFFD;
      }
      appendUtf8(out, *code >= 0xD800 && *code < 0xE000 ? 0xFFFD : *code);
    } else {
      out += c;
    }
    return true;
  }

  std::optional<std::uint32_t> hex4() {
    if (at_ + 4 > text_.size()) return std::nullopt;
    std::uint32_t code = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = text_[at_++];
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return std::nullopt;
      code = code * 16 + static_cast<std::uint32_t>(digit);
    }
    return code;
  }

  std::string_view text_;
  const std::function<void(const JsonScalar&)>& visit_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::vector<Open> open_;
  std::vector<std::string> path_;
};

}  // namespace

bool visitJson(std::string_view text, const std::function<void(const JsonScalar&)>& visit) {
  return Walker(text, visit).run();
}

}  // namespace unwarp
