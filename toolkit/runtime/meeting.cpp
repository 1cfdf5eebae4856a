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
uint64_t countedLanes(const WarpMeeting& warp, uint64_t group) {
  return warp.mask ? warp.mask & group : group;
}

uint32_t segmentOf(const WarpMeeting& warp, uint32_t lane) {
  auto segment = static_cast<uint32_t>(warp.extent[lane]);
  return segment == 0 || segment > warp.width || (segment & (segment - 1)) != 0 ? warp.width : segment;
}

// PTX reads five bits of a distance; at 64 lanes AMD's rule holds: too far gives one's own value.
uint32_t operandOf(const WarpMeeting& warp, uint32_t lane) {
  auto operand = static_cast<uint32_t>(warp.operand[lane]);
  return warp.width == 32 && warp.mode != kShuffleIndex ? operand & 31 : operand;
}

// The lane that a shuffle reads, by CUDA's segment rule; its own where the rule says "keeps its value".
uint32_t sourceLane(const WarpMeeting& warp, uint32_t own) {
  uint32_t segment = segmentOf(warp, own);
  uint32_t first = own & ~(segment - 1);
  uint32_t last = first + segment - 1;
  uint32_t operand = operandOf(warp, own);
  switch (warp.mode) {
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

// The usual case, in moves of whole rows: a full warp whose lanes all say the same distance. False in other cases.
bool shuffleRows(const WarpMeeting& warp, uint64_t group) {
  bool isWhole = warp.count == warp.width && group == (warp.width == 64 ? ~uint64_t{0} : bit(warp.width) - 1);
  if (!isWhole) return false;
  bool isSame = warp.sameDistance || (allEqual(warp.operand, warp.count) && allEqual(warp.extent, warp.count));
  if (!isSame) return false;
  uint32_t segment = segmentOf(warp, 0);
  uint32_t operand = operandOf(warp, 0);
  uint32_t distance = operand < segment ? operand : 0;
  for (uint32_t first = 0; first < warp.width; first += segment) {
    const uint64_t* value = warp.value + first;
    uint64_t* result = warp.result + first;
    switch (warp.mode) {
      case kShuffleIndex:
        std::fill_n(result, segment, value[operand & (segment - 1)]);
        break;
      case kShuffleUp:
        std::copy_n(value, distance, result);
        std::copy_n(value, segment - distance, result + distance);
        break;
      case kShuffleDown:
        std::copy_n(value + distance, segment - distance, result);
        std::copy_n(value + segment - distance, distance, result + segment - distance);
        break;
      default:
        for (uint32_t i = 0; i < segment; ++i) {
          uint32_t source = (first + i) ^ operand;
          result[i] = source <= first + segment - 1 ? warp.value[source] : value[i];
        }
    }
  }
  return true;
}

void shuffle(const WarpMeeting& warp, uint64_t group) {
  if (shuffleRows(warp, group)) return;
  for (uint32_t i = 0; i < warp.count; ++i) {
    if (!(group & bit(i))) continue;
    uint32_t source = sourceLane(warp, i);
    bool there = source < warp.count && (group & bit(source));
    warp.result[i] = there ? warp.value[source] : kPoison;
  }
}

uint64_t voteOf(const WarpMeeting& warp, uint64_t yes, uint64_t mask) {
  switch (warp.mode) {
    case kVoteAll:
      return (yes & mask) == mask;
    case kVoteAny:
      return (yes & mask) != 0;
    case kVoteUniform:
      return (yes & mask) == mask || (yes & mask) == 0;
    default:
      return yes & mask;
  }
}

void giveAll(const WarpMeeting& warp, uint64_t group, uint64_t result) {
  for (uint32_t i = 0; i < warp.count; ++i) {
    if (group & bit(i)) warp.result[i] = result;
  }
}

void vote(const WarpMeeting& warp, uint64_t group) {
  uint64_t yes = 0;
  for (uint32_t i = 0; i < warp.count; ++i) yes |= uint64_t{warp.value[i] != 0} << i;
  giveAll(warp, group, voteOf(warp, yes & group, countedLanes(warp, group)));
}

void match(const WarpMeeting& warp, uint64_t group) {
  uint64_t counted = countedLanes(warp, group);
  for (uint32_t i = 0; i < warp.count; ++i) {
    if (!(group & bit(i))) continue;
    uint64_t equal = 0;
    for (uint32_t j = 0; j < warp.count; ++j) equal |= uint64_t{warp.value[j] == warp.value[i]} << j;
    equal &= counted;
    warp.result[i] = warp.mode == kMatchAny || equal == counted ? equal : 0;
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

void reduce(const WarpMeeting& warp, uint64_t group) {
  bool first = true;
  uint32_t total = 0;
  uint64_t counted = countedLanes(warp, group);
  if (counted == 0) counted = group;
  for (uint32_t i = 0; i < warp.count; ++i) {
    if (!(counted & bit(i))) continue;
    auto value = static_cast<uint32_t>(warp.value[i]);
    total = first ? value : combine(warp.mode, total, value);
    first = false;
  }
  giveAll(warp, group, total);
}

}  // namespace

bool isWarpOperation(Wait wait) {
  return wait >= Wait::syncwarp && wait <= Wait::converge;
}

void resolveMeeting(const WarpMeeting& warp, uint64_t group) {
  switch (warp.kind) {
    case Wait::shuffle:
      return shuffle(warp, group);
    case Wait::vote:
      return vote(warp, group);
    case Wait::match:
      return match(warp, group);
    case Wait::reduce:
      return reduce(warp, group);
    default:
      return giveAll(warp, group, group);
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
