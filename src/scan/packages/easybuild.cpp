// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// EasyBuild's recipes: Python assignments. A dependency is a tuple of name and version, which the table writes as
// `CUDA/12.1`; other settings are looked up with their value.
#include <string>

#include "base/text.h"
#include "scan/deploy/sites.h"
#include "scan/python/python_tokens.h"
#include "scan/readers.h"

namespace unwarp::scan {

void readEasyBuild(const ReadContext& context, const Input& input, FileFacts& out) {
  using knowledge::Ecosystem;
  const python::PyFile file = python::tokenizePython(input.bytes);
  const auto text = [&](std::uint32_t token) { return std::string(python::openString(file.at(token)).body); };
  for (const python::PyLine& line : file.lines) {
    const bool assigns = file.isName(line.first) && file.is(line.first + 1, "=");
    if (!assigns) continue;
    const std::string_view name = file.at(line.first);
    const bool dependencies = name.ends_with("dependencies");
    for (std::uint32_t i = line.first + 2; i < line.last; ++i) {
      if (!file.isString(i)) continue;
      const std::uint32_t number = file.tokens[i].line;
      const bool pair = file.is(i - 1, "(") && file.is(i + 1, ",") && file.isString(i + 2);
      if (dependencies && pair)
        addSite(context, Ecosystem::Config, {text(i) + "/" + text(i + 2)}, number, text(i + 2), out);
      else if (!dependencies)
        addSetting(context, name, text(i), number, out);
    }
  }
}

}  // namespace unwarp::scan
