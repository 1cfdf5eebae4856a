// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules W01 to W06: device code that fixes the warp at 32 lanes. The common ground: logical groups of 32 lanes are
// correct in a 64-lane wave as long as every piece keeps to them, so a hit needs a piece that does not (a vote, a
// broadcast without width, a tree over warpSize, warp code of another file). In a file that includes HIP headers the
// fixed shape itself is reported, since there the wave has 64 lanes and half of it takes no part.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "audit/rules/detector.h"
#include "audit/rules/lane_array.h"
#include "audit/rules/lane_flow.h"
#include "audit/rules/patterns.h"
#include "audit/rules/token_queries.h"
#include "audit/rules/warp_model.h"
#include "audit/rules/warp_width_host.h"

namespace unwarp::audit {

namespace {

using patterns::Collective;
using patterns::CollectiveKind;
using patterns::isAny;
using patterns::Reach;
using patterns::WarpModel;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

/// Made of clocks, numbers, built-ins and variables that hold such (`depth` steps of them): no warp operation has a
/// part in it.
bool ownsValue(const SourceFacts& facts, const WarpModel& model, std::uint32_t f, TokenRange range, int depth) {
  if (!model.in(range).empty()) return false;
  const auto& callees = model.of(f).callees;
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    if (!facts.isIdentifier(t) || facts.is(t - 1, ".") || facts.is(t + 1, ".") || facts.is(t + 1, "::")) continue;
    std::string_view name = facts.at(t);
    if (facts.is(t + 1, "(")) {
      bool warpCode = std::any_of(callees.begin(), callees.end(),
                                  [&](std::uint32_t callee) { return facts.functions[callee].name == name; });
      if (warpCode) return false;
      continue;
    }
    if (facts.constants.contains(name)) continue;
    TokenRange value = patterns::lastValue(facts, {t, t + 1}, range.begin);
    if (depth == 0 || value.begin == t || !ownsValue(facts, model, f, value, depth - 1)) return false;
  }
  return true;
}

/// `if (threadIdx.x % 32 == 0) stamp[threadIdx.x / 32] = clock64();`: each group of 32 marks its own slot with a value
/// that came out of no warp operation.
bool marksOwnSlot(const SourceFacts& facts, const WarpModel& model, std::uint32_t f, TokenIndex op) {
  const auto& places = model.places(f);
  TokenIndex open = op;
  while (open > 0 && op - open < 24 && !(facts.is(open, "(") && facts.is(open - 1, "if"))) --open;
  auto leader = patterns::controlAt(facts, open - 1);
  if (!leader || !leader->condition.contains(op) || leader->body.end - leader->body.begin > 120) return false;
  TokenRange body = leader->body;
  if (!model.in(body).empty()) return false;
  int stores = 0;
  for (TokenIndex t = body.begin; t < body.end; ++t) {
    std::string_view word = facts.at(t);
    if (word.starts_with("atomic")) return false;
    if (word == "+=" || word == "++" || word == "--" || word == "-=") return false;
    if (word != "=") continue;
    auto assignment = patterns::assignmentAround(facts, t + 1);
    if (!assignment || assignment->op != t) return false;
    if (assignment->declares) continue;
    TokenIndex bracket = facts.is(t - 1, "]") ? facts.match[t - 1] : noToken;
    if (bracket == noToken || places.of({bracket + 1, t - 1}) != patterns::Place::Warp32) return false;
    if (!ownsValue(facts, model, f, assignment->right, 2)) return false;
    ++stores;
  }
  return stores > 0;
}

/// The function holds a collective that spans more than the groups of 32 that its lanes are numbered by.
bool spansMoreThan32(const WarpModel& model, std::uint32_t f) {
  return model.facts().includesHip ? model.hasOpenCollective(f) : model.reachesWave(f);
}

void detectLaneIndex(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  for (std::uint32_t f = 0; f < model.size(); ++f) {
    if (!spansMoreThan32(model, f)) continue;
    for (TokenIndex op : model.of(f).lane32) {
      if (!patterns::isPlain(facts, op) || marksOwnSlot(facts, model, f, op)) continue;
      hits.add(op,
               "lane number modulo 32: two threads of a 64-lane wave get the same lane while a collective here spans "
               "the wave");
    }
  }
}

/// The function sums over a wave before it stages by 32. A tree that starts at 16 leaves a sum per 32 lanes on any
/// device, and a project's own width name is the 32 that this function writes out, unless the file says otherwise.
bool stagesWaveSums(const WarpModel& model, std::uint32_t f) {
  auto wide = [](const patterns::FunctionWidth& w) { return w.waveTree && (w.usesWarpSize || !w.usesWidthName); };
  if (wide(model.of(f))) return true;
  const auto& callees = model.of(f).callees;
  return std::any_of(callees.begin(), callees.end(), [&](std::uint32_t callee) { return wide(model.of(callee)); });
}

using NameSet = std::unordered_set<std::string_view>;

bool mentionsAny(const SourceFacts& facts, TokenRange range, const NameSet& names) {
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    if (facts.isIdentifier(t) && names.contains(facts.at(t))) return true;
  }
  return false;
}

