// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makefiles and ninja files: variables hold compilers, flags, libraries and toolkit folders; recipes hold commands.
// `$(NVCC)` in a recipe is nvcc. Conditionals that mention HIP guard what is between them and their `endif`. Functions
// are not run; what a
// `$(shell ...)` would run is read as shell.
#include <algorithm>
#include <unordered_set>
#include <vector>

#include "base/text.h"
#include "scan/build/autoconf.h"
#include "scan/build/flags.h"
#include "scan/build/guard_mark.h"
#include "scan/build/hip_words.h"
#include "scan/build/logical_lines.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan::build {
namespace {

using knowledge::Ecosystem;

constexpr std::size_t longestName = 128;

/// A variable's setting: `NAME = value` in any of make's spellings.
struct Setting {
  std::string_view name, value;
};

bool parseSetting(std::string_view line, Setting& setting) {
  line = trim(line);
  for (std::string_view word : {"export ", "override ", "define ", "unexport "})
    if (line.starts_with(word)) line = trim(line.substr(word.size()));
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  std::size_t end = equals;
  while (end > 0 && std::string_view(":?+!").find(line[end - 1]) != std::string_view::npos) --end;
  std::string_view name = trim(line.substr(0, end));
  // Target-specific: `target: NAME += value`.
  if (const std::size_t colon = name.rfind(": "); colon != std::string_view::npos) name = trim(name.substr(colon + 2));
  if (name.empty() || name.find_first_of(" \t:") != std::string_view::npos) return false;
  setting = {name, trim(line.substr(equals + 1))};
  return true;
}

/// Cuts a comment: `#` without a backslash before it.
std::string_view withoutComment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i] == '#' && (i == 0 || line[i - 1] != '\\')) return line.substr(0, i);
  return line;
}

/// A recipe as shell: make's `$$`, `$(NVCC)` and leading `@`, `-`, `+` undone.
std::string shellOf(std::string_view recipe) {
  std::string out;
  out.reserve(recipe.size());
  bool lineStart = true;
  for (std::size_t i = 0; i < recipe.size(); ++i) {
    const char c = recipe[i];
    if (lineStart && (c == '@' || c == '-' || c == '+' || c == '\t' || c == ' ')) continue;
    lineStart = false;
    if (c == '$' && i + 1 < recipe.size() && recipe[i + 1] == '$') {
      out += '$';
      ++i;
    } else if (c == '$' && i + 1 < recipe.size() &&
               std::string_view("@<^?*+|%").find(recipe[i + 1]) != std::string_view::npos) {
      out += 'X';  // an automatic variable: some file name
      ++i;
    } else if (recipe.substr(i).starts_with("$(NVCC)") || recipe.substr(i).starts_with("${NVCC}")) {
      out += "nvcc";
      i += 6;
    } else if (c == '$' && i + 1 < recipe.size() && recipe[i + 1] == '(') {
      out += "${";  // a variable of make, not a command of the shell
      ++i;
      const std::size_t length = recipe.substr(i, longestName).find_first_of(") \n");
      const std::size_t close = length == std::string_view::npos ? length : i + length;
      if (close != std::string_view::npos && recipe[close] == ')') {
        out += recipe.substr(i + 1, close - i - 1);
        out += '}';
        i = close;
      } else {
        out.resize(out.size() - 2);
      }
    } else {
      out += c;
    }
  }
  return out;
}

class MakeReader {
 public:
  MakeReader(const ReadContext& context, FileFacts& out) : context_(context), out_(out) {}

  void run(std::string_view text) {
    findGuards(text);
    LogicalLines lines(text);
    std::string_view line;
    std::size_t index = 0;
    while (lines.next(line)) {
      const GuardMark mark(out_, guards_[index++] > 0);
      if (line.starts_with("\t"))
        readShellText(context_, shellOf(line), lines.number(), out_);
      else
        readLine(line, lines.number());
    }
  }

 private:
  static bool opens(std::string_view word) {
    return word == "ifeq" || word == "ifneq" || word == "ifdef" || word == "ifndef";
  }

  /// Per logical line: whether it stands in a conditional that mentions HIP.
  void findGuards(std::string_view text) {
    struct Chain {
      std::size_t first;
      bool hip;
    };
    std::vector<Chain> open;
    LogicalLines lines(text);
    std::string_view line;
    std::size_t index = 0;
    std::vector<std::pair<std::size_t, std::size_t>> guarded;
    for (; lines.next(line); ++index) {
      const std::string_view bare = line.starts_with("\t") ? std::string_view() : trim(withoutComment(line));
      const std::string_view word = bare.substr(0, bare.find_first_of(" \t("));
      if (opens(word)) open.push_back({index, false});
      if ((opens(word) || word == "else") && !open.empty()) open.back().hip |= mentionsHip(bare);
      if (word != "endif" || open.empty()) continue;
      if (open.back().hip) guarded.emplace_back(open.back().first, index);
      open.pop_back();
    }
    guards_.assign(index + 1, 0);
    for (const auto& [first, last] : guarded) ++guards_[first], --guards_[last];
    for (std::size_t i = 1; i < guards_.size(); ++i) guards_[i] += guards_[i - 1];
  }

