// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a benchmark file leaves out, said beside it: `gpu = "H100"`, `gpus = 8`, `precision = "fp8"`. A sidecar fills
// gaps; where the file itself says something else, one of the two is wrong and neither is used.
#pragma once

#include <string>
#include <string_view>

#include "cost/money/reading.h"

namespace unwarp::cost::money {

/// Applies a sidecar to all measurements read so far; faults are told with the sidecar's name and line.
void applySidecar(const std::string& file, std::string_view text, Reading& reading);

}  // namespace unwarp::cost::money
