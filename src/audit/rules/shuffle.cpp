// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules S01 to S03: where a shuffle reads. Without a width argument HIP's shuffles span the wave, so a source lane that
// was meant inside a group of 32 comes from the other half. Shuffles relative to the reading lane with offsets below 32
// and a guard by the same 32-lane number stay inside their group and are not reported.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "audit/rules/arch_arms.h"
#include "audit/rules/detector.h"
#include "audit/rules/lane_flow.h"
#include "audit/rules/patterns.h"
#include "audit/rules/token_queries.h"
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

/// Only block and grid dimensions, numbers and constants of the file: the same in every lane, whichever lane is read.
bool isUniform(const SourceFacts& facts, TokenRange value) {
  for (TokenIndex t = value.begin; t < value.end; ++t) {
    if (!facts.isIdentifier(t) || facts.is(t - 1, ".")) continue;
    std::string_view word = facts.at(t);
    bool same = word == "gridDim" || word == "blockDim" || word == "blockIdx" || facts.constants.contains(word) ||
                word == "int" || word == "unsigned" || word == "uint32_t" || word == "static_cast";
    if (!same) return false;
  }
  return !value.empty();
}

/// The value is uniform itself, or a variable that is assigned once in the function, from uniform parts.
bool readsUniform(const SourceFacts& facts, const Collective& collective) {
  if (isUniform(facts, collective.value)) return true;
  TokenRange value = patterns::stripped(facts, collective.value);
  const scan::Function* function = facts.enclosing(collective.call.name);
  if (value.end != value.begin + 1 || !facts.isIdentifier(value.begin) || function == nullptr) return false;
  TokenRange source;
  auto mentions = facts.named(facts.at(value.begin));
  auto next = std::lower_bound(mentions.begin(), mentions.end(), function->body.begin);
  for (int steps = 0; next != mentions.end() && *next < function->body.end; ++next, ++steps) {
    std::string_view after = facts.at(*next + 1);
    if (steps > 64) return false;
    bool assigned = after == "=" || after == "+=" || after == "-=" || after == "*=" || after == "++" || after == "--";
    bool shared = facts.is(*next - 1, "&") || facts.is(*next - 1, "++") || facts.is(*next - 1, "--");
    if (!assigned && !shared) continue;
    auto assignment = patterns::assignmentAround(facts, *next + 2);
    bool itself = assignment && assignment->right.contains(collective.call.name);  // x = shfl(x, 0)
    if (itself && after == "=") continue;
    if (shared || after != "=" || !source.empty() || !assignment) return false;
    source = assignment->right;
  }
  return isUniform(facts, source);
}

void detectDefaultWidth(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  std::optional<ArchArms> arms;
  for (std::uint32_t f = 0; f < model.size(); ++f) {
    for (const patterns::Shuffle& shuffle : model.of(f).shuffles) {
      const Collective& collective = model.all()[shuffle.collective];
      if (!patterns::isPlain(facts, collective.call.name)) continue;
      if (!collective.width.empty()) {
        if (patterns::valueOf(facts, collective.width) == 64) {
          hits.addForWaves(32, collective.call.name,
                           "shuffle width 64: above the wave of 32-lane parts, where it silently means 32");
        }
        continue;
      }
      bool absolute = collective.kind == CollectiveKind::ShuffleIndex && shuffle.reach == Reach::Wave;
      if (!absolute || patterns::valueOf(facts, collective.lane) == 31 || !thinksIn32(model, f)) continue;
      if (readsUniform(facts, collective)) continue;
      if (!arms) arms.emplace(facts);
      if (arms->of(collective.call.name) == ArchArm::Replaced) continue;
      hits.addForWaves(64, collective.call.name,
                       "shuffle without width in code of 32-lane groups: lanes 32 to 63 read from lanes 0 to 31");
    }
  }
}