/// A shared array, or a pointer that this function set to one.
bool isSharedName(const SourceFacts& facts, const NameSet& shared, std::uint32_t f, std::string_view name) {
  if (shared.contains(name)) return true;
  int steps = 0;
  for (TokenIndex t : facts.named(name)) {
    if (++steps > 256) break;
    if (facts.functionOf[t] != f || !facts.is(t + 1, "=")) continue;
    auto assignment = patterns::assignmentAround(facts, t + 2);
    return assignment && mentionsAny(facts, assignment->right, shared);
  }
  return false;
}

/// Shared memory has a slot per 32 threads: `partial[threadIdx.x / 32]`. A warp number that only hands out roles is no
/// staging.
bool hasSlotPerWarp32(const WarpModel& model, const NameSet& shared, std::uint32_t f) {
  const SourceFacts& facts = model.facts();
  TokenRange body = facts.functions[f].body;
  const auto& places = model.places(f);
  const auto& numbers = model.of(f).warp32;
  for (TokenIndex t = body.begin + 1; t < body.end; ++t) {
    if (!facts.is(t, "[") || facts.match[t] == noToken || !facts.isIdentifier(t - 1)) continue;
    TokenRange index{t + 1, facts.match[t]};
    auto first = std::lower_bound(numbers.begin(), numbers.end(), index.begin);
    bool byWarp = first != numbers.end() && *first < index.end;
    for (TokenIndex i = index.begin; i < index.end && !byWarp; ++i)
      byWarp = facts.isIdentifier(i) && places.ofName(facts.at(i)) == patterns::Place::Warp32;
    if (!byWarp) continue;
    if (isSharedName(facts, shared, f, facts.at(t - 1))) return true;
    if (isSharedName(facts, shared, f, facts.at(patterns::operandBegin(facts, t - 1)))) return true;
  }
  return false;
}

void detectStaging(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  NameSet shared;
  for (const scan::SharedVariable& array : facts.sharedVariables) shared.insert(facts.at(array.nameToken));
  for (std::uint32_t f = 0; f < model.size(); ++f) {
    if (model.of(f).warp32.empty() || !stagesWaveSums(model, f)) continue;
    if (!mentionsAny(facts, facts.functions[f].body, shared) || !hasSlotPerWarp32(model, shared, f)) continue;
    for (TokenIndex op : model.of(f).warp32) {
      if (!patterns::isPlain(facts, op)) continue;
      hits.add(op,
               "partial sums staged per 32 threads although the sum before spans a wave: half of the slots stay stale "
               "on 64 lanes");
    }
  }
}

/// A place where a width constant gets the value 32.
struct WidthDefinition {
  TokenIndex name;
  TokenIndex value;
};

/// Constants of the file by which lanes are numbered where a collective spans the wave: `threadIdx.x % W`.
NameSet laneConstants(const WarpModel& model) {
  const SourceFacts& facts = model.facts();
  NameSet names;
  for (std::uint32_t f = 0; f < model.size(); ++f) {
    if (model.of(f).lane32.empty() || !spansMoreThan32(model, f)) continue;
    for (TokenIndex op : model.of(f).lane32) {
      TokenIndex t = op + 1;
      while (facts.is(t, "(") || facts.is(t + 1, "::")) t += facts.is(t, "(") ? 1 : 2;
      if (facts.isIdentifier(t) && facts.constantAt(t) == 32) names.insert(facts.at(t));
    }
  }
  return names;
}

/// The value of the constant that is defined by the name at `t`, or an empty range: `#define W 32`, `const int W = 32`.
TokenRange definingValue(const SourceFacts& facts, TokenIndex t) {
  if (t > 0 && facts.is(t - 1, "define")) {
    const scan::Directive* directive = patterns::directiveAround(facts, t);
    return directive == nullptr ? TokenRange{} : TokenRange{t + 1, directive->last};
  }
  bool typed = facts.isIdentifier(t - 1), enumerator = isAny(facts.at(t - 1), {"{", ","});
  bool initialised =
      !facts.tokens[t].directive && (typed || enumerator) && (facts.is(t + 1, "=") || (typed && facts.is(t + 1, "{")));
  return initialised ? initialiserOf(facts, t) : TokenRange{};
}

