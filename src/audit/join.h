// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the outcomes of all files to one result: inventory by name, layers, totals, deciders.
#pragma once

#include "audit/file_outcome.h"

namespace unwarp::audit {

/// Consumes `outcomes`, which must be ordered by path. Fills everything of `out` but tool, root and skipped.
void join(const knowledge::Knowledge&, std::vector<FileOutcome>&& outcomes, result::AuditResult& out);

}  // namespace unwarp::audit
