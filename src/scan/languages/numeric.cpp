// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MATLAB and R: functions and packages that need an NVIDIA GPU, by name. Their rows have `matlab:` and `r:` in front.
// Both languages are read by words, line by line, without comments and strings; nothing is resolved.
#include <string>

#include "base/text.h"
#include "scan/languages/code_bindings.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

/// The code of one line: up to its comment, strings as blanks. A quote behind a value transposes it in MATLAB.
std::string codeOf(std::string_view line, char comment) {
  std::string code;
  for (std::size_t at = 0; at < line.size() && line[at] != comment;) {
    const bool transposes =
        line[at] == '\'' && comment == '%' && at > 0 &&
        (isIdentifierPart(line[at - 1]) || std::string_view(")]}.'").find(line[at - 1]) != std::string_view::npos);
    if ((line[at] != '\'' && line[at] != '"') || transposes) {
      code += line[at++];
      continue;
    }
    at = std::min(line.find(line[at], at + 1), line.size() - 1) + 1;
    code += ' ';
  }
  return code;
}

/// Calls `visit` for each dotted name of `code`.
template <class Visit>
void eachName(std::string_view code, const Visit& visit) {
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at;
    while (end < code.size() && (isIdentifierPart(code[end]) || code[end] == '.')) ++end;
    if (end > at) visit(code.substr(at, end - at), code.substr(end));
    at = end > at ? end : at + 1;
  }
}

}  // namespace

void readMatlab(const ReadContext& context, const Input& input, FileFacts& out) {
  LineReader lines(input.bytes);
  bool block = false;
  for (std::string_view line; lines.next(line);) {
    const std::string_view bare = trim(line);
    if (bare == "%{" || bare == "%}") block = bare == "%{";
    if (block) continue;
    const std::string code = codeOf(line, '%');
    eachName(code, [&](std::string_view name, std::string_view) {
      languages::addLanguageName(context, "matlab", name, lines.number(), out);
    });
  }
}

void readR(const ReadContext& context, const Input& input, FileFacts& out) {
  const auto add = [&](std::string_view name, std::uint32_t line) {
    languages::addLanguageName(context, "r", name, line, out);
  };
  LineReader lines(input.bytes);
  const bool manifest = input.path.ends_with("DESCRIPTION");
  bool list = false;  // inside a field of a package's DESCRIPTION that names packages
  for (std::string_view line; lines.next(line);) {
    const std::size_t colon = line.find(':');
    if (manifest && !line.empty() && line.front() != ' ' && line.front() != '\t') {
      const std::string_view field = line.substr(0, colon);
      list = field == "Depends" || field == "Imports" || field == "Suggests" || field == "LinkingTo";
      if (colon != std::string_view::npos) line = line.substr(colon + 1);
    }
    if (manifest) {
      if (!list) continue;
      for (const std::string_view item : split(line, ',')) add(trim(item.substr(0, item.find('('))), lines.number());
      continue;
    }
    std::string_view call;
    const std::string code = codeOf(line, '#');
    eachName(code, [&](std::string_view name, std::string_view rest) {
      if (call == "library" || call == "require" || rest.starts_with("::")) add(name, lines.number());
      call = rest.starts_with("(") ? name : std::string_view();
    });
  }
}

}  // namespace unwarp::scan