std::vector<WidthDefinition> widthDefinitions(const WarpModel& model) {
  const SourceFacts& facts = model.facts();
  std::vector<WidthDefinition> result;
  const NameSet laneNames = laneConstants(model);
  for (const auto& [name, value] : facts.constants) {
    if (value != 32 || !(patterns::isWidthName(name) || laneNames.contains(name))) continue;
    for (TokenIndex t : facts.named(name)) {
      TokenRange defined = definingValue(facts, t);
      if (!defined.empty() && patterns::valueOf(facts, defined) == 32) result.push_back({t, defined.begin});
    }
  }
  // Variables that are no constants by their type: `static int warpSize = 32;`, `int warp_size{32};`.
  for (TokenIndex t : facts.numbers) {
    if (t < 2 || facts.tokens[t].length > 5 || patterns::valueOf(facts, t) != 32) continue;
    TokenIndex name = t - 1;
    while (name > 0 && facts.is(name, "(")) --name;
    bool define = facts.tokens[t].directive && facts.is(name - 1, "define");
    bool assigned = !facts.tokens[t].directive && (facts.is(name, "=") || facts.is(name, "{"));
    if (assigned) --name;
    if ((!define && !assigned) || !facts.isIdentifier(name) || !patterns::isWidthName(facts.at(name))) continue;
    if (facts.constants.contains(facts.at(name))) continue;
    if (assigned && !(facts.is(t + 1, ";") || facts.is(t + 1, ",") || facts.is(t + 1, "}"))) continue;
    result.push_back({name, t});
  }
  return result;
}

/// Some branch of the file gives the name another number than 32: the width is chosen, not fixed.
bool hasOtherValue(const SourceFacts& facts, std::string_view name) {
  for (TokenIndex t : facts.named(name)) {
    if (facts.branch[t] == scan::Branch::Dead) continue;
    TokenRange value = definingValue(facts, t);
    if (!value.empty() && patterns::valueOf(facts, value).value_or(32) != 32) return true;
  }
  return false;
}

/// What the file does with a width constant.
struct WidthUses {
  bool any = false;
  bool laneMath = false;  ///< in device code, not as explicit width, tile size or array extent
  bool host = false;
};

bool isWidthArgument(const SourceFacts& facts, const WarpModel& model, TokenIndex t) {
  auto before = model.in({t > 400 ? t - 400 : 0, t});
  if (std::any_of(before.begin(), before.end(),
                  [t](const Collective& collective) { return collective.width.contains(t); }))
    return true;
  // tiled_partition<N>, WarpReduce<T, N>, thread_block_tile<N>
  if (facts.is(t - 1, "<") || facts.is(t - 1, ",")) return facts.is(t + 1, ">") || facts.is(t + 1, ">>");
  return false;
}

/// Uses of a name; the places that define it are none.
WidthUses usesOf(const WarpModel& model, std::string_view name, const std::unordered_set<TokenIndex>& definitions) {
  const SourceFacts& facts = model.facts();
  WidthUses uses;
  for (TokenIndex t : facts.named(name)) {
    bool directive = isAny(facts.at(t - 1), {"define", "undef", "ifndef", "ifdef"});
    if (directive || definitions.contains(t)) continue;
    uses.any = true;
    if (facts.tokens[t].directive) continue;
    bool extent = facts.is(t - 1, "[") && (facts.is(t + 1, "]") || facts.is(t + 1, "+"));
    if (extent || isWidthArgument(facts, model, t)) continue;
    if (patterns::runsOnDevice(facts, t))
      uses.laneMath = true;
    else if (facts.functionOf[t] != noToken)
      uses.host = true;
  }
  return uses;
}

bool fileReachesWave(const SourceFacts& facts, const WarpModel& model) {
  for (std::uint32_t f = 0; f < model.size(); ++f) {
    const auto& width = model.of(f);
    if (width.votes || width.broadcasts || width.waveTree || width.callsUnknownWarpCode) return true;
    if (facts.includesHip && width.fixed) return true;
  }
  return std::any_of(facts.named("warpSize").begin(), facts.named("warpSize").end(), [&](TokenIndex t) {
    return patterns::isBuiltinWidth(facts, t) && facts.functionOf[t] != noToken;
  });
}

bool hasGpuCode(const SourceFacts& facts) {
  return facts.includesCuda || facts.includesHip || !facts.launches.empty() ||
         std::any_of(facts.functions.begin(), facts.functions.end(),
                     [](const scan::Function& f) { return f.isDevice; });
}

