// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/packages/toml_values.h"

#include "base/toml.h"

namespace unwarp::scan::packages {

void visitTomlNoting(std::string_view text, std::vector<std::string>& notes,
                     const std::function<void(const JsonScalar&)>& visit) {
  const std::optional<TomlFault> fault = visitToml(text, [&visit](const TomlValue& value) {
    const bool isString = value.kind == TomlKind::String;
    if (isString || value.kind == TomlKind::Plain) visit({value.path, value.value, isString, value.line});
  });
  if (fault)
    notes.push_back("not valid TOML throughout, faulty lines were passed over: line " + std::to_string(fault->line) +
                    ", " + fault->what);
}

}  // namespace unwarp::scan::packages
