// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/block_run.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "runtime/meeting.h"
#include "runtime/region_run.h"

namespace uw {
namespace {

// Rounds in which every runnable thread of a block only spun, before the worker looks at other blocks.
constexpr uint32_t kSpinRounds = 64;
// Likewise when loops do work while they go round: other blocks get a turn, but rarely.
constexpr uint32_t kBusyRounds = 4096;
// Spins of a lane after which operations without a mask stop waiting for it.
constexpr uint32_t kPatience = 256;

thread_local Lane* tRunning = nullptr;

uint64_t bit(uint64_t lane) {
  return uint64_t{1} << lane;
}

uint32_t lowest(uint64_t lanes) {
  return static_cast<uint32_t>(std::countr_zero(lanes));
}

}  // namespace

Lane* runningLane() {
  return tRunning;
}

void forgetRunningLane() {
  tRunning = nullptr;
}

const char* nameOf(Wait wait) {
  static const char* const names[] = {
      "nothing",       "a waiting loop",      "__syncwarp",     "a warp shuffle",   "a warp vote",
      "a warp match",  "a warp reduction",    "an active mask", "a volatile store", "the end of a waiting loop",
      "__syncthreads", "a grid-wide barrier", "its end"};
  return names[static_cast<size_t>(wait)];
}

BlockRun::BlockRun(const BlockWork& work, FiberSet& fibers) : BlockRun(work, fibers.lanes) {
  for (uint32_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i].stack = prepareStack(fibers.stacks.top(i), &BlockRun::laneMain, &lanes_[i]);
  }
}

BlockRun::BlockRun(const BlockWork& work, std::vector<Lane>& lanes, RegionRun& regions) : BlockRun(work, lanes) {
  regions_ = &regions;
  for (Warp& warp : warps_) {
    for (uint32_t i = 0; i < warp.count; ++i) {
      laneOf(warp, i).result = regions.result(warp.first + i);
      if (!regions.hasArrived(warp.first + i)) continue;
      warp.ready &= ~bit(i);
      noteArrival(warp, i);
    }
  }
}

BlockRun::BlockRun(const BlockWork& work, std::vector<Lane>& lanes)
    : work_(work), lanes_(lanes.data(), work.threads()) {
  for (uint32_t first = 0; first < work_.threads(); first += work_.width) {
    Warp warp;
    warp.first = first;
    warp.count = std::min(work_.width, work_.threads() - first);
    warp.ready = warp.all();
    warps_.push_back(warp);
  }
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
    context.sharedBytes = work_.sharedBytes;
    context.lane = &lane;
    context.carry = context.observed = 0;
    lane.run = this;
    lane.wait = Wait::ready;
    lane.yields = 0;
    lane.loops.clear();
    std::fill(std::begin(lane.observations), std::end(lane.observations), Lane::Observation{});
  }
}

void BlockRun::laneMain(void* argument) {
  Lane& lane = *static_cast<Lane*>(argument);
  lane.run->work_.entry(lane.run->work_.arguments, &lane.context);
  exit(lane);
}

void BlockRun::exit(Lane& lane) {
  lane.wait = Wait::exited;
  park(lane);
}

void BlockRun::arriveAt(Lane& lane, uint32_t barrier, uint32_t threads) {
  for (Arrivals& arrivals : lane.run->arrivals_) {
    if (arrivals.barrier != barrier) continue;
    // A barrier that completes on arrivals alone starts anew.
    arrivals.count = arrivals.count + 1 == threads ? 0 : arrivals.count + 1;
    return;
  }
  lane.run->arrivals_.push_back({barrier, 1});
}

// Goes on with the warp's next ready lane at once, or back to the scheduler when there is none: one switch instead of
// two for every lane that parks.
uint64_t BlockRun::park(Lane& lane) {
  BlockRun& run = *lane.run;
  Warp& warp = *run.running_;
  run.settle(warp, lane, bit(static_cast<uint32_t>(&lane - &run.lanes_[warp.first])));
  if (warp.ready == 0) {
    uwSwitchStack(&lane.stack, run.scheduler_);
    return lane.result;
  }
  uint32_t next = lowest(warp.ready);
  warp.ready &= warp.ready - 1;
  Lane& other = run.laneOf(warp, next);
  if (&other == &lane) return lane.result;
  tRunning = &other;
  uwSwitchStack(&lane.stack, other.stack);
  return lane.result;
}

