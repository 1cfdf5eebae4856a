// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lanes can reach a token, as far as the conditions around it say: `if` and its else, `?:`, and an early return.
// Only comparisons of a thread's own number with a number of the file count; whatever else a condition asks for can
// only take lanes away.
#pragma once

#include <cstdint>

#include "audit/rules/lane_flow.h"
#include "audit/rules/lanes.h"

namespace unwarp::audit::patterns {

/// Lanes of the first 64 threads.
struct ActiveLanes {
  std::uint64_t lanes = ~std::uint64_t{0};  ///< no other lane passes
  bool exact = true;                        ///< all of them pass
};

/// `exits` belongs to the model whose `places` are asked.
ActiveLanes activeLanes(const SourceFacts& facts, const Places& places, EarlyExits& exits, TokenIndex t);

}  // namespace unwarp::audit::patterns
