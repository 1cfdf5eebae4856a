// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilers and build systems on command lines. Flags go to the flag reader; options written as two words are joined
// first, since the flag reader takes one flag at a time.
#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"
#include "scan/build/flags.h"
#include "scan/deploy/shell_commands.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

/// How a flag in two words is written as one: `-gencode X` as `-gencode=X`, `-I X` as `-IX`.
std::string joinedFlag(std::string_view flag, std::string_view value) {
  constexpr std::array<std::string_view, 5> glued{"-I", "-L", "-l", "-D", "-isystem"};
  constexpr std::array<std::string_view, 8> withEquals{"-gencode", "--generate-code", "-arch",  "--gpu-architecture",
                                                       "-code",    "--gpu-code",      "-ccbin", "--cuda-gpu-arch"};
  std::string result(flag);
  if (std::find(glued.begin(), glued.end(), flag) != glued.end()) return result += value;
  if (std::find(withEquals.begin(), withEquals.end(), flag) == withEquals.end()) return {};
  result += '=';
  return result += value;
}

}  // namespace

bool isCompiler(std::string_view name) {
  constexpr std::array<std::string_view, 21> names{"nvcc",       "nvc", "nvc++",   "nvfortran", "clang", "clang++",
                                                   "gcc",        "g++", "cc",      "c++",       "mpicc", "mpicxx",
                                                   "mpic++",     "ld",  "icpx",    "clang-cl",  "hipcc", "amdclang",
                                                   "amdclang++", "cl",  "lld-link"};
  if (std::find(names.begin(), names.end(), name) != names.end()) return true;
  const std::size_t dash = name.rfind('-');
  const bool versioned =
      dash != std::string_view::npos && dash + 1 < name.size() && name[dash + 1] >= '0' && name[dash + 1] <= '9';
  return versioned && std::find(names.begin(), names.end(), name.substr(0, dash)) != names.end();
}

void readCompilerCommand(const ReadContext& context, ShellWords words, FileFacts& out) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view flag = words[i].text;
    if (flag.ends_with(".lib")) build::addLinkLibrary(context, flag.substr(0, flag.size() - 4), words[i].line, out);
    if (!flag.starts_with("-")) continue;
    if (flag == "-x" && i + 1 < words.size()) build::addLanguageOption(context, words[i + 1].text, words[i].line, out);
    const bool hasNext = i + 1 < words.size() && !words[i + 1].text.starts_with("-");
    const std::string joined = hasNext ? joinedFlag(flag, words[i + 1].text) : std::string();
    addCompilerFlag(context, joined.empty() ? flag : std::string_view(joined), words[i].line, out);
    const bool hasValue =
        flag == "-o" || flag == "-Xcompiler" || flag == "-Xlinker" || flag == "-x" || flag == "-MF" || flag == "-MT";
    if (!joined.empty() || hasValue) ++i;
  }
}

void readFlagText(const ReadContext& context, std::string_view flags, std::uint32_t line, FileFacts& out) {
  std::vector<ShellWord> command{{"flags", line, false}};
  for (const std::string_view flag : words(flags)) command.push_back({std::string(flag), line, false});
  readCompilerCommand(context, command, out);
}

void readCmakeCommand(const ReadContext& context, ShellWords words, FileFacts& out) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    if (word == "-D" && i + 1 < words.size()) {
      ++i;
      addCmakeEntry(context, words[i].text, words[i].line, out);
    } else if (word.starts_with("-D")) {
      addCmakeEntry(context, word.substr(2), words[i].line, out);
    } else if (word == "env" && words[i - 1].text == "-E") {
      // `cmake -E env NAME=VALUE command`
      for (std::size_t j = i + 1; j < words.size() && !assignmentName(words[j].text).empty(); ++j)
        addEnvironment(context, assignmentName(words[j].text), assignmentValue(words[j].text), words[j].line, out);
    }
  }
}

void readMakeCommand(const ReadContext& context, ShellWords words, FileFacts& out) {
  for (const ShellWord& word : words.subspan(1)) {
    const std::string_view name = assignmentName(word.text);
    if (name.empty() || isOffValue(assignmentValue(word.text))) continue;
    const std::size_t before = out.dependencies.size();
    addEnvironment(context, name, assignmentValue(word.text), word.line, out);
    if (out.dependencies.size() == before) addCmakeEntry(context, word.text, word.line, out);
  }
}

}  // namespace unwarp::scan
