// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of rule W10 that reads device code: shuffles over 64 lanes and lane numbers by 64, which devices with 32
// lanes do not have. 64 is a common tile and a common word of bits, votes of 32 lanes are put together to such; so a
// thread number by 64 counts only next to shuffles over 64 lanes, in functions that say nothing of 32 lanes or of the
// device's width.
#include "audit/rules/patterns.h"
#include "audit/rules/warp_width_host.h"

namespace unwarp::audit {

namespace {

using patterns::Control;
using patterns::WarpModel;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

bool mentionsWidth(const SourceFacts& facts, TokenRange range) {
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    if (facts.isIdentifier(t) && patterns::isWidthName(facts.at(t))) return true;
  }
  return false;
}

/// `if (warpSize == 64)`, `#if WARP_SIZE == 64`, `#if defined(__GFX9__)` around `t`: 64 is the device's width there.
bool widthDecides(const SourceFacts& facts, TokenIndex t) {
  if (chosenByArchitecture(facts, t, false) || chosenByWidth(facts, t)) return true;
  for (const Control& control : patterns::controlsAround(facts, t)) {
    if (facts.is(control.keyword, "if") && mentionsWidth(facts, control.condition)) return true;
  }
  return false;
}

void addShuffles(const WarpModel& model, std::uint32_t f, Hits& hits) {
  const SourceFacts& facts = model.facts();
  for (const patterns::Shuffle& shuffle : model.of(f).shuffles) {
    if (!shuffle.by64 || widthDecides(facts, shuffle.bound)) continue;
    // `lane >= d` with a lane modulo 32 leaves out what a scan would take from beyond the warp.
    bool up = model.all()[shuffle.collective].kind == patterns::CollectiveKind::ShuffleUp;
    if (up && !model.of(f).lane32.empty()) continue;
    bool definitionTold = facts.includesHip && patterns::isWidthName(facts.at(shuffle.bound));
    if (!definitionTold)
      hits.add(shuffle.bound, "shuffles over 64 lanes: RDNA parts and gfx1250 have 32, the other half does not exist");
  }
}

void addLaneNumbers(const WarpModel& model, std::uint32_t f, Hits& hits) {
  const SourceFacts& facts = model.facts();
  const patterns::FunctionWidth& width = model.of(f);
  bool otherWidth =
      !width.lane32.empty() || !width.warp32.empty() || width.fixed || width.usesWarpSize || width.usesWidthName;
  if (otherWidth || !model.shufflesBy64(f)) return;
  for (const auto* operators : {&width.lane64, &width.warp64}) {
    for (TokenIndex op : *operators) {
      if (!patterns::isPlain(facts, op) || widthDecides(facts, op)) continue;
      if (facts.includesHip && mentionsWidth(facts, {op + 1, op + 3})) continue;  // the definition is reported
      hits.add(op, "lanes and warps numbered by 64: RDNA parts and gfx1250 have 32 lanes per wave");
    }
  }
}

}  // namespace

void detectLaneCodeBy64(const WarpModel& model, Hits& hits) {
  for (std::uint32_t f = 0; f < model.size(); ++f) {
    addShuffles(model, f, hits);
    addLaneNumbers(model, f, hits);
  }
}

}  // namespace unwarp::audit
