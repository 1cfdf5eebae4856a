// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See template_text.h. A literal ends at its own quote; inside a quoted YAML value its quotes are escaped.
#include "scan/deploy/template_text.h"

#include "base/text.h"
#include "scan/deploy/sites.h"

namespace unwarp::scan {
namespace {

constexpr std::size_t npos = std::string_view::npos;

/// The literal whose opening quote is at `position`, and the position behind it (npos when it has no end).
std::string_view literalAt(std::string_view text, std::size_t position, std::size_t& end) {
  const std::size_t close = text.find(text[position], position + 1);
  end = close == npos ? npos : close + 1;
  if (close == npos) return {};
  std::string_view literal = text.substr(position + 1, close - position - 1);
  if (literal.ends_with('\\')) literal.remove_suffix(1);
  return literal;
}

}  // namespace

std::string_view templateDefault(std::string_view expression) {
  constexpr std::string_view word = "default";
  for (std::size_t at = expression.find(word); at != npos; at = expression.find(word, at + word.size())) {
    if (at > 0 && (isIdentifierPart(expression[at - 1]) || expression[at - 1] == '.')) continue;
    const std::size_t next = expression.find_first_not_of(" (\\", at + word.size());
    if (next == npos || std::string_view("\"'`").find(expression[next]) == npos) continue;
    std::size_t end = 0;
    return literalAt(expression, next, end);
  }
  return {};
}

void readTemplateLines(const ReadContext& context, std::string_view text, FileFacts& out) {
  LineReader lines(text);
  std::string_view line;
  while (lines.next(line)) {
    line = trim(line);
    if (!line.starts_with("{{") || line.find("/*") != npos) continue;
    for (std::size_t at = line.find_first_of("\"`"); at != npos && at < line.size();) {
      std::size_t end = 0;
      addTaggedImage(context, literalAt(line, at, end), lines.number(), out);
      at = end == npos ? npos : line.find_first_of("\"`", end);
    }
  }
}

}  // namespace unwarp::scan
