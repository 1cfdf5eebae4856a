// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/block_run.h"

#include <algorithm>

#include "runtime/meeting.h"

namespace uw {
namespace {

// Rounds in which every runnable thread of a block only spun, before the worker looks at other blocks.
constexpr uint32_t kSpinRounds = 64;
// Spins of a lane after which operations without a mask stop waiting for it.
constexpr uint32_t kPatience = 256;

thread_local Lane* tRunning = nullptr;

uint64_t bit(uint32_t lane) {
  return uint64_t{1} << lane;
}

}  // namespace

Lane* runningLane() {
  return tRunning;
}

void forgetRunningLane() {
  tRunning = nullptr;
}

const char* nameOf(Wait wait) {
  static const char* const names[] = {"nothing",       "a waiting loop",      "__syncwarp",       "a warp shuffle",
                                      "a warp vote",   "a warp match",        "a warp reduction", "an active mask",
                                      "__syncthreads", "a grid-wide barrier", "its end"};
  return names[static_cast<size_t>(wait)];
}

BlockRun::BlockRun(const BlockWork& work, StackSet& stacks) : work_(work), lanes_(work.threads()) {
  warps_ = (work_.threads() + work_.width - 1) / work_.width;
  live_ = work_.threads();
  for (uint32_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    ThreadContext& context = lane.context;
    context.tid[0] = i % work_.ntid[0];
    context.tid[1] = i / work_.ntid[0] % work_.ntid[1];
    context.tid[2] = i / work_.ntid[0] / work_.ntid[1];
    std::copy_n(work_.ctaid, 3, context.ctaid);
    std::copy_n(work_.ntid, 3, context.ntid);
    std::copy_n(work_.nctaid, 3, context.nctaid);
    context.width = work_.width;
    context.linear = i;
    context.dynamicSharedBytes = work_.dynamicSharedBytes;
    context.shared = work_.shared;
    context.lane = &lane;
    lane.run = this;
    lane.stack = prepareStack(stacks.top(i), &BlockRun::laneMain, &lane);
  }
}

void BlockRun::laneMain(void* argument) {
  Lane& lane = *static_cast<Lane*>(argument);
  lane.run->work_.entry(lane.run->work_.arguments, &lane.context);
  lane.wait = Wait::exited;
  --lane.run->live_;
  park(lane);
}

uint64_t BlockRun::park(Lane& lane) {
  uwSwitchStack(&lane.stack, lane.run->scheduler_);
  return lane.result;
}

void BlockRun::resume(Lane& lane) {
  lane.wait = Wait::ready;
  tRunning = &lane;
  uwSwitchStack(&scheduler_, lane.stack);
  tRunning = nullptr;
}

uint32_t BlockRun::laneCount(uint32_t warp) const {
  return std::min(work_.width, static_cast<uint32_t>(lanes_.size()) - firstLane(warp));
}

uint64_t BlockRun::lanesWhere(uint32_t warp, Wait wait) const {
  uint64_t found = 0;
  for (uint32_t i = 0; i < laneCount(warp); ++i) {
    if (lanes_[firstLane(warp) + i].wait == wait) found |= bit(i);
  }
  return found;
}

bool BlockRun::runReady(uint32_t warp) {
  bool ran = false;
  for (uint32_t i = 0; i < laneCount(warp); ++i) {
    Lane& lane = lanes_[firstLane(warp) + i];
    if (lane.wait != Wait::ready) continue;
    resume(lane);
    if (lane.wait != Wait::yielded) lane.yields = 0;
    ran = true;
  }
  return ran;
}

BlockRun::State BlockRun::run() {
  while (live_ > 0) {
    bool moved = false;
    for (uint32_t warp = 0; warp < warps_; ++warp) {
      // A warp runs as far as it can get alone before the next one is looked at: its data stays in the cache.
      while (runReady(warp) || resolveWarp(warp, /*force=*/false)) moved = true;
    }
    if (live_ == 0) break;
    bool met = resolveBarrier();
    if (met) idleRounds_ = 0;
    if (wakeYielded()) {
      if (!met && ++idleRounds_ >= kSpinRounds) return idleRounds_ = 0, State::spinning;
      continue;
    }
    if (met) continue;
    bool forced = false;
    for (uint32_t warp = 0; warp < warps_ && !forced; ++warp) forced = resolveWarp(warp, /*force=*/true);
    if (forced) continue;
    bool grid = true;
    for (const Lane& lane : lanes_) grid &= lane.wait == Wait::gridSync || lane.wait == Wait::exited;
    if (grid) return State::atGridSync;
    if (!moved) return State::stuck;
  }
  return State::finished;
}

void BlockRun::releaseGridSync() {
  for (Lane& lane : lanes_) {
    if (lane.wait == Wait::gridSync) lane.wait = Wait::ready;
  }
}

bool BlockRun::wakeYielded() {
  bool any = false;
  for (Lane& lane : lanes_) {
    if (lane.wait != Wait::yielded) continue;
    lane.wait = Wait::ready;
    ++lane.yields;
    any = true;
  }
  return any;
}

uint64_t BlockRun::sameOperation(uint32_t warp, const Lane& wanted, bool sameSite) const {
  uint64_t found = 0;
  for (uint32_t i = 0; i < laneCount(warp); ++i) {
    const Lane& lane = lanes_[firstLane(warp) + i];
    bool same = lane.wait == wanted.wait && lane.mask == wanted.mask && lane.mode == wanted.mode &&
                (!sameSite || lane.site == wanted.site);
    if (same) found |= bit(i);
  }
  return found;
}

bool BlockRun::resolveWarp(uint32_t warp, bool force) {
  if (resolveExplicit(warp)) return true;
  uint64_t runnable = 0;
  for (uint32_t i = 0; i < laneCount(warp); ++i) {
    const Lane& lane = lanes_[firstLane(warp) + i];
    bool stillComes = lane.wait == Wait::ready || (lane.wait == Wait::yielded && lane.yields < kPatience);
    if (stillComes) runnable |= bit(i);
  }
  if (runnable == 0 && resolveImplicit(warp)) return true;
  return force && resolvePartial(warp);
}

// Operations that name their lanes: complete when all named lanes that have not exited are there.
bool BlockRun::resolveExplicit(uint32_t warp) {
  uint64_t live = ~lanesWhere(warp, Wait::exited);
  if (laneCount(warp) < 64) live &= bit(laneCount(warp)) - 1;
  for (uint32_t i = 0; i < laneCount(warp); ++i) {
    const Lane& lane = lanes_[firstLane(warp) + i];
    if (!isWarpOperation(lane.wait) || lane.mask == 0) continue;
    uint64_t here = sameOperation(warp, lane, /*sameSite=*/false);
    // A lane that calls belongs to its group even when the mask forgets it (64 lanes, a 32-bit mask).
    if ((lane.mask & live & ~here) != 0) continue;
    meet(warp, here);
    return true;
  }
  return false;
}

// Operations of whoever is converged: the earliest place in the program first, so that later lanes join them.
bool BlockRun::resolveImplicit(uint32_t warp) {
  const Lane* first = nullptr;
  for (uint32_t i = 0; i < laneCount(warp); ++i) {
    const Lane& lane = lanes_[firstLane(warp) + i];
    if (isWarpOperation(lane.wait) && lane.mask == 0 && (!first || lane.site < first->site)) first = &lane;
  }
  if (!first) return false;
  meet(warp, sameOperation(warp, *first, /*sameSite=*/true));
  return true;
}

// Nothing else can run: lanes that were named do not come. Hardware would carry on with those that are there; only
// `__syncwarp` truly waits.
bool BlockRun::resolvePartial(uint32_t warp) {
  const Lane* first = nullptr;
  for (uint32_t i = 0; i < laneCount(warp); ++i) {
    const Lane& lane = lanes_[firstLane(warp) + i];
    bool candidate = isWarpOperation(lane.wait) && lane.wait != Wait::syncwarp;
    if (candidate && (!first || lane.site < first->site)) first = &lane;
  }
  if (!first) return false;
  meet(warp, sameOperation(warp, *first, /*sameSite=*/true));
  return true;
}

void BlockRun::meet(uint32_t warp, uint64_t group) {
  WarpView view{&lanes_[firstLane(warp)], laneCount(warp), work_.width};
  resolveMeeting(view, group);
  for (uint32_t i = 0; i < laneCount(warp); ++i) {
    if (group & bit(i)) lanes_[firstLane(warp) + i].wait = Wait::ready;
  }
}

bool BlockRun::resolveBarrier() {
  bool any = false;
  for (const Lane& first : lanes_) {
    if (first.wait != Wait::barrier) continue;
    uint64_t arrived = 0;
    uint64_t votes = 0;
    for (const Lane& lane : lanes_) {
      if (lane.wait != Wait::barrier || lane.operand != first.operand) continue;
      ++arrived;
      votes += lane.value != 0;
    }
    // Exited threads never hold a barrier; a count names how many threads meet.
    uint64_t expected = first.extent ? std::min<uint64_t>(first.extent, live_) : live_;
    if (arrived < expected) continue;
    uint64_t id = first.operand;
    for (Lane& lane : lanes_) {
      if (lane.wait != Wait::barrier || lane.operand != id) continue;
      lane.result = barrierResult(lane.mode, votes, arrived);
      lane.wait = Wait::ready;
    }
    any = true;
  }
  return any;
}

std::string BlockRun::describeStuck() const {
  std::string text;
  const Lane* first = nullptr;
  for (const Lane& lane : lanes_) {
    if (lane.wait == Wait::exited) continue;
    bool other = first && (lane.wait != first->wait || lane.site != first->site);
    if (first && !other) continue;
    text += std::string(text.empty() ? "" : ", while ") + "thread (" + std::to_string(lane.context.tid[0]) + "," +
            std::to_string(lane.context.tid[1]) + "," + std::to_string(lane.context.tid[2]) + ") waits at " +
            nameOf(lane.wait) + " (site " + std::to_string(lane.site) + ")";
    if (other) break;
    first = &lane;
  }
  return text;
}

}  // namespace uw
