// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/meeting.h"

#include <algorithm>

namespace uw {
namespace {

// What a shuffle gives that reads a lane which is not there: bytes no program computes by accident.
constexpr uint64_t kPoison = 0xffffffffffffffffull;

uint64_t bit(uint32_t lane) {
  return uint64_t{1} << lane;
}

// As HIP computes it without assertions: lanes count where the mask names them. At 64 lanes a mask of 32 bits may name
// nobody who is there.
uint64_t countedLanes(const Lane& lane, uint64_t group) {
  return lane.mask ? lane.mask & group : group;
}

// The lane that a shuffle reads, by CUDA's segment rule; its own where the rule says "keeps its value".
uint32_t sourceLane(const Lane& lane, uint32_t own, uint32_t width) {
  auto segment = static_cast<uint32_t>(lane.extent);
  if (segment == 0 || segment > width || (segment & (segment - 1)) != 0) segment = width;
  uint32_t first = own & ~(segment - 1);
  uint32_t last = first + segment - 1;
  auto operand = static_cast<uint32_t>(lane.operand);
  // PTX reads five bits of a distance; at 64 lanes AMD's rule holds: too far gives one's own value.
  if (width == 32 && lane.mode != kShuffleIndex) operand &= 31;
  switch (lane.mode) {
    case kShuffleIndex:
      return first | (operand & (segment - 1));
    case kShuffleUp:
      return operand <= own - first ? own - operand : own;
    case kShuffleDown:
      return operand <= last - own ? own + operand : own;
    default:
      return (own ^ operand) <= last ? own ^ operand : own;
  }
}

void shuffle(WarpView& warp, uint64_t group) {
  for (uint32_t i = 0; i < warp.count; ++i) {
    if (!(group & bit(i))) continue;
    uint32_t source = sourceLane(warp.lanes[i], i, warp.width);
    bool there = source < warp.count && (group & bit(source));
    warp.lanes[i].result = there ? warp.lanes[source].value : kPoison;
  }
}

void vote(WarpView& warp, uint64_t group) {
  uint64_t yes = 0;
  for (uint32_t i = 0; i < warp.count; ++i) {
    if ((group & bit(i)) && warp.lanes[i].value) yes |= bit(i);
  }
  for (uint32_t i = 0; i < warp.count; ++i) {
    if (!(group & bit(i))) continue;
    Lane& lane = warp.lanes[i];
    uint64_t mask = countedLanes(lane, group);
    switch (lane.mode) {
      case kVoteAll:
        lane.result = (yes & mask) == mask;
        break;
      case kVoteAny:
        lane.result = (yes & mask) != 0;
        break;
      case kVoteUniform:
        lane.result = (yes & mask) == mask || (yes & mask) == 0;
        break;
      default:
        lane.result = yes & mask;
        break;
    }
  }
}

void match(WarpView& warp, uint64_t group) {
  for (uint32_t i = 0; i < warp.count; ++i) {
    if (!(group & bit(i))) continue;
    uint64_t counted = countedLanes(warp.lanes[i], group);
    uint64_t equal = 0;
    for (uint32_t j = 0; j < warp.count; ++j) {
      if ((counted & bit(j)) && warp.lanes[j].value == warp.lanes[i].value) equal |= bit(j);
    }
    warp.lanes[i].result = warp.lanes[i].mode == kMatchAny || equal == counted ? equal : 0;
  }
}

uint32_t combine(uint32_t mode, uint32_t left, uint32_t right) {
  switch (mode) {
    case kReduceAdd:
      return left + right;
    case kReduceMin:
      return static_cast<uint32_t>(std::min(static_cast<int32_t>(left), static_cast<int32_t>(right)));
    case kReduceMax:
      return static_cast<uint32_t>(std::max(static_cast<int32_t>(left), static_cast<int32_t>(right)));
    case kReduceMinUnsigned:
      return std::min(left, right);
    case kReduceMaxUnsigned:
      return std::max(left, right);
    case kReduceAnd:
      return left & right;
    case kReduceOr:
      return left | right;
    default:
      return left ^ right;
  }
}

void reduce(WarpView& warp, uint64_t group) {
  bool first = true;
  uint32_t total = 0;
  uint32_t any = 0;
  while (!(group & bit(any))) ++any;
  uint64_t counted = countedLanes(warp.lanes[any], group);  // the lanes of a group have one mask
  if (counted == 0) counted = group;
  for (uint32_t i = 0; i < warp.count; ++i) {
    if (!(counted & bit(i))) continue;
    auto value = static_cast<uint32_t>(warp.lanes[i].value);
    total = first ? value : combine(warp.lanes[i].mode, total, value);
    first = false;
  }
  for (uint32_t i = 0; i < warp.count; ++i) {
    if (group & bit(i)) warp.lanes[i].result = total;
  }
}

}  // namespace

bool isWarpOperation(Wait wait) {
  return wait >= Wait::syncwarp && wait <= Wait::converge;
}

void resolveMeeting(WarpView& warp, uint64_t group) {
  uint32_t first = 0;
  while (!(group & bit(first))) ++first;
  switch (warp.lanes[first].wait) {
    case Wait::shuffle:
      return shuffle(warp, group);
    case Wait::vote:
      return vote(warp, group);
    case Wait::match:
      return match(warp, group);
    case Wait::reduce:
      return reduce(warp, group);
    default:
      break;
  }
  for (uint32_t i = 0; i < warp.count; ++i) {
    if (group & bit(i)) warp.lanes[i].result = group;
  }
}

uint64_t barrierResult(uint32_t mode, uint64_t votes, uint64_t arrived) {
  switch (mode) {
    case kBarrierCount:
      return votes;
    case kBarrierAnd:
      return votes == arrived;
    case kBarrierOr:
      return votes != 0;
    default:
      return 0;
  }
}

}  // namespace uw
