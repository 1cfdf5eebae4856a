// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nox sessions: `session.install("cupy-cuda12x")`, `session.conda_install(...)`, `session.run("nvidia-smi")` and
// `session.env["CUDA_HOME"] = ...` are the commands and settings of a shell in another spelling, and are read as such.
// A session is whatever name a function of the file has as its first parameter. What is no literal is a blank word.
#include <algorithm>

#include "scan/python/python_scene.h"

namespace unwarp::scan::python {
namespace {

using Range = std::pair<std::uint32_t, std::uint32_t>;

/// First parameters of all functions.
std::unordered_set<std::string_view> sessionNames(const PyFile& file) {
  std::unordered_set<std::string_view> names;
  for (const PyLine& line : file.lines)
    if (file.is(line.first, "def") && file.is(line.first + 2, "(") && file.isName(line.first + 3))
      names.insert(file.at(line.first + 3));
  return names;
}

/// The words of a call as a command line whose words stand on the lines of the call's.
class CommandLine {
 public:
  CommandLine(std::string_view command, std::uint32_t line) : text_(command), line_(line) {}
  void add(std::string_view word, std::uint32_t line) {
    for (; line_ < line; ++line_) text_ += " \\\n";
    if (!text_.empty()) text_ += ' ';
    const bool plain = word.find_first_of(" '<>;&|$\"") == std::string_view::npos;
    if (!plain && word.find('\'') == std::string_view::npos)
      ((text_ += '\'') += word) += '\'';
    else
      text_ += word;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::uint32_t line_;
};

/// `env={"NAME": "value"}`.
void readEnvironment(Scene& scene, Range value) {
  const PyFile& file = scene.file;
  for (std::uint32_t i = value.first; i + 1 < value.second; ++i)
    if (file.isString(i) && file.is(i + 1, ":"))
      addEnvironment(scene.context, stringValue(file.at(i)), file.isString(i + 2) ? stringValue(file.at(i + 2)) : "",
                     file.tokens[i].line, scene.out);
}

void readCall(Scene& scene, std::string_view command, std::uint32_t open, std::uint32_t last) {
  const PyFile& file = scene.file;
  const std::uint32_t line = file.tokens[open].line;
  CommandLine words(command, line);
  for (const Range& argument : splitAtCommas(file, open + 1, closingBracket(file, open, last))) {
    if (argument.first >= argument.second) continue;
    const std::uint32_t first = argument.first;
    const bool keyword = argument.second - first > 2 && file.isName(first) && file.is(first + 1, "=");
    if (keyword && file.is(first, "env")) readEnvironment(scene, {first + 2, argument.second});
    if (keyword && file.is(first, "channel") && file.isString(first + 2)) {
      words.add("-c", file.tokens[first].line);
      words.add(stringValue(file.at(first + 2)), file.tokens[first].line);
    }
    if (keyword) continue;
    words.add(file.isString(first) ? stringValue(file.at(first)) : "X", file.tokens[first].line);
  }
  readShellText(scene.context, words.text(), line, scene.out);
}

/// The command that a session's method stands for; empty: its first argument. False for other methods.
bool commandOf(std::string_view method, std::string_view& command) {
  command = {};
  if (method == "install") command = "pip install";
  if (method == "conda_install") command = "conda install";
  return !command.empty() || method == "run" || method == "run_always" || method == "run_install";
}

}  // namespace

void reportSessions(Scene& scene, const PyLine& line, const std::unordered_set<std::string_view>& sessions) {
  const PyFile& file = scene.file;
  const GuardMark mark(scene.out, line.guarded);
  for (std::uint32_t i = line.first; i + 3 < line.last; ++i) {
    if (!file.isName(i) || !file.is(i + 1, ".") || !sessions.contains(file.at(i))) continue;
    std::string_view command;
    if (file.is(i + 3, "(") && commandOf(file.at(i + 2), command)) readCall(scene, command, i + 3, line.last);
    const bool setting = file.is(i + 2, "env") && file.is(i + 3, "[") && file.isString(i + 4) && file.is(i + 6, "=");
    if (setting)
      addEnvironment(scene.context, stringValue(file.at(i + 4)),
                     file.isString(i + 7) ? stringValue(file.at(i + 7)) : std::string(), file.tokens[i].line,
                     scene.out);
  }
}

std::unordered_set<std::string_view> sessionsOf(const PyFile& file, const PyNames& names) {
  return names.importsRoot("nox") ? sessionNames(file) : std::unordered_set<std::string_view>();
}

}  // namespace unwarp::scan::python
