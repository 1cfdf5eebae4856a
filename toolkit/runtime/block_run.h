// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block of a grid in tier T3: a fiber per thread, parked where threads meet. This is the tier that runs everything
// and against which every faster one is judged, so it favours plainness. In T1 the same rules hold for threads that
// have no fibers but go from meeting to meeting by calls, once they no longer stand at one place (region_run.h). Lanes
// run in ascending order until they park; when none is ready, meetings are resolved, first those of a warp, then those
// of the block. Convergence is maximal: an operation without a mask waits until the warp's other lanes cannot run any
// more.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/abi/abi.h"
#include "runtime/fiber.h"

namespace uw {

class BlockRun;
class RegionRun;

/// The name a user knows an operation by, for reports.
const char* nameOf(Wait wait);

struct Lane {
  ThreadContext context{};
  BlockRun* run = nullptr;
  void* stack = nullptr;
  Wait wait = Wait::ready;
  uint32_t site = 0;
  uint32_t mode = 0;
  uint32_t yields = 0;     // in a row
  bool onlyWaits = false;  // the loop that yielded changes nothing by going round
  uint64_t mask = 0;       // lanes named by the operation; 0: those that are converged here
  uint64_t value = 0;
  uint64_t operand = 0;  // source lane or distance, barrier id
  uint64_t extent = 0;   // segment width, barrier count
  uint64_t result = 0;
  std::vector<uint32_t> loops;  // waiting loops that the lane is in; lockstep devices only
  struct Observation {
    uint32_t site = 0;
    uint32_t seen = 0;
  } observations[4];  // what it saw last at the waiting loops it is in
};

/// What the threads of one block need to run, kept from block to block and from launch to launch while it is warm.
struct FiberSet {
  FiberSet(size_t threads, size_t stackBytes) : stacks(threads, stackBytes), lanes(threads) {}
  StackSet stacks;
  std::vector<Lane> lanes;
};

struct BlockWork {
  ThreadEntry entry = nullptr;   // T3
  RegionEntry region = nullptr;  // T1
  const RegionTable* regionTable = nullptr;
  const void* arguments = nullptr;
  uint32_t ctaid[3] = {};
  uint32_t ntid[3] = {};
  uint32_t nctaid[3] = {};
  uint32_t width = 32;
  uint32_t dynamicSharedBytes = 0;
  uint32_t sharedBytes = 0;
  char* shared = nullptr;

  uint32_t threads() const { return ntid[0] * ntid[1] * ntid[2]; }
};

class BlockRun {
 public:
  enum class State { finished, spinning, busy, atGridSync, stuck, together };

  /// `fibers` has at least as many as the block has threads.
  BlockRun(const BlockWork& work, FiberSet& fibers);
  /// Threads without fibers (T1), which go on from where `regions` left them. `lanes` as many as above.
  BlockRun(const BlockWork& work, std::vector<Lane>& lanes, RegionRun& regions);

  /// Runs until all threads have exited, all wait at a grid-wide barrier, all spin on what other blocks must write,
  /// some have gone round a loop for long (busy), or none can ever run again. In T1 also until all stand at one place
  /// again (together).
  State run();
  /// Lets threads that wait at a grid-wide barrier go on.
  void releaseGridSync();
  /// True when a waiting thread saw something new since the last call.
  bool takeNews() { return std::exchange(news_, false); }
  /// Two places at which threads wait, for the report of a run that cannot progress; `placeOf` gives the source line of
  /// a site, or nothing.
  std::string describeStuck(const std::function<std::string(uint32_t site)>& placeOf) const;

  /// Called inside a fiber: parks the running lane; returns what the meeting gave it.
  static uint64_t park(Lane& lane);
  /// Called inside a fiber: ends the thread where it stands.
  static void exit(Lane& lane);
  /// Counts the running thread at a barrier without waiting there.
  static void arriveAt(Lane& lane, uint32_t barrier, uint32_t threads);
  /// Called inside a fiber at a progress point: notes what the running lane saw of others since its last one.
  static void observe(Lane& lane, uint32_t site);

 private:
  // What the lanes of one warp do, as sets of lanes: a scheduler step looks at words, not at lanes.
  struct Warp {
    uint32_t first = 0;  // its first lane in lanes_
    uint32_t count = 0;  // lanes that exist
    uint64_t ready = 0;
    uint64_t yielded = 0;
    uint64_t meeting = 0;  // at a warp operation, or at the end of a waiting loop
    uint64_t exited = 0;

    uint64_t all() const { return count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }
  };
  BlockRun(const BlockWork& work, std::vector<Lane>& lanes);
  static void laneMain(void* lane);
  Lane& laneOf(const Warp& warp, uint32_t number) { return lanes_[warp.first + number]; }
  void settle(Warp& warp, const Lane& lane, uint64_t bit);
  void runReady(Warp& warp);
  void runRegions(Warp& warp);
  void noteArrival(Warp& warp, uint32_t number);
  bool resolveWarp(Warp& warp, bool force);
  bool resolveExplicit(Warp& warp);
  bool resolveImplicit(Warp& warp, bool partial);
  bool resolveLoopExits(Warp& warp);
  bool stillComes(Warp& warp);
  bool resolveBarriers();
  bool joinRegions();
  bool releaseBarrier(const Lane& first);
  bool wakeYielded(bool& onlyWaiting);
  bool settleStuck(State& state);
  void meet(Warp& warp, uint64_t group);
  void release(Warp& warp, uint64_t group);
  uint64_t sameOperation(Warp& warp, const Lane& lane, bool sameSite);

  BlockWork work_;
  RegionRun* regions_ = nullptr;  // T1
  std::span<Lane> lanes_;
  std::vector<Warp> warps_;
  Warp* running_ = nullptr;
  uint32_t live_ = 0;
  uint32_t atBarrier_ = 0;
  uint32_t atGridSync_ = 0;
  uint32_t idleRounds_ = 0;
  struct Arrivals {
    uint32_t barrier;
    uint32_t count;
  };
  std::vector<Arrivals> arrivals_;  // of threads that did not wait
  bool news_ = false;
  void* scheduler_ = nullptr;
};

/// The lane that runs on this worker now, or null: what a crash report names.
Lane* runningLane();
/// After a fault, which leaves a lane without returning from it.
void forgetRunningLane();

}  // namespace uw
