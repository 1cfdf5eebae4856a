// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lanes that met give each other: shuffles, votes, matches, reductions. Pure functions over the lanes of one warp,
// for 32 and 64 lanes alike; the rules for 64 are those of design page "what a width-64 run means".
#pragma once

#include <cstdint>
#include <cstring>

#include "compiler/abi/abi.h"

namespace uw {

/// One operation of a warp, as its lanes called it. Arrays have an element for each lane of the warp.
struct WarpMeeting {
  Wait kind;
  uint32_t mode;
  uint64_t mask;   // lanes named; 0: whoever is there
  uint32_t count;  // lanes that exist
  uint32_t width;  // lanes of a full warp
  const uint64_t* value;
  const uint64_t* operand;
  const uint64_t* extent;
  uint64_t* result;
  bool sameDistance = false;  // all lanes are known to say the same operand and extent
};

/// Whether the first `count` of an array are all the same: each equals its neighbour, which the C library compares in
/// vectors.
template <class Value>
bool allEqual(const Value* values, size_t count) {
  return count < 2 || std::memcmp(values, values + 1, (count - 1) * sizeof(Value)) == 0;
}

bool isWarpOperation(Wait wait);

/// Fills `result` of every lane in `group`, which are those that arrived.
void resolveMeeting(const WarpMeeting& warp, uint64_t group);

uint64_t barrierResult(uint32_t mode, uint64_t votes, uint64_t arrived);

}  // namespace uw
