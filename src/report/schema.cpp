// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The published schema travels in the program, so that `audit --schema` prints exactly what the documentation holds.
#include "base/embedded.h"
#include "report/report.h"

namespace unwarp::report {

std::string_view auditSchema() {
  for (const auto& [path, text] : embedded::schemaFiles())
    if (path.ends_with("audit.schema.json")) return text;
  return {};
}

}  // namespace unwarp::report
