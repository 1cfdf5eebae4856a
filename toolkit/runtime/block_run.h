// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block of a grid in tier T3: a fiber per thread, parked where threads meet. This is the tier that runs everything
// and against which every faster one is judged, so it favours plainness: lanes run in ascending order until they park;
// when none is ready, meetings are resolved, first those of a warp, then those of the block. Convergence is maximal: an
// operation without a mask waits until the warp's other lanes cannot run any more.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/abi/abi.h"
#include "runtime/fiber.h"

namespace uw {

class BlockRun;

enum class Wait : uint8_t {
  ready,
  yielded,
  syncwarp,
  shuffle,
  vote,
  match,
  reduce,
  activemask,
  barrier,
  gridSync,
  exited
};

/// The name a user knows an operation by, for reports.
const char* nameOf(Wait wait);

struct Lane {
  ThreadContext context{};
  BlockRun* run = nullptr;
  void* stack = nullptr;
  Wait wait = Wait::ready;
  uint32_t site = 0;
  uint32_t mode = 0;
  uint32_t yields = 0;  // in a row, at one site
  uint64_t mask = 0;    // lanes named by the operation; 0: those that are converged here
  uint64_t value = 0;
  uint64_t operand = 0;  // source lane or distance, barrier id
  uint64_t extent = 0;   // segment width, barrier count
  uint64_t result = 0;
};

struct BlockWork {
  ThreadEntry entry = nullptr;
  const void* arguments = nullptr;
  uint32_t ctaid[3] = {};
  uint32_t ntid[3] = {};
  uint32_t nctaid[3] = {};
  uint32_t width = 32;
  uint32_t dynamicSharedBytes = 0;
  char* shared = nullptr;

  uint32_t threads() const { return ntid[0] * ntid[1] * ntid[2]; }
};

class BlockRun {
 public:
  enum class State { finished, spinning, atGridSync, stuck };

  /// `stacks` has at least as many stacks as the block has threads.
  BlockRun(const BlockWork& work, StackSet& stacks);

  /// Runs until all threads have exited, all wait at a grid-wide barrier, all spin on what other blocks must write, or
  /// none can ever run again.
  State run();
  /// Lets threads that wait at a grid-wide barrier go on.
  void releaseGridSync();
  /// Two places at which threads wait, for the report of a run that cannot progress.
  std::string describeStuck() const;

  /// Called inside a fiber: parks the running lane; returns what the meeting gave it.
  static uint64_t park(Lane& lane);

 private:
  struct Warp;
  static void laneMain(void* lane);
  void resume(Lane& lane);
  uint32_t firstLane(uint32_t warp) const { return warp * work_.width; }
  uint32_t laneCount(uint32_t warp) const;
  uint64_t lanesWhere(uint32_t warp, Wait wait) const;
  bool runReady(uint32_t warp);
  bool resolveWarp(uint32_t warp, bool force);
  bool resolveExplicit(uint32_t warp);
  bool resolveImplicit(uint32_t warp);
  bool resolvePartial(uint32_t warp);
  bool resolveBarrier();
  bool wakeYielded();
  void meet(uint32_t warp, uint64_t group);
  void meetLane(uint32_t warp, uint64_t group, uint32_t number);
  uint64_t sameOperation(uint32_t warp, const Lane& lane, bool sameSite) const;

  BlockWork work_;
  std::vector<Lane> lanes_;
  uint32_t warps_ = 0;
  uint32_t live_ = 0;
  uint32_t idleRounds_ = 0;
  void* scheduler_ = nullptr;
};

/// The lane that runs on this worker now, or null: what a crash report names.
Lane* runningLane();
/// After a fault, which leaves a lane without returning from it.
void forgetRunningLane();

}  // namespace uw
