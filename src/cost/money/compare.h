// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two runs may be compared. A difference that alone can explain any ratio (model, precision, lengths, load,
// accuracy target, round, division) refuses the comparison; one that belongs to the question (engine, its version) or
// that nobody stated marks it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cost/money/measurement.h"

namespace unwarp::cost::money {

struct Comparability {
  std::vector<std::string> refusals;
  std::vector<std::string> marks;
  bool allowed() const { return refusals.empty(); }
};

Comparability compare(const Measurement& a, const Measurement& b);

/// What a run measured: model, workload, precision, round, lengths, load; its source when it names no model.
std::string titleOf(const Measurement& run);

/// "amd/Kimi-K2.7-Code-MXFP4" is "kimi-k2.7-code": what is the same model in another checkpoint.
std::string modelKey(std::string_view model);
/// Bits of a number format: 4 for fp4, nvfp4, mxfp4, int4; 8; 16 for bf16, fp16; 0 when unknown.
int precisionBits(std::string_view precision);

}  // namespace unwarp::cost::money
