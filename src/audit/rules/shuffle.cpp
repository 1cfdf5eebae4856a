// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules S01 to S03: where a shuffle reads. Without a width argument HIP's shuffles span the wave, so a source lane that
// was meant inside a group of 32 comes from the other half. Shuffles relative to the reading lane with offsets below 32
// and a guard by the same 32-lane number stay inside their group and are not reported.
#include <algorithm>
#include <array>

#include "audit/rules/detector.h"
#include "audit/rules/patterns.h"
#include "audit/rules/warp_model.h"

namespace unwarp::audit {

namespace {

using patterns::Collective;
using patterns::CollectiveKind;
using patterns::Control;
using patterns::Reach;
using patterns::WarpModel;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

/// The function itself, or one that calls it, numbers lanes or warps by 32.
bool thinksIn32(const WarpModel& model, std::uint32_t f) {
  auto narrow = [](const patterns::FunctionWidth& w) { return w.fixed || !w.lane32.empty() || !w.warp32.empty(); };
  if (narrow(model.of(f))) return true;
  const auto& callers = model.of(f).callers;
  return std::any_of(callers.begin(), callers.end(), [&](std::uint32_t caller) { return narrow(model.of(caller)); });
}

void detectDefaultWidth(const SourceFacts& facts, Hits& hits) {
  WarpModel model(facts);
  for (std::uint32_t f = 0; f < model.size(); ++f) {
    for (const patterns::Shuffle& shuffle : model.of(f).shuffles) {
      const Collective& collective = model.all()[shuffle.collective];
      if (!patterns::isPlain(facts, collective.call.name)) continue;
      if (!collective.width.empty()) {
        if (patterns::valueOf(facts, collective.width) == 64) {
          hits.add(collective.call.name,
                   "shuffle width 64: above the wave of 32-lane parts, where it silently means 32");
        }
        continue;
      }
      bool absolute = collective.kind == CollectiveKind::ShuffleIndex && shuffle.reach == Reach::Wave;
      if (!absolute || patterns::valueOf(facts, collective.lane) == 31 || !thinksIn32(model, f)) continue;
      hits.add(collective.call.name,
               "shuffle without width in code of 32-lane groups: lanes 32 to 63 read from lanes 0 to 31");
    }
  }
}

void detectScan(const SourceFacts& facts, Hits& hits) {
  WarpModel model(facts);
  for (std::uint32_t f = 0; f < model.size(); ++f) {
    const patterns::FunctionWidth& width = model.of(f);
    // Guarded by a lane modulo 32 and used by 32 throughout, the scan restarts at lane 32 as it was meant to.
    bool mixed = width.lane32.empty() || model.worksOnWave(f) || width.votes || facts.includesHip;
    for (const patterns::Shuffle& shuffle : width.shuffles) {
      const Collective& collective = model.all()[shuffle.collective];
      if (collective.kind != CollectiveKind::ShuffleUp || !patterns::isPlain(facts, collective.call.name)) continue;
      bool fixed = shuffle.reach == Reach::Fixed32 && mixed;
      bool restart = shuffle.reach == Reach::Wave && !width.lane32.empty() && collective.width.empty();
      if (fixed || restart)
        hits.add(collective.call.name,
                 "scan in steps up to 16 without width: on 64 lanes the upper half misses the lower half's total");
    }
  }
}

void detectAbsentLane(const SourceFacts& facts, Hits& hits) {
  for (const Collective& collective : patterns::collectives(facts)) {
    TokenIndex call = collective.call.name;
    if (collective.kind != CollectiveKind::ShuffleIndex || facts.branch[call] == scan::Branch::CudaOnly) continue;
    TokenRange lane = patterns::stripped(facts, collective.lane);
    if (lane.end != lane.begin + 1) continue;
    auto source = patterns::valueOf(facts, lane);
    if (source && *source >= 32) {
      hits.add(call, "source lane above 31: it does not exist where a wave has 32 lanes and wraps to another one");
      continue;
    }
    for (const Control& control : patterns::controlsAround(facts, call)) {
      if (!facts.is(control.keyword, "for")) continue;
      patterns::ForHeader header = patterns::forHeader(facts, control.condition);
      if (!patterns::usesName(facts, header.condition, facts.at(lane.begin))) continue;
      for (TokenIndex t = header.condition.begin; t + 1 < header.condition.end; ++t) {
        if (facts.is(t, "<") && patterns::valueOf(facts, {t + 1, header.condition.end}) == 64) {
          hits.add(call, "loop over 64 source lanes: where a wave has 32 the upper ones wrap and are read twice");
        }
      }
      break;
    }
  }
}

constexpr std::array<Detector, 3> detectors{
    {{"S01", detectDefaultWidth}, {"S02", detectScan}, {"S03", detectAbsentLane}}};

}  // namespace

std::span<const Detector> shuffleDetectors() {
  return detectors;
}

}  // namespace unwarp::audit
