// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the inventory calls a dependency. A record may stand for many names (`p2.* | p3.* | p4d.*`), and a reader wants
// to see what his tree holds, `p4d.24xlarge`. But what was found may be a phrase of the user's own (a whole command
// line); then the pattern that recognised it gives a name for all phrases of its kind: `nvidia-smi mig`.
#pragma once

#include <string>
#include <string_view>

#include "knowledge/knowledge.h"

namespace unwarp::audit {

/// The name of a use of `record` that was found as `found`, which may be empty.
std::string shownName(const knowledge::Dependency& record, std::string_view found);

}  // namespace unwarp::audit
