// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the checks that name a library, header or program, and assignments of the shell between them. Quoting is m4's
// `[...]`; comments start with `dnl` or `#`. What macros of the project itself expand to is not known.
#include "scan/build/autoconf.h"

#include <algorithm>

#include "base/text.h"
#include "scan/build/flags.h"
#include "scan/build/logical_lines.h"
#include "scan/readers.h"

namespace unwarp::scan::build {
namespace {

using knowledge::Ecosystem;

std::string_view withoutComment(std::string_view line) {
  if (trim(line).starts_with("#")) return {};
  const std::size_t dnl = line.find("dnl");
  const bool whole = dnl != std::string_view::npos && (dnl == 0 || !isIdentifierPart(line[dnl - 1])) &&
                     (dnl + 3 == line.size() || !isIdentifierPart(line[dnl + 3]));
  return whole ? line.substr(0, dnl) : line;
}

/// The arguments of `MACRO(` at `open`, up to the end of the line, without m4 quotes.
std::vector<std::string_view> argumentsAt(std::string_view line, std::size_t open) {
  std::vector<std::string_view> arguments;
  std::size_t begin = open + 1;
  int depth = 0;
  for (std::size_t i = begin; i <= line.size(); ++i) {
    const char c = i < line.size() ? line[i] : ')';
    if (c == '[' || c == '(') ++depth;
    const bool end = depth == 0 && (c == ',' || c == ')');
    if (end || i == line.size()) {
      std::string_view text = trim(line.substr(begin, i - begin));
      while (text.starts_with("[")) text.remove_prefix(1);
      while (text.ends_with("]")) text.remove_suffix(1);
      arguments.push_back(trim(text));
      begin = i + 1;
      if (c == ')') break;
    }
    if ((c == ']' || c == ')') && depth > 0) --depth;
  }
  return arguments;
}

void readMacro(const ReadContext& context, std::string_view name, const std::vector<std::string_view>& arguments,
               std::uint32_t line, FileFacts& out) {
  const auto all = [&](std::size_t index, auto visit) {
    if (index < arguments.size())
      for (std::string_view word : words(arguments[index])) visit(word);
  };
  for (std::string_view option : {"AC_ARG_WITH", "AC_ARG_ENABLE"})
    if (name == option && !arguments.empty())
      addDependency(context, out, Ecosystem::Cli,
                    (option == "AC_ARG_WITH" ? "--with-" : "--enable-") + std::string(arguments[0]), line);
  if (name == "AC_CHECK_LIB") all(0, [&](std::string_view word) { addLinkLibrary(context, word, line, out); });
  if (name == "AC_SEARCH_LIBS") all(1, [&](std::string_view word) { addLinkLibrary(context, word, line, out); });
  if (name == "AC_CHECK_HEADER" || name == "AC_CHECK_HEADERS")
    all(0, [&](std::string_view word) { addDependency(context, out, Ecosystem::Header, word, line); });
  const bool program = name == "AC_PATH_PROG" || name == "AC_PATH_PROGS" || name == "AC_CHECK_PROG" ||
                       name == "AC_CHECK_PROGS" || name == "AC_PATH_TOOL" || name == "AC_CHECK_TOOL";
  if (program) all(1, [&](std::string_view word) { addDependency(context, out, Ecosystem::Cli, word, line); });
}

/// `NAME="value"` of the shell around the macros.
void readAssignment(const ReadContext& context, std::string_view line, std::uint32_t number, FileFacts& out) {
  const std::string_view bare = trim(line);
  const std::size_t equals = bare.find('=');
  if (equals == std::string_view::npos || equals == 0) return;
  const bool plain = std::all_of(bare.begin(), bare.begin() + static_cast<std::ptrdiff_t>(equals),
                                 [](char c) { return isIdentifierPart(c) || c == '+'; });
  if (plain) addFlagWords(context, bare.substr(equals + 1), number, out);
}

}  // namespace

void readAutoconf(const ReadContext& context, std::string_view text, FileFacts& out) {
  LineReader lines(text);
  std::string_view raw;
  while (lines.next(raw)) {
    const std::string_view line = withoutComment(raw);
    if (line.size() > 16384) continue;
    const std::size_t macro = line.find("AC_");
    const std::size_t open = macro == std::string_view::npos ? macro : line.find('(', macro);
    if (open != std::string_view::npos)
      readMacro(context, trim(line.substr(macro, open - macro)), argumentsAt(line, open), lines.number(), out);
    readAssignment(context, line, lines.number(), out);
  }
}

}  // namespace unwarp::scan::build
