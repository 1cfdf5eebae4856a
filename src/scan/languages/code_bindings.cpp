// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/languages/code_bindings.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "scan/deploy/sites.h"
#include "scan/readers.h"

namespace unwarp::scan::languages {
namespace {

using knowledge::Ecosystem;
using knowledge::Knowledge;

/// Calls whose first argument is the name of a variable of the environment.
constexpr std::array<std::string_view, 16> environmentCalls{"Getenv",
                                                            "LookupEnv",
                                                            "Setenv",
                                                            "Unsetenv",
                                                            "var",
                                                            "var_os",
                                                            "set_var",
                                                            "env",
                                                            "getenv",
                                                            "getEnv",
                                                            "option_env",
                                                            "remove_var",
                                                            "GetEnvironmentVariable",
                                                            "SetEnvironmentVariable",
                                                            "envs",
                                                            "env_remove"};
/// Calls whose first argument is a program to run or to look for.
constexpr std::array<std::string_view, 8> programCalls{"Command",        "LookPath", "Start", "ProcessStartInfo",
                                                       "ProcessBuilder", "exec",     "new",   "which"};
/// Calls whose first argument is a library without prefix or ending.
constexpr std::array<std::string_view, 6> libraryCalls{"DllImport",   "LibraryImport", "loadLibrary",
                                                       "LoadLibrary", "NewLazyDLL",    "find_library"};

template <std::size_t Size>
bool isOneOf(const std::array<std::string_view, Size>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void addString(const ReadContext& context, const CodeTokens& tokens, std::size_t index, FileFacts& out) {
  const CodeToken& token = tokens[index];
  if (token.text.find("__global__") != std::string_view::npos)
    return readEmbeddedSource(context, token.text, token.line, out);
  constexpr std::size_t longestName = 255;
  if (token.text.empty() || token.text.size() > longestName) return;
  const std::string_view call = calledWith(tokens, index);
  if (isOneOf(environmentCalls, call)) addSite(context, Ecosystem::Env, {token.text}, token.line, {}, out);
  if (isOneOf(programCalls, call)) addSite(context, Ecosystem::Cli, {baseName(token.text)}, token.line, {}, out);
  const bool fileName = token.text.find(".so") != std::string_view::npos || token.text.ends_with(".dll");
  if (fileName || isOneOf(libraryCalls, call) || token.text.find("64_") != std::string_view::npos ||
      token.text == "nvcuda")
    addLibraryFile(context, token.text, token.line, 0, out);
}

}  // namespace

bool addCodeBindings(const ReadContext& context, const CodeTokens& tokens, FileFacts& out) {
  const std::size_t before = out.apis.size() + out.dependencies.size();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const CodeToken& token = tokens[i];
    if (token.isString()) {
      addString(context, tokens, i, out);
    } else if (token.kind == CodeTokenKind::Word) {
      const std::uint32_t record = context.knowledge.findApi(token.text);
      if (record != Knowledge::none && context.knowledge.apis()[record].context == knowledge::Context::Any)
        out.apis.push_back({record, token.line, token.column, false});
    }
  }
  return out.apis.size() + out.dependencies.size() != before;
}

bool addLanguageName(const ReadContext& context, std::string_view language, std::string_view word, std::uint32_t line,
                     FileFacts& out) {
  constexpr std::size_t longestName = 200;
  if (word.empty() || word.size() > longestName) return false;
  const std::string name = std::string(language) + ":" + std::string(word);
  if (!addDependency(context, out, Ecosystem::OtherPkg, name, line)) return false;
  DependencyUse& use = out.dependencies.back();
  use.name = word;
  // What is taken out of a package counts as the package: `jcuda.*` is `jcuda`, whichever class is imported.
  for (std::string_view pattern : split(context.knowledge.dependencies()[use.record].match, '|')) {
    pattern = trim(pattern);
    if (pattern.ends_with(".*") && globMatch(pattern, name))
      use.name = pattern.substr(language.size() + 1, pattern.size() - language.size() - 3);
  }
  return true;
}

std::string_view calledWith(const CodeTokens& tokens, std::size_t string) {
  std::size_t at = string;
  // `Command::new("x")` and the like: the word before the bracket; `new` says no more than what stands before it.
  if (at < 2 || !tokens[at - 1].is("(")) return {};
  at -= 2;
  if (tokens[at].is("!") && at > 0) --at;
  if (tokens[at].isWord("new") && at >= 2 && tokens[at - 1].is("::")) at -= 2;
  return tokens[at].kind == CodeTokenKind::Word ? tokens[at].text : std::string_view();
}

std::string dottedPath(const CodeTokens& tokens, std::size_t first, std::size_t& next) {
  std::string path(tokens[first].text);
  next = first + 1;
  while (next + 1 < tokens.size() && (tokens[next].is(".") || tokens[next].is("::")) &&
         tokens[next + 1].kind == CodeTokenKind::Word) {
    path += "." + std::string(tokens[next + 1].text);
    next += 2;
  }
  return path;
}

}  // namespace unwarp::scan::languages
