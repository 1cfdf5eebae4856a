// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detector of rule W04, listed in warp_width.cpp; nobody else calls it.
#pragma once

#include "audit/rules/detector.h"
#include "audit/rules/warp_model.h"

namespace unwarp::audit {

void detectLaneArray(const patterns::WarpModel& model, Hits& hits);  // W04

}  // namespace unwarp::audit
