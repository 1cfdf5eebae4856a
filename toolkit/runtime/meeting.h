// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lanes that met give each other: shuffles, votes, matches, reductions. Pure functions over the lanes of one warp,
// for 32 and 64 lanes alike; the rules for 64 are those of design page "what a width-64 run means".
#pragma once

#include <cstdint>

#include "runtime/block_run.h"

namespace uw {

struct WarpView {
  Lane* lanes;     // of this warp
  uint32_t count;  // lanes that exist
  uint32_t width;  // lanes of a full warp
};

bool isWarpOperation(Wait wait);

/// Fills `result` of every lane in `group`; all of them wait at the same kind of operation.
void resolveMeeting(WarpView& warp, uint64_t group);

uint64_t barrierResult(uint32_t mode, uint64_t votes, uint64_t arrived);

}  // namespace uw