  void readLine(std::string_view line, std::uint32_t number) {
    Setting setting;
    const std::string_view bare = withoutComment(line);
    if (opens(bare.substr(0, bare.find_first_of(" \t(")))) return;
    const bool assigned = parseSetting(bare, setting);
    if (assigned)
      variable(setting, number);
    else
      inlineRecipe(bare, number);
  }

  void variable(const Setting& setting, std::uint32_t number) {
    if (setting.value.empty()) return;
    // A make variable is no environment variable: it counts only when the tables know exactly this name, not by a
    // pattern.
    const bool named =
        !isOffValue(setting.value) && addDependency(context_, out_, Ecosystem::CMake, setting.name, number);
    if (!named && isExactEnvironment(setting.name)) addEnvironment(context_, setting.name, setting.value, number, out_);
    eachPhysicalLine(setting.value, number, '\\',
                     [this](std::string_view piece, std::uint32_t line) { words(piece, line); });
  }

  bool isExactEnvironment(std::string_view name) const {
    const std::uint32_t record = context_.knowledge.findDependency(Ecosystem::Env, name);
    if (record == knowledge::Knowledge::none) return false;
    for (std::string_view pattern : split(context_.knowledge.dependencies()[record].match, '|'))
      if (trim(pattern) == name) return true;
    return false;
  }

  void words(std::string_view text, std::uint32_t line) {
    shellFunctions(text, line);
    addFlagWords(context_, text, line, out_);
    const std::vector<std::string_view> parts = unwarp::words(text);
    if (parts.empty()) return;
    // A variable that holds a command holds its program first: `NVCC ?= $(CUDA_PATH)/bin/nvcc -ccbin g++`.
    const std::string_view program = parts[0].substr(parts[0].rfind('/') + 1);
    const bool command = parts.size() == 1 || parts[1].starts_with("-");
    if (command && !program.starts_with("-") && program.find_first_of("$().") == std::string_view::npos)
      addDependency(context_, out_, Ecosystem::Cli, program, line);
  }

  void shellFunctions(std::string_view text, std::uint32_t line) {
    for (std::size_t at = text.find("$(shell "); at != std::string_view::npos;) {
      std::size_t depth = 1, end = at + 8;
      for (; end < text.size(); ++end) {
        depth += text[end] == '(';
        if (text[end] == ')' && --depth == 0) break;
      }
      readShellText(context_, shellOf(text.substr(at + 8, end - at - 8)), line, out_);
      at = text.find("$(shell ", end);  // one inside another was read with it
    }
  }

  /// `target: deps ; recipe`.
  void inlineRecipe(std::string_view line, std::uint32_t number) {
    const std::size_t semicolon = line.find(';');
    if (semicolon != std::string_view::npos && line.find(':') < semicolon)
      readShellText(context_, shellOf(line.substr(semicolon + 1)), number, out_);
  }

  const ReadContext& context_;
  FileFacts& out_;
  std::vector<int> guards_;
};

/// Ninja: bindings only. A generated file repeats its flags per object, so one line of each text is enough.
void readNinja(const ReadContext& context, std::string_view text, FileFacts& out) {
  LogicalLines lines(text, '$');
  std::string_view line;
  std::unordered_set<std::uint64_t> seen;
  while (lines.next(line)) {
    Setting setting;
    if (trim(line).starts_with("#") || !parseSetting(line, setting)) continue;
    const std::uint64_t hash = stableHash(setting.value);
    if (seen.contains(hash)) continue;
    const std::size_t before = out.dependencies.size() + out.mentions.size();
    if (setting.name == "command")
      readShellText(context, setting.value, lines.number(), out);
    else
      addFlagWords(context, setting.value, lines.number(), out);
    if (out.dependencies.size() + out.mentions.size() != before) seen.insert(hash);
  }
}

}  // namespace
}  // namespace unwarp::scan::build

namespace unwarp::scan {

void readMake(const ReadContext& context, const Input& input, FileFacts& out) {
  if (out.kind == FileKind::Ninja || input.path.ends_with(".ninja")) return build::readNinja(context, input.bytes, out);
  const bool autoconf = out.kind == FileKind::Autoconf || input.path.ends_with(".m4") || input.path.ends_with(".ac");
  if (autoconf) return build::readAutoconf(context, input.bytes, out);
  build::MakeReader(context, out).run(input.bytes);
}

}  // namespace unwarp::scan
