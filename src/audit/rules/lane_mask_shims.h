// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compatibility shims: macros and functions of a project that carry the name of a CUDA warp built-in and map it to
// something less. Rules M08 (a mask that is dropped or narrowed) and Y02 (a __syncwarp that does nothing) ask about
// them.
#pragma once

#include "audit/rules/detector.h"

namespace unwarp::audit {

void detectShim(const scan::SourceFacts& facts, Hits& hits);       // M08
void detectEmptySync(const scan::SourceFacts& facts, Hits& hits);  // Y02

}  // namespace unwarp::audit
