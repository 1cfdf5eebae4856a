// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CMake's grammar is small: `name ( arguments )`, with quoted, bracket and unquoted arguments and two kinds of
// comments. Guards come from if chains: a chain one of whose conditions mentions HIP is guarded in all its branches.
#include "scan/build/cmake_tokens.h"

#include "base/text.h"
#include "scan/build/hip_words.h"

namespace unwarp::scan::build {
namespace {

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  std::vector<CMakeCommand> run() {
    while (skipBlanks(), at_ < text_.size()) {
      if (!isIdentifierStart(text_[at_])) {
        ++at_;
        continue;
      }
      const std::size_t begin = at_;
      const std::uint32_t line = line_, column = columnNow();
      while (at_ < text_.size() && isIdentifierPart(text_[at_])) ++at_;
      const std::string_view name = text_.substr(begin, at_ - begin);
      while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
      if (at_ >= text_.size() || text_[at_] != '(') continue;
      ++at_;
      commands_.push_back({toLower(name), line, column, {}, false});
      arguments(commands_.back());
    }
    return std::move(commands_);
  }

 private:
  std::uint32_t columnNow() const { return static_cast<std::uint32_t>(at_ - lineStart_ + 1); }

  void moveTo(std::size_t end) {
    for (end = std::min(end, text_.size()); at_ < end; ++at_) {
      if (text_[at_] != '\n') continue;
      ++line_;
      lineStart_ = at_ + 1;
    }
  }

  /// The level of a bracket opening (`[==[`) at `at`, or -1. CMake's own modules open their documentation with 71.
  int bracketLevel(std::size_t at) const {
    if (at >= text_.size() || text_[at] != '[') return -1;
    std::size_t i = at + 1;
    while (i < text_.size() && text_[i] == '=' && i - at < 256) ++i;
    return i < text_.size() && text_[i] == '[' ? static_cast<int>(i - at - 1) : -1;
  }

  std::size_t bracketEnd(int level) const {
    return text_.find("]" + std::string(static_cast<std::size_t>(level), '=') + "]", at_);
  }

  void skipBlanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        const int level = bracketLevel(at_ + 1);
        if (level >= 0) {
          const std::size_t end = bracketEnd(level);
          moveTo(end == std::string_view::npos ? end : end + static_cast<std::size_t>(level) + 2);
        } else {
          moveTo(text_.find('\n', at_));
        }
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        moveTo(at_ + 1);
      } else {
        return;
      }
    }
  }

  void arguments(CMakeCommand& command) {
    std::size_t depth = 0;
    while (skipBlanks(), at_ < text_.size()) {
      const char c = text_[at_];
      const std::uint32_t line = line_, column = columnNow();
      if (c == '(' || c == ')') {
        if (c == ')' && depth == 0) return ++at_, void();
        depth = c == '(' ? depth + 1 : depth - 1;
        command.arguments.push_back({text_.substr(at_++, 1), line, column, false});
      } else if (c == '"') {
        command.arguments.push_back({quoted(), line, column, true});
      } else if (const int level = bracketLevel(at_); level >= 0) {
        const std::size_t begin = at_ + static_cast<std::size_t>(level) + 2;
        const std::size_t end = std::min(bracketEnd(level), text_.size());
        moveTo(end + static_cast<std::size_t>(level) + 2);
        command.arguments.push_back(
            {begin < end ? text_.substr(begin, end - begin) : std::string_view(), line, column, true});
      } else {
        command.arguments.push_back({unquoted(), line, column, false});
      }
    }
  }

  std::string_view quoted() {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') moveTo(at_ + (text_[at_] == '\\' ? 2 : 1));
    const std::string_view body = text_.substr(begin, at_ - begin);
    moveTo(at_ + 1);
    return body;
  }

  std::string_view unquoted() {
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '(' || c == ')' || c == '#') break;
      if (c == '"') {  // legacy: -DX="a b"
        quoted();
      } else {
        moveTo(at_ + (c == '\\' ? 2 : 1));
      }
    }
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0, lineStart_ = 0;
  std::uint32_t line_ = 1;
  std::vector<CMakeCommand> commands_;
};

void markGuards(std::vector<CMakeCommand>& commands) {
  struct Chain {
    std::size_t first;
    bool hip;
  };
  std::vector<Chain> open;
  std::vector<int> change(commands.size() + 1, 0);
  const auto close = [&](std::size_t end) {
    if (open.back().hip) ++change[open.back().first], --change[end];
    open.pop_back();
  };
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const std::string& name = commands[i].name;
    if (name == "if") open.push_back({i, false});
    if ((name == "if" || name == "elseif") && !open.empty())
      for (const CMakeArgument& argument : commands[i].arguments) open.back().hip |= mentionsHip(argument.text);
    if (name == "endif" && !open.empty()) close(i);
  }
  while (!open.empty()) close(commands.size());
  int depth = 0;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    depth += change[i];
    commands[i].guarded = depth > 0;
  }
}

}  // namespace

std::vector<CMakeCommand> tokenizeCMake(std::string_view text) {
  std::vector<CMakeCommand> commands = Tokenizer(text).run();
  markGuards(commands);
  return commands;
}

}  // namespace unwarp::scan::build
