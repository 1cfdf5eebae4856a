// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detectors of rules W07 to W12, which look at launches, packed formats, macros and constant expressions rather than at
// lane arithmetic (W10 at both, in lane_code_64.cpp). They are listed in warp_width.cpp; nobody else calls them.
#pragma once

#include "audit/rules/detector.h"
#include "audit/rules/warp_model.h"

namespace unwarp::audit {

void detectNarrowRows(const patterns::WarpModel& model, Hits& hits);        // W07
void detectPackedWords(const patterns::WarpModel& model, Hits& hits);       // W08
void detectLaunchGeometry(const patterns::WarpModel& model, Hits& hits);    // W09
void detectFixed64(const patterns::WarpModel& model, Hits& hits);           // W10
void detectLaneCodeBy64(const patterns::WarpModel& model, Hits& hits);      // W10: device code
void detectPassDependentWidth(const scan::SourceFacts& facts, Hits& hits);  // W11
void detectConstantContext(const scan::SourceFacts& facts, Hits& hits);     // W12

/// An `#if` around the token asks which architecture is compiled; `devicePassToo`: or whether it is the device pass.
bool chosenByArchitecture(const scan::SourceFacts& facts, scan::TokenIndex token, bool devicePassToo);
/// An `#if` around the token asks for the width: `#if WARP_SIZE == 64`, `#ifdef WAVE64`.
bool chosenByWidth(const scan::SourceFacts& facts, scan::TokenIndex token);

}  // namespace unwarp::audit
