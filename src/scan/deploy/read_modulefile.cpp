// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modulefiles of clusters, in Lua (Lmod) and Tcl: the modules they load or ask for (`depends_on("cuda/12.4")`, `prereq
// cuda`), the variables they set, the toolkit folders they put on paths. Neither language is run: what stands in a
// branch or comes out of a variable counts as it is written. Texts for people (`help`, `whatis`) and what is unloaded
// or in conflict bind nothing.
#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/text.h"
#include "scan/build/flags.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// One function of both dialects; Tcl writes its names with dashes.
void readCall(const ReadContext& context, std::string_view name, const std::vector<std::string_view>& arguments,
              std::uint32_t line, FileFacts& out) {
  std::string function(name);
  std::replace(function.begin(), function.end(), '-', '_');
  if (isOneOf(function, {"whatis", "help", "conflict", "unload", "family", "LmodMessage", "LmodError", "puts"})) return;
  if (isOneOf(function, {"load", "try_load", "always_load", "load_any", "depends_on", "depends_on_any", "prereq",
                         "prereq_any", "prereq_all", "module"})) {
    for (const std::string_view module : arguments) addModule(context, module, line, out);
    return;
  }
  if (isOneOf(function, {"setenv", "pushenv"}))
    return addEnvironment(context, arguments[0], arguments.size() > 1 ? arguments[1] : std::string_view(), line, out);
  for (const std::string_view argument : arguments)
    if (build::addToolkitPath(context, argument, line, out)) return;
}

/// Lua: names, brackets and literals are enough; a literal belongs to the outermost call around it.
class LuaReader {
 public:
  LuaReader(const ReadContext& context, std::string_view text, FileFacts& out)
      : context_(context), text_(text), out_(out) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        ++at_;
        if (depth_ == 0) endCall();
      } else if (text_.substr(at_).starts_with("--")) {
        at_ += 2;
        if (!longLiteral()) at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        literal(c);
      } else if (c == '[' && longLiteral()) {
        arguments_.push_back(taken_);
      } else if (isIdentifierStart(c)) {
        name();
      } else {
        if (c == '(' || c == '{') ++depth_;
        if ((c == ')' || c == '}') && depth_ > 0 && --depth_ == 0) endCall();
        ++at_;
      }
    }
    endCall();
  }

 private:
  void name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && isIdentifierPart(text_[at_])) ++at_;
    if (depth_ > 0) return;
    if (!isOneOf(text_.substr(begin, at_ - begin), {"local", "if", "not", "then", "and", "or", "else"})) endCall();
    name_ = text_.substr(begin, at_ - begin);
    nameLine_ = line_;
  }

  void literal(char quote) {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    arguments_.push_back(text_.substr(begin, at_ - begin));
    if (at_ < text_.size() && text_[at_] == quote) ++at_;
  }

  /// `[[...]]` and `[==[...]==]` at the place; false when none begins here.
  bool longLiteral() {
    const std::size_t second = text_.find_first_not_of('=', at_ + 1);
    if (at_ >= text_.size() || text_[at_] != '[' || second == std::string_view::npos || text_[second] != '[')
      return false;
    const std::string end = "]" + std::string(second - at_ - 1, '=') + "]";
    const std::size_t close = std::min(text_.find(end, second + 1), text_.size());
    taken_ = text_.substr(second + 1, close - second - 1);
    line_ += static_cast<std::uint32_t>(std::count(taken_.begin(), taken_.end(), '\n'));
    at_ = std::min(close + end.size(), text_.size());
    return true;
  }

  void endCall() {
    if (!arguments_.empty()) readCall(context_, name_, arguments_, nameLine_, out_);
    arguments_.clear();
    name_ = {};
  }

  const ReadContext& context_;
  std::string_view text_;
  FileFacts& out_;
  std::size_t at_ = 0, depth_ = 0;
  std::uint32_t line_ = 1, nameLine_ = 1;
  std::string_view name_, taken_;
  std::vector<std::string_view> arguments_;
};

/// One command of Tcl; quotes around a word go.
void readTclCommand(const ReadContext& context, std::string_view command, std::uint32_t line, FileFacts& out) {
  std::vector<std::string_view> parts;
  for (std::string_view word : words(command)) {
    while (word.starts_with('"')) word.remove_prefix(1);
    while (word.ends_with('"')) word.remove_suffix(1);
    if (!word.empty()) parts.push_back(word);
  }
  if (parts.size() < 2) return;
  std::string_view name = parts[0];
  parts.erase(parts.begin());
  if (name == "module") {  // `module load a b`, `module unload a`
    const std::string_view action = parts[0];
    if (!isOneOf(action, {"load", "add", "try-load", "switch", "swap"})) return;
    const bool replaces = isOneOf(action, {"switch", "swap"}) && parts.size() > 2;
    parts.erase(parts.begin(), parts.begin() + (replaces ? 2 : 1));
  }
  readCall(context, name, parts, line, out);
}

/// A line may hold several commands, in braces or behind semicolons.
void readTcl(const ReadContext& context, std::string_view text, FileFacts& out) {
  LineReader lines(text);
  std::string_view line;
  while (lines.next(line)) {
    if (trim(line).starts_with("#")) continue;
    while (!line.empty()) {
      const std::size_t end = std::min(line.find_first_of("{};"), line.size());
      readTclCommand(context, line.substr(0, end), lines.number(), out);
      line.remove_prefix(std::min(end + 1, line.size()));
    }
  }
}

}  // namespace

void readModulefile(const ReadContext& context, const Input& input, FileFacts& out) {
  if (input.path.ends_with(".lua"))
    LuaReader(context, input.bytes, out).run();
  else
    readTcl(context, input.bytes, out);
}

}  // namespace unwarp::scan