void detectScan(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
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

/// CUDA's own warps have 32 lanes: without a sign of AMD a lane above 31 wraps there as well, and was meant to. Signs
/// are HIP headers or branches and masks of 64 bits.
bool meansWave64(const SourceFacts& facts, const Collective& collective) {
  TokenIndex call = collective.call.name;
  if (!collective.takesMask || facts.includesHip || facts.branch[call] == scan::Branch::HipOnly) return true;
  return patterns::maskBytes(facts, facts.enclosing(call), collective.mask) != 4;
}

/// The number that `counter` stays below as far as `condition` says: 64 of `i < 64`, `i <= 63`, `64 > i`, `i != 64`.
std::optional<std::int64_t> limitOf(const SourceFacts& facts, TokenRange condition, std::string_view counter) {
  condition = patterns::stripped(facts, condition);
  TokenIndex op = condition.begin;
  while (op < condition.end && !isComparison(facts.at(op))) ++op;
  if (op >= condition.end || facts.is(op, "==")) return std::nullopt;
  TokenRange left{condition.begin, op}, right{op + 1, condition.end};
  bool first = patterns::stripped(facts, left).end == left.begin + 1 && facts.at(left.begin) == counter;
  bool last = patterns::stripped(facts, right).end == right.begin + 1 && facts.at(right.begin) == counter;
  auto limit = patterns::valueOf(facts, first ? right : left);
  bool above = facts.at(op).starts_with(first ? "<" : ">") || facts.is(op, "!=");
  if ((!first && !last) || !limit || !above) return std::nullopt;
  return facts.at(op).ends_with("=") && !facts.is(op, "!=") ? *limit + 1 : *limit;
}

/// The number that the counter of a loop stays below: by its condition, or by its first value where it counts down.
std::optional<std::int64_t> limitOf(const SourceFacts& facts, const Control& loop, std::string_view counter) {
  if (facts.is(loop.keyword, "while")) return limitOf(facts, loop.condition, counter);
  patterns::ForHeader header = patterns::forHeader(facts, loop.condition);
  auto lowers = [&](TokenRange range) {
    bool lower = false;
    for (TokenIndex t = range.begin; t < range.end; ++t) lower |= facts.is(t, "--") || facts.is(t, "-=");
    return lower && patterns::usesName(facts, range, counter);
  };
  bool before = lowers(header.condition);  // `i-- > 0` takes one off before the body sees the counter
  if (!before && !lowers(header.step)) return limitOf(facts, header.condition, counter);
  for (TokenIndex t = header.init.begin; t + 1 < header.init.end; ++t) {
    if (facts.at(t) != counter || !facts.is(t + 1, "=")) continue;
    TokenIndex end = t + 2;
    while (end < header.init.end && !facts.is(end, ",")) ++end;
    auto start = patterns::valueOf(facts, TokenRange{t + 2, end});
    if (start) return *start + (before ? 0 : 1);
  }
  return std::nullopt;
}

/// `if (k < 32)` around the call, on the counter itself.
bool isBoundedBelow(const SourceFacts& facts, TokenIndex call, std::string_view counter, std::int64_t limit) {
  for (const Control& control : patterns::controlsAround(facts, call)) {
    if (facts.is(control.keyword, "for") || !control.body.contains(call)) continue;
    for (TokenIndex t = control.condition.begin; t + 2 < control.condition.end; ++t) {
      if (facts.at(t) != counter) continue;
      auto bound = patterns::valueOf(facts, t + 2);
      if ((facts.is(t + 1, "<") && bound && *bound <= limit) || (facts.is(t + 1, "<=") && bound && *bound < limit))
        return true;
    }
  }
  return false;
}

/// `__gfx90a__`, `__GFX9__`: architectures whose waves have 64 lanes, always.
bool isWave64Macro(std::string_view word) {
  return word.starts_with("__gfx9") || word.starts_with("__GFX9");
}

/// Branches that only architectures with 64 lanes compile, by their macros or by a macro that the file defines in such
/// a branch.
class Wave64Branches {
 public:
  explicit Wave64Branches(const SourceFacts& facts) {
    std::vector<Guard> guards = guardsOf(facts);
    std::unordered_set<std::string_view> macros;
    regions_ = branchesBy(facts, guards, macros);
    for (TokenIndex t : facts.named("define"))
      if (facts.tokens[t].directive && regions_.contain(t)) macros.insert(facts.at(t + 1));
    if (!macros.empty()) regions_ = branchesBy(facts, guards, macros);
  }
  bool contain(TokenIndex t) const { return regions_.contain(t); }

 private:
  static Regions branchesBy(const SourceFacts& facts, const std::vector<Guard>& guards,
                            const std::unordered_set<std::string_view>& macros) {
    Regions regions;
    for (const Guard& guard : guards) {
      for (std::size_t i = 0; i < guard.branches.size(); ++i)
        if (asksForWave64(facts, facts.directives[guard.branches[i]], macros))
          regions.add(branchTokens(facts, guard, i));
    }
    regions.close();
    return regions;
  }
  /// All macros that the condition asks for are such macros; what only tells HIP from CUDA does not matter.
  static bool asksForWave64(const SourceFacts& facts, const scan::Directive& directive,
                            const std::unordered_set<std::string_view>& macros) {
    bool any = false;
    for (TokenIndex t = directive.first + 2; t < directive.last; ++t) {
      std::string_view word = facts.at(t);
      if (word == "!") return false;
      if (!facts.isIdentifier(t) || word == "defined") continue;
      bool wave64 = isWave64Macro(word) || macros.contains(word);
      if (!wave64 && !scan::isHipMacro(word)) return false;
      any |= wave64;
    }
    return any && directive.name != "ifndef";
  }
  Regions regions_;
};

void detectAbsentLane(const WarpModel& model, Hits& hits) {
  constexpr std::int64_t lastLane = 0xffffffff;  // -1: the last one, whatever the width
  const SourceFacts& facts = model.facts();
  std::optional<Wave64Branches> wave64;
  for (const Collective& collective : model.all()) {
    TokenIndex call = collective.call.name;
    if (collective.kind != CollectiveKind::ShuffleIndex || facts.branch[call] == scan::Branch::CudaOnly) continue;
    TokenRange lane = patterns::stripped(facts, collective.lane);
    if (lane.empty() || !meansWave64(facts, collective)) continue;
    // With a width the lane is taken modulo that width, on every device alike.
    if (!collective.width.empty() && patterns::valueOf(facts, collective.width).value_or(0) <= 32) continue;
    if (!wave64) wave64.emplace(facts);
    if (wave64->contain(call)) continue;
    auto source = patterns::valueOf(facts, lane);
    if (source && *source >= 32 && *source != lastLane) {
      hits.add(call, "source lane above 31: it does not exist where a wave has 32 lanes and wraps to another one");
      continue;
    }
    for (const Control& control : patterns::controlsAround(facts, call)) {
      if (lane.end != lane.begin + 1 || facts.is(control.keyword, "if")) continue;
      std::string_view counter = facts.at(lane.begin);
      if (!patterns::usesName(facts, control.condition, counter)) continue;
      if (limitOf(facts, control, counter) == 64 && !isBoundedBelow(facts, call, counter, 32))
        hits.add(call, "loop over 64 source lanes: where a wave has 32 the upper ones wrap and are read twice");
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
