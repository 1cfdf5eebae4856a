// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule M01: a lane mask of 64 bits that is kept in 32.
#pragma once

#include "audit/rules/detector.h"
#include "audit/rules/warp_model.h"

namespace unwarp::audit {

void detectNarrowedMask(const patterns::WarpModel& model, Hits& hits);

}  // namespace unwarp::audit