void detectWidthConstant(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  std::vector<WidthDefinition> definitions = widthDefinitions(model);
  if (definitions.empty() || !hasGpuCode(facts)) return;
  bool wave = fileReachesWave(facts, model);
  std::unordered_set<TokenIndex> names;
  for (const WidthDefinition& definition : definitions) names.insert(definition.name);
  struct Meaning {
    bool chosen = false;
    WidthUses uses;
  };
  std::unordered_map<std::string_view, Meaning> meanings;  // machine-made files define one name thousands of times
  for (const WidthDefinition& definition : definitions) {
    if (!patterns::isPlain(facts, definition.value)) continue;
    std::string_view name = facts.at(definition.name);
    auto [known, fresh] = meanings.try_emplace(name);
    if (fresh) known->second = {hasOtherValue(facts, name), usesOf(model, name, names)};
    if (known->second.chosen) continue;
    const WidthUses& uses = known->second.uses;
    bool unusedHere = !uses.any;
    if (!unusedHere && !(uses.laneMath || uses.host)) continue;
    if (!unusedHere && !wave) continue;
    hits.add(definition.name,
             "project constant " + std::string(facts.at(definition.name)) +
                 (unusedHere ? " hands a warp width of 32 on to the files that include this one; AMD data-centre parts "
                               "have 64, so look at its users"
                             : " fixes the warp at 32 lanes; AMD data-centre parts have 64 and the built-in warpSize "
                               "says so"));
  }
}

void detectStride(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  for (TokenIndex loop : facts.named("for")) {
    if (!patterns::isPlainDevice(facts, loop)) continue;
    auto control = patterns::controlAt(facts, loop);
    if (!control) continue;
    auto header = patterns::forHeader(facts, control->condition);
    TokenIndex step = header.step.begin;
    while (step < header.step.end && !facts.is(step, "+=")) ++step;
    if (step >= header.step.end || patterns::valueOf(facts, {step + 1, header.step.end}) != 32) continue;
    TokenIndex equals = header.init.begin;
    while (equals < header.init.end && !facts.is(equals, "=")) ++equals;
    if (equals >= header.init.end) continue;
    if (model.places(facts.functionOf[loop]).of({equals + 1, header.init.end}) != patterns::Place::LaneWave) continue;
    hits.add(loop, "loop starts at a lane of the device's width but steps by 32: 64-lane waves visit elements twice");
  }
}

/// Something in the file numbers lanes or warps: helpers in it have their users in sight, or users of their kind.
bool numbersLanes(const WarpModel& model) {
  for (std::uint32_t f = 0; f < model.size(); ++f) {
    const patterns::FunctionWidth& width = model.of(f);
    if (!width.lane32.empty() || !width.warp32.empty() || width.usesWarpSize || width.usesWidthName) return true;
  }
  return false;
}

void detectTreeDepth(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  bool lone = !numbersLanes(model);
  for (std::uint32_t f = 0; f < model.size(); ++f) {
    if (model.of(f).shuffles.empty()) continue;
    bool loneHelper = lone && !facts.functions[f].isKernel && !model.hasCallers(f);
    bool flagged = facts.includesHip || model.worksOnWave(f) || loneHelper;
    for (const patterns::Shuffle& shuffle : model.of(f).shuffles) {
      const Collective& collective = model.all()[shuffle.collective];
      if (!patterns::isPlain(facts, collective.call.name)) continue;
      const auto& places = model.places(f);
      if (collective.kind == CollectiveKind::ShuffleIndex) {
        // `63 & 31` was folded into its group of 32 by someone who knows of more lanes.
        bool last = collective.width.empty() && patterns::valueOf(facts, collective.lane) == 31 &&
                    !patterns::isFolded(facts, collective.lane);
        if (last && !patterns::isConfinedTo32(facts, places, collective.call.name)) {
          hits.add(collective.call.name, "lane 31 taken as the last lane: in a 64-lane wave it is in the middle");
        }
        continue;
      }
      if (collective.kind == CollectiveKind::ShuffleUp || shuffle.reach != Reach::Fixed32 || !flagged) continue;
      if (patterns::isConfinedTo32(facts, places, collective.call.name)) continue;
      if (collective.kind == CollectiveKind::ShuffleDown && patterns::isGuardedAt32(facts, places, collective))
        continue;
      hits.add(shuffle.bound == noToken ? collective.call.name : shuffle.bound,
               "shuffle tree starts at 16 without a width: only half of a 64-lane wave enters the result");
    }
  }
}

constexpr std::array<Detector, 12> detectors{{{"W01", detectLaneIndex},
                                              {"W02", detectStaging},
                                              {"W03", detectWidthConstant},
                                              {"W04", detectLaneArray},
                                              {"W05", detectStride},
                                              {"W06", detectTreeDepth},
                                              {"W07", detectNarrowRows},
                                              {"W08", detectPackedWords},
                                              {"W09", detectLaunchGeometry},
                                              {"W10", detectFixed64},
                                              {"W11", detectPassDependentWidth},
                                              {"W12", detectConstantContext}}};

}  // namespace

std::span<const Detector> warpWidthDetectors() {
  return detectors;
}

}  // namespace unwarp::audit