void BlockRun::observe(Lane& lane, uint32_t site) {
  uint32_t seen = std::exchange(lane.context.observed, 0);
  Lane::Observation& last = lane.observations[site % std::size(lane.observations)];
  if (last.site == site && last.seen == seen) return;
  last = {site, seen};
  lane.run->news_ = true;
}

// Enters a lane that stopped running into the set of its kind.
void BlockRun::settle(Warp& warp, const Lane& lane, uint64_t bit) {
  switch (lane.wait) {
    case Wait::yielded:
      warp.yielded |= bit;
      return;
    case Wait::barrier:
      ++atBarrier_;
      return;
    case Wait::gridSync:
      ++atGridSync_;
      return;
    case Wait::exited:
      warp.exited |= bit;
      --live_;
      return;
    default:
      warp.meeting |= bit;
  }
}

// The meeting at which a region left its thread, or the thread's end.
void BlockRun::noteArrival(Warp& warp, uint32_t number) {
  Lane& lane = laneOf(warp, number);
  regions_->describe(warp.first + number, lane);
  settle(warp, lane, bit(number));
}

// Threads that go on from the same place do so in one call.
void BlockRun::runRegions(Warp& warp) {
  while (warp.ready != 0) {
    uint32_t from = lowest(warp.ready);
    uint32_t to = from;
    for (; to < warp.count && (warp.ready & bit(to)) != 0; ++to) {
      if (regions_->place(warp.first + to) != regions_->place(warp.first + from)) break;
      regions_->giveResult(warp.first + to, laneOf(warp, to).result);
      warp.ready &= ~bit(to);
    }
    bool together = regions_->haveInCommon(warp.first + from, to - from);
    uint32_t step = together ? to - from : 1;
    for (uint32_t i = from; i < to; i += step) regions_->resume(warp.first + i, step);
    for (uint32_t i = from; i < to; ++i) noteArrival(warp, i);
  }
}

void BlockRun::runReady(Warp& warp) {
  if (regions_) return runRegions(warp);
  running_ = &warp;
  while (warp.ready != 0) {
    Lane& lane = laneOf(warp, lowest(warp.ready));
    warp.ready &= warp.ready - 1;
    tRunning = &lane;
    uwSwitchStack(&scheduler_, lane.stack);
  }
  tRunning = nullptr;
}

BlockRun::State BlockRun::run() {
  while (live_ > 0) {
    for (Warp& warp : warps_) {
      // A warp runs as far as it can get alone before the next one is looked at: its data stays in the cache.
      do {
        if (warp.ready != 0) runReady(warp);
      } while (warp.meeting != 0 && resolveWarp(warp, /*force=*/false));
    }
    if (live_ == 0) break;
    bool met = atBarrier_ > 0 && resolveBarriers();
    if (met) idleRounds_ = 0;
    if (met && regions_ && joinRegions()) return State::together;
    bool onlyWaiting = true;
    if (wakeYielded(onlyWaiting)) {
      uint32_t limit = onlyWaiting ? kSpinRounds : kBusyRounds;
      if (!met && ++idleRounds_ >= limit) {
        idleRounds_ = 0;
        return onlyWaiting ? State::spinning : State::busy;
      }
      continue;
    }
    State state = State::finished;
    if (!met && settleStuck(state)) return state;
  }
  return State::finished;
}

// Nobody can run. True with `state` set when that stays so.
bool BlockRun::settleStuck(State& state) {
  for (Warp& warp : warps_) {
    if (warp.meeting != 0 && resolveWarp(warp, /*force=*/true)) return false;
  }
  state = atGridSync_ == live_ ? State::atGridSync : State::stuck;
  return true;
}

void BlockRun::releaseGridSync() {
  atGridSync_ = 0;
  for (Warp& warp : warps_) {
    for (uint32_t i = 0; i < warp.count; ++i) {
      if (laneOf(warp, i).wait == Wait::gridSync) release(warp, bit(i));
    }
  }
}

bool BlockRun::wakeYielded(bool& onlyWaiting) {
  bool any = false;
  for (Warp& warp : warps_) {
    for (uint64_t left = warp.yielded; left != 0; left &= left - 1) {
      Lane& lane = laneOf(warp, lowest(left));
      ++lane.yields;
      lane.wait = Wait::ready;
      onlyWaiting &= lane.onlyWaits;
      any = true;
    }
    warp.ready |= warp.yielded;
    warp.yielded = 0;
  }
  return any;
}

