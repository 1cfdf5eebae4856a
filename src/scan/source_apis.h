// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tokens of a source are uses of known APIs.
#pragma once

#include "scan/facts.h"
#include "scan/source_facts.h"

namespace unwarp::scan {

/// Appends the API uses of `facts` to `out.apis`; headers without an API record go to `out.dependencies`.
void findApiUses(const ReadContext& context, const SourceFacts& facts, FileFacts& out);

}  // namespace unwarp::scan
