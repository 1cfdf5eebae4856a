// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detectors of rules W07 to W12, which look at launches, packed formats, macros and constant expressions rather than at
// lane arithmetic. They are listed in warp_width.cpp; nobody else calls them.
#pragma once

#include "audit/rules/detector.h"
#include "audit/rules/warp_model.h"

namespace unwarp::audit {

void detectNarrowRows(const patterns::WarpModel& model, Hits& hits);        // W07
void detectPackedWords(const patterns::WarpModel& model, Hits& hits);       // W08
void detectLaunchGeometry(const patterns::WarpModel& model, Hits& hits);    // W09
void detectFixed64(const scan::SourceFacts& facts, Hits& hits);             // W10
void detectPassDependentWidth(const scan::SourceFacts& facts, Hits& hits);  // W11
void detectConstantContext(const scan::SourceFacts& facts, Hits& hits);     // W12

}  // namespace unwarp::audit