void BlockRun::release(Warp& warp, uint64_t group) {
  for (uint64_t left = group; left != 0; left &= left - 1) {
    Lane& lane = laneOf(warp, lowest(left));
    lane.wait = Wait::ready;
    lane.yields = 0;
  }
  warp.meeting &= ~group;
  warp.ready |= group;
}

uint64_t BlockRun::sameOperation(Warp& warp, const Lane& wanted, bool sameSite) {
  uint64_t found = 0;
  for (uint64_t left = warp.meeting; left != 0; left &= left - 1) {
    const Lane& lane = laneOf(warp, lowest(left));
    bool same = lane.wait == wanted.wait && lane.mask == wanted.mask && lane.mode == wanted.mode &&
                (!sameSite || lane.site == wanted.site);
    if (same) found |= left & ~(left - 1);
  }
  return found;
}

bool BlockRun::resolveWarp(Warp& warp, bool force) {
  if (resolveExplicit(warp) || resolveLoopExits(warp)) return true;
  if (!stillComes(warp) && resolveImplicit(warp, /*partial=*/false)) return true;
  return force && resolveImplicit(warp, /*partial=*/true);
}

// Whether a lane may yet arrive at an operation that waits for whoever is converged.
bool BlockRun::stillComes(Warp& warp) {
  if (warp.ready != 0) return true;
  for (uint64_t left = warp.yielded; left != 0; left &= left - 1) {
    if (laneOf(warp, lowest(left)).yields < kPatience) return true;
  }
  return false;
}

// Operations that name their lanes: complete when all named lanes that have not exited are there.
bool BlockRun::resolveExplicit(Warp& warp) {
  uint64_t live = warp.all() & ~warp.exited;
  for (uint64_t left = warp.meeting; left != 0;) {
    const Lane& lane = laneOf(warp, lowest(left));
    if (!isWarpOperation(lane.wait) || lane.mask == 0) {
      left &= left - 1;
      continue;
    }
    uint64_t here = sameOperation(warp, lane, /*sameSite=*/false);
    left &= ~here;
    // A lane that calls belongs to its group even when the mask forgets it (64 lanes, a 32-bit mask).
    if ((lane.mask & live & ~here) != 0) continue;
    meet(warp, here);
    return true;
  }
  return false;
}

// Operations of whoever is converged: the earliest place in the program first, so that later lanes join them.
// `partial`: nothing else can run and lanes that were named do not come; hardware would carry on with those that are
// there, only
// `__syncwarp` truly waits.
bool BlockRun::resolveImplicit(Warp& warp, bool partial) {
  const Lane* first = nullptr;
  for (uint64_t left = warp.meeting; left != 0; left &= left - 1) {
    const Lane& lane = laneOf(warp, lowest(left));
    bool candidate = isWarpOperation(lane.wait) && (lane.mask == 0 || (partial && lane.wait != Wait::syncwarp));
    if (candidate && (!first || lane.site < first->site)) first = &lane;
  }
  if (!first) return false;
  meet(warp, sameOperation(warp, *first, /*sameSite=*/true));
  return true;
}

// Lanes without progress of their own leave a waiting loop together: all that are in it must stand at its end.
bool BlockRun::resolveLoopExits(Warp& warp) {
  for (uint64_t left = warp.meeting; left != 0; left &= left - 1) {
    const Lane& first = laneOf(warp, lowest(left));
    if (first.wait != Wait::loopExit) continue;
    uint32_t loop = first.loops.back();
    uint64_t group = 0;
    bool all = true;
    for (uint32_t i = 0; i < warp.count && all; ++i) {
      const Lane& lane = laneOf(warp, i);
      bool inside =
          lane.wait != Wait::exited && std::find(lane.loops.begin(), lane.loops.end(), loop) != lane.loops.end();
      bool leaves = lane.wait == Wait::loopExit && lane.loops.back() == loop;
      if (leaves) group |= bit(i);
      all = !inside || leaves;
    }
    if (!all) continue;
    for (uint64_t out = group; out != 0; out &= out - 1) laneOf(warp, lowest(out)).loops.pop_back();
    release(warp, group);
    return true;
  }
  return false;
}

