// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The detectors of group A that live in arch_guards.cpp. Private to the list in assembly.cpp.
#pragma once

#include "audit/rules/detector.h"

namespace unwarp::audit {

/// A05: device code and qualifier macros that vanish because HIP defines neither __CUDA_ARCH__ nor __CUDACC__.
void detectArchGuards(const scan::SourceFacts& facts, Hits& hits);
/// A06: compute capabilities compared with numbers.
void detectCapability(const scan::SourceFacts& facts, Hits& hits);

}  // namespace unwarp::audit
