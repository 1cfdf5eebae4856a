// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See template_text.h. A literal ends at its own quote; inside a quoted YAML value its quotes are escaped.
#include "scan/deploy/template_text.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "scan/deploy/sites.h"
#include "scan/deploy/template_values.h"

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

/// One `{{ ... }}` without its braces, and the variable it is given to.
struct Expression {
  std::string_view variable, text;
};

std::vector<Expression> expressionsOf(std::string_view line) {
  std::vector<Expression> result;
  for (std::size_t open = line.find("{{"); open != npos; open = line.find("{{", open)) {
    const std::size_t close = std::min(line.find("}}", open), line.size());
    const std::string_view inside = trim(line.substr(open + 2, close - open - 2));
    const std::size_t equals = inside.find('='), name = inside.find('$');
    const bool assigns = equals != npos && name < equals && inside.substr(0, name).find_first_not_of("- ") == npos;
    if (assigns)
      result.push_back(
          {trim(inside.substr(name, inside.find_first_of(" :=", name) - name)), inside.substr(equals + 1)});
    else
      result.push_back({{}, inside});
    open = close;
  }
  return result;
}

}  // namespace

void readTemplateLines(const ReadContext& context, std::string_view text, FileFacts& out) {
  constexpr std::size_t mostVariables = 256;
  TemplateVariables variables;
  LineReader lines(text);
  std::string_view line;
  while (lines.next(line)) {
    line = trim(line);
    if (!line.starts_with("{{") || line.find("/*") != npos) continue;
    bool evaluated = false;
    for (const Expression& expression : expressionsOf(line)) {
      std::vector<std::string> values = templateValues(expression.text, variables);
      evaluated |= !values.empty();
      for (const std::string& value : values) addTaggedImage(context, value, lines.number(), out);
      if (!expression.variable.empty() && variables.size() < mostVariables)
        variables[std::string(expression.variable)] = std::move(values);
    }
    if (evaluated) continue;  // its literals are parts of what was put together
    for (std::size_t at = line.find_first_of("\"`"); at != npos && at < line.size();) {
      std::size_t end = 0;
      addTaggedImage(context, literalAt(line, at, end), lines.number(), out);
      at = end == npos ? npos : line.find_first_of("\"`", end);
    }
  }
}

}  // namespace unwarp::scan
