// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Go: imports of CUDA packages, and cgo. The comment right above `import "C"` is C, with flags of the compiler and the
// linker in its `#cgo` lines; `C.cudaMalloc` then calls it.
#include <algorithm>
#include <memory>

#include "base/text.h"
#include "scan/build/flags.h"
#include "scan/languages/code_bindings.h"
#include "scan/packages/registry_package.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using namespace languages;  // NOLINT: this file is one of them

/// The comment right above `import "C"`, as C text.
struct Preamble {
  std::string text;
  std::uint32_t firstLine = 1;
};

/// Start of the run of `//` lines at the end of `text`, or its size.
std::size_t startOfLineComments(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0) {
    const std::size_t end = begin == text.size() ? begin : begin - 1;  // without the line break before `begin`
    const std::size_t start = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;
    if (!trim(text.substr(start, end - start)).starts_with("//")) return begin;
    begin = start;
  }
  return begin;
}

Preamble preambleAbove(std::string_view text, std::size_t place, std::uint32_t importLine) {
  std::string_view above = text.substr(0, place);
  while (!above.empty() && (above.back() == ' ' || above.back() == '\t')) above.remove_suffix(1);
  if (!above.ends_with('\n')) return {};
  above.remove_suffix(1);
  if (above.ends_with('\r')) above.remove_suffix(1);
  Preamble found;
  const bool block = above.ends_with("*/");
  const std::size_t begin = block ? above.rfind("/*") : startOfLineComments(above);
  if (begin == std::string_view::npos || begin == above.size()) return {};
  const std::string_view comment = above.substr(begin);
  found.firstLine = importLine - 1 - static_cast<std::uint32_t>(std::count(comment.begin(), comment.end(), '\n'));
  if (block && comment.size() >= 4) found.text = comment.substr(2, comment.size() - 4);
  LineReader lines(comment);
  for (std::string_view line; !block && lines.next(line);) found.text += std::string(trim(line).substr(2)) + "\n";
  return found;
}

/// Takes the `#cgo` lines out of `body` and reads their flags.
void readDirectives(const ReadContext& context, std::string& body, std::uint32_t firstLine, FileFacts& out) {
  for (std::size_t begin = 0; begin < body.size(); ++firstLine) {
    const std::size_t end = std::min(body.find('\n', begin), body.size());
    const std::string_view line = trim(std::string_view(body).substr(begin, end - begin));
    const std::size_t colon = line.find(':');
    if (line.starts_with("#cgo") && colon != std::string_view::npos) {
      build::addFlagWords(context, line.substr(colon + 1), firstLine, out);
      body.replace(begin, end - begin, end - begin, ' ');
    }
    begin = end + 1;
  }
}

void readPreamble(const ReadContext& context, Preamble preamble, FileFacts& out) {
  if (preamble.text.empty()) return;
  const std::uint32_t firstLine = preamble.firstLine;
  readDirectives(context, preamble.text, firstLine, out);
  const auto kept = std::make_shared<const std::string>(std::move(preamble.text));
  FileFacts inner;
  inner.path = "preamble.h";
  readSource(ReadContext{context.knowledge, nullptr}, {inner.path, *kept}, inner);
  if (inner.source != nullptr)
    inner.embedded.push_back({inner.sourceText ? inner.sourceText : kept, std::move(inner.source), 0});
  appendMoved(std::move(inner), [firstLine](std::uint32_t line) { return line + firstLine - 1; }, out);
}

}  // namespace

void readGo(const ReadContext& context, const Input& input, FileFacts& out) {
  const CodeTokens tokens = readCodeTokens(input.bytes, CodeDialect::Go);
  const auto placeOf = [&](const CodeToken& token) {
    return static_cast<std::size_t>(token.text.data() - input.bytes.data());
  };
  const auto import = [&](std::size_t string, std::size_t place) {
    if (tokens[string].text == "C")
      readPreamble(context, preambleAbove(input.bytes, place, tokens[string].line), out);
    else
      packages::addRegistryPackage(context, "go", tokens[string].text, tokens[string].line, out);
  };
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].isWord("import")) continue;
    if (!tokens[i + 1].is("(")) {
      const std::size_t string = tokens[i + 1].isString() ? i + 1 : i + 2;  // behind a name of its own
      if (string < tokens.size() && tokens[string].isString()) import(string, placeOf(tokens[i]));
      continue;
    }
    for (i += 2; i < tokens.size() && !tokens[i].is(")"); ++i)
      if (tokens[i].isString()) import(i, placeOf(tokens[i]) - 1);
  }
  addCodeBindings(context, tokens, out);
}

}  // namespace unwarp::scan
