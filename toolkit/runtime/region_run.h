// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block of a grid in tier T1: threads go from meeting to meeting by calls of regions (abi.h). As long as all
// threads of a warp, or of a block whose threads meet at barriers only, stand at one place, this is all: a loop over
// threads, the meeting resolved for all at once, the next loop. Threads that part go on under the rules of BlockRun.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "compiler/abi/abi.h"
#include "runtime/block_run.h"

namespace uw {

// Threads that run together: a warp, or the block when it has no warp operations.
struct RegionPart {
  uint32_t first = 0;
  uint32_t count = 0;    // those that have not exited: the first ones
  bool arrived = false;  // at `site`, and not let go
  uint32_t site = 0;
};

/// What the threads of a block keep between calls; reused from block to block.
class RegionMemory {
 public:
  /// Room for a block's threads; contents are not kept.
  void fit(uint32_t threads, uint64_t frameBytes);

  char* frame() { return frame_.get(); }
  std::vector<uint32_t> next;
  std::vector<uint64_t> fields[kMeetingFields];
  std::vector<uint64_t> results;
  std::vector<RegionPart> parts;
  std::vector<Lane> lanes;  // for threads that part

 private:
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };
  std::unique_ptr<char, Free> frame_;
  uint64_t frameCapacity_ = 0;
};

class RegionRun {
 public:
  RegionRun(const BlockWork& work, RegionMemory& memory);

  /// Runs the block until it ends (true) or threads part (false).
  bool run();

  // For threads that have parted, by linear number.
  /// Whether one call can take these threads on, which stand at one place: what it takes from the first holds for all.
  bool haveInCommon(uint32_t first, uint32_t count) const;
  /// False for a thread that may run: it has not begun, or the barrier at which it stood has opened.
  bool hasArrived(uint32_t thread) const {
    const RegionPart& part = parts_[thread / partThreads_];
    return part.arrived || thread >= part.first + part.count;
  }
  uint32_t place(uint32_t thread) const { return memory_.next[thread]; }
  uint64_t result(uint32_t thread) const { return memory_.results[thread]; }
  void giveResult(uint32_t thread, uint64_t result) { memory_.results[thread] = result; }
  /// After threads have parted: true when those of each part stand at one place again, ready to go on together.
  bool join();
  /// Lets threads that stand at one place go on to their next meetings.
  void resume(uint32_t first, uint32_t count);
  /// Writes what a thread waits for into its lane.
  void describe(uint32_t thread, Lane& lane) const;

 private:
  const RegionSite& site(uint32_t number) const { return work_.regionTable->site[number - 1]; }
  uint64_t fieldOf(const RegionSite& site, MeetingField field, uint32_t thread) const;
  bool isUniform(const RegionSite& site, MeetingField field, const RegionPart& part) const;
  bool advance(RegionPart& part);
  bool goOn(RegionPart& part);
  bool standTogether(RegionPart& part);
  bool meet(const RegionPart& part);
  bool passBarrier();

  const BlockWork& work_;
  RegionMemory& memory_;
  uint32_t partThreads_;
  std::vector<RegionPart>& parts_;
  ThreadContext block_{};
  RegionCall call_{};
};

}  // namespace uw
