// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule W04: shared arrays with a slot per lane or per warp. Each dimension of an array is judged by the index that
// stands in its place: 32 slots written by a lane of the device's width overrun (into the next row, where the array has
// rows), 64 threads per slot are too few slots where a wave has 32. A write is an assignment or an atomic.
#include "audit/rules/lane_array.h"

#include <algorithm>
#include <vector>

#include "audit/rules/active_lanes.h"
#include "audit/rules/lane_flow.h"
#include "audit/rules/patterns.h"

namespace unwarp::audit {

namespace {

using patterns::isAny;
using patterns::Place;
using patterns::WarpModel;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

/// How one dimension of an array is sized.
enum class Slots : std::uint8_t {
  Other,
  PerLane32,  ///< 32 slots
  PerWave64,  ///< blockDim / 64 or 1024 / 64
};

Slots slotsOf(const SourceFacts& facts, TokenRange extent) {
  if (extent.empty()) return Slots::Other;
  for (TokenIndex t = extent.begin; t < extent.end; ++t)
    if (facts.is(t, "/") && patterns::valueOf(facts, t + 1) == 64) return Slots::PerWave64;
  return patterns::valueOf(facts, extent) == 32 ? Slots::PerLane32 : Slots::Other;
}

/// One use of an array: what stands in place of each dimension.
struct Access {
  std::vector<TokenRange> indices;
  bool written = false;
};

/// `s[y][lane] = v`, `++s[lane]`, `atomicAdd(&s[lane], v)`, `atomicAdd(s + lane, v)`.
Access accessAt(const SourceFacts& facts, TokenIndex use) {
  Access access;
  TokenIndex after = use + 1;
  for (; facts.is(after, "[") && facts.match[after] != noToken; after = facts.match[after] + 1)
    access.indices.push_back({after + 1, facts.match[after]});
  TokenIndex open = facts.is(use - 1, "&") ? use - 2 : use - 1;
  const bool atomic = facts.is(open, "(") && open > 0 && facts.at(open - 1).starts_with("atomic");
  if (atomic && facts.is(after, "+")) {
    auto call = facts.callAt(open - 1);
    if (call && !call->arguments.empty()) access.indices.push_back({after + 1, call->arguments[0].end});
  }
  access.written = atomic || isAny(facts.at(use - 1), {"++", "--"}) ||
                   isAny(facts.at(after), {"=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "++", "--"});
  return access;
}

class ArrayJudge {
 public:
  explicit ArrayJudge(const WarpModel& model) : model_(model), exits_(model) {}

  void judge(const scan::SharedVariable& array, Hits& hits) {
    const SourceFacts& facts = model_.facts();
    const std::uint32_t f = facts.functionOf[array.nameToken];
    if (f == noToken || !patterns::isPlain(facts, array.nameToken)) return;
    std::vector<Slots> slots;
    for (TokenRange extent : array.extents) slots.push_back(slotsOf(facts, extent));
    if (std::all_of(slots.begin(), slots.end(), [](Slots s) { return s == Slots::Other; })) return;
    // What another header calls the width is 32 in most projects; only the built-in is the device's for certain.
    const bool byDevice = patterns::usesBuiltinWidth(facts, facts.functions[f].body);
    auto uses = facts.named(facts.at(array.nameToken));
    auto next = std::upper_bound(uses.begin(), uses.end(), array.nameToken);
    for (; next != uses.end() && *next < facts.functions[f].body.end; ++next) {
      if (facts.functionOf[*next] != f) continue;
      const Access access = accessAt(facts, *next);
      for (std::size_t i = 0; i < std::min(slots.size(), access.indices.size()); ++i) {
        const Place place = model_.places(f).of(access.indices[i]);
        const bool byWarp = place == Place::Warp32 || place == Place::WarpWave;
        if (slots[i] == Slots::PerWave64 && byWarp)
          return hits.addForWaves(32, array.nameToken,
                                  "array sized by 64 lanes per wave: too few slots where a wave has 32");
        const bool byLane = slots[i] == Slots::PerLane32 && place == Place::LaneWave && byDevice;
        if (byLane && access.written && reachesUpperLanes(f, access.indices[i], *next))
          return hits.addForWaves(
              64, array.nameToken,
              "array of 32 slots written by lane of the device's width: lanes 32 to 63 write past its end");
      }
    }
  }

 private:
  bool reachesUpperLanes(std::uint32_t f, TokenRange index, TokenIndex use) {
    const SourceFacts& facts = model_.facts();
    const bool lowLanes = patterns::activeLanes(facts, model_.places(f), exits_, use).lanes <= 0xffffffff;
    return !lowLanes && !patterns::isFolded(facts, index) &&
           !patterns::isFolded(facts, patterns::lastValue(facts, index, use));
  }

  const WarpModel& model_;
  patterns::EarlyExits exits_;
};

}  // namespace

void detectLaneArray(const WarpModel& model, Hits& hits) {
  ArrayJudge judge(model);
  for (const scan::SharedVariable& array : model.facts().sharedVariables) judge.judge(array, hits);
}

}  // namespace unwarp::audit