void BlockRun::meet(Warp& warp, uint64_t group) {
  uint64_t values[64], operands[64], extents[64], results[64];
  for (uint32_t i = 0; i < warp.count; ++i) {
    const Lane& lane = laneOf(warp, i);
    values[i] = lane.value;
    operands[i] = lane.operand;
    extents[i] = lane.extent;
  }
  const Lane& any = laneOf(warp, lowest(group));
  resolveMeeting({any.wait, any.mode, any.mask, warp.count, work_.width, values, operands, extents, results}, group);
  for (uint64_t left = group; left != 0; left &= left - 1) laneOf(warp, lowest(left)).result = results[lowest(left)];
  release(warp, group);
}

bool BlockRun::resolveBarriers() {
  bool any = false;
  uint64_t looked = 0;  // barrier numbers, of which there are 16
  for (const Lane& lane : lanes_) {
    if (lane.wait != Wait::barrier || (looked & bit(lane.operand & 63)) != 0) continue;
    looked |= bit(lane.operand & 63);
    any |= releaseBarrier(lane);
    if (atBarrier_ == 0) break;
  }
  return any;
}

bool BlockRun::releaseBarrier(const Lane& first) {
  uint64_t id = first.operand;
  uint32_t* passed = nullptr;  // threads that arrived without waiting
  for (Arrivals& arrivals : arrivals_) {
    if (arrivals.barrier == id) passed = &arrivals.count;
  }
  uint32_t elsewhere = passed ? *passed : 0;
  uint64_t arrived = elsewhere;
  uint64_t votes = 0;
  for (const Lane& lane : lanes_) {
    if (lane.wait != Wait::barrier || lane.operand != id) continue;
    ++arrived;
    votes += lane.value != 0;
  }
  // Exited threads never hold a barrier; a count names how many threads meet.
  uint64_t expected = first.extent ? std::min<uint64_t>(first.extent, live_ + elsewhere) : live_;
  if (arrived < expected) return false;
  if (passed) *passed = 0;
  for (Warp& warp : warps_) {
    uint64_t group = 0;
    for (uint32_t i = 0; i < warp.count; ++i) {
      Lane& lane = laneOf(warp, i);
      if (lane.wait != Wait::barrier || lane.operand != id) continue;
      lane.result = barrierResult(lane.mode, votes, arrived);
      group |= bit(i);
    }
    release(warp, group);
  }
  atBarrier_ -= static_cast<uint32_t>(arrived) - elsewhere;
  return true;
}

// After a barrier: true when nobody waits elsewhere, and the regions can take all threads on.
bool BlockRun::joinRegions() {
  for (const Warp& warp : warps_) {
    if ((warp.ready | warp.exited) != warp.all()) return false;
  }
  if (!regions_->join()) return false;
  for (uint32_t i = 0; i < lanes_.size(); ++i) regions_->giveResult(i, lanes_[i].result);
  return true;
}

std::string BlockRun::describeStuck(const std::function<std::string(uint32_t site)>& placeOf) const {
  // A lane that spins has been made ready again.
  auto waitOf = [](const Lane& lane) { return lane.wait == Wait::ready ? Wait::yielded : lane.wait; };
  auto describe = [&](const Lane& lane) {
    std::string place = placeOf(lane.site);
    return "thread (" + std::to_string(lane.context.tid[0]) + "," + std::to_string(lane.context.tid[1]) + "," +
           std::to_string(lane.context.tid[2]) + ") waits at " + nameOf(waitOf(lane)) + " (" +
           (place.empty() ? "site " + std::to_string(lane.site) : place) + ")";
  };
  const Lane* first = nullptr;
  const Lane* sameSite = nullptr;  // a thread of another warp
  const Lane* other = nullptr;
  for (const Lane& lane : lanes_) {
    if (lane.wait == Wait::exited) continue;
    if (!first) first = &lane;
    bool elsewhere = waitOf(lane) != waitOf(*first) || lane.site != first->site;
    if (elsewhere && !other) other = &lane;
    if (!sameSite && lane.context.linear / work_.width != first->context.linear / work_.width) sameSite = &lane;
  }
  if (!first) return "no thread is left";
  const Lane* second = other ? other : sameSite;
  return describe(*first) + (second ? ", while " + describe(*second) : "");
}

}  // namespace uw
