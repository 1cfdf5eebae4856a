// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules M01 to M09: values with one bit per lane. HIP's are 64 bits wide on every target, so each rule looks for a
// place where a mask is made, kept, counted or passed in 32. M05 and M08 also look into AMD branches, since the faults
// they describe are made there.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "audit/rules/active_lanes.h"
#include "audit/rules/detector.h"
#include "audit/rules/lane_flow.h"
#include "audit/rules/lane_mask_narrowing.h"
#include "audit/rules/lane_mask_shims.h"
#include "audit/rules/patterns.h"
#include "audit/rules/warp_model.h"
#include "base/text.h"

namespace unwarp::audit {

namespace {

using patterns::Collective;
using patterns::CollectiveKind;
using patterns::Control;
using patterns::isAny;
using patterns::Place;
using patterns::WarpModel;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenKind;
using scan::TokenRange;

void detectNarrowCount(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  patterns::LaneMasks masks(model);
  for (const scan::Call& call : facts.calls({"__popc", "__ffs", "__clz", "__brev", "__fns"})) {
    std::uint32_t f = facts.functionOf[call.name];
    if (f == noToken || !patterns::isPlain(facts, call.name) || call.arguments.empty()) continue;
    if (!masks.standIn(f, call.arguments[0])) continue;
    bool votesHere = !model.in(call.arguments[0]).empty();  // a mask made elsewhere may hold the upper half
    if (votesHere && patterns::isConfinedTo32(facts, model.places(f), call.name)) continue;
    hits.add(call.name, std::string(facts.at(call.name)) + " reads 32 bits of a lane mask that has 64 in HIP");
  }
}

/// Range of the operand that starts at `begin`.
TokenRange rightOperand(const SourceFacts& facts, TokenIndex begin) {
  TokenIndex end = begin;
  if (facts.is(end, "(") && facts.match[end] != noToken) return {begin, facts.match[end] + 1};
  while (facts.isIdentifier(end) && (facts.is(end + 1, ".") || facts.is(end + 1, "::"))) end += 2;
  if (facts.is(end + 1, "(") && facts.match[end + 1] != noToken) end = facts.match[end + 1];
  return {begin, end + 1};
}

bool isWidened(const SourceFacts& facts, TokenIndex number) {
  if (patterns::hasLongSuffix(facts.at(number))) return true;
  TokenIndex before = number - 1;
  if (facts.is(before, "~")) --before;
  if (!facts.is(before, ")") || facts.match[before] == noToken) return false;
  TokenRange cast{facts.match[before] + 1, before};
  return patterns::isInt64Type(facts, cast) || facts.textOf(cast).find("mask") != std::string_view::npos;
}

/// The initialiser of the declaration of `name` that is visible at `at`: one in a block closed before is another
/// variable.
TokenRange visibleInitialiser(const SourceFacts& facts, std::string_view name, TokenIndex at) {
  constexpr int maxMentions = 16;
  auto mentions = facts.named(name);
  auto last = std::lower_bound(mentions.begin(), mentions.end(), at);
  for (int steps = 0; last != mentions.begin() && steps < maxMentions; ++steps) {
    TokenIndex t = *--last;
    if (facts.functionOf[t] != facts.functionOf[at]) break;
    auto assignment = facts.is(t + 1, "=") ? patterns::assignmentAround(facts, t + 2) : std::nullopt;
    if (!assignment || assignment->op != t + 1 || !assignment->declares) continue;
    TokenIndex block = facts.block[t];
    if (block != noToken && facts.match[block] != noToken && facts.match[block] > at) return assignment->right;
  }
  return {};
}

/// The count of a shift is no lane of a whole warp: a number of set bits, or a number kept below 16.
bool isSmallCount(const SourceFacts& facts, TokenRange count, TokenIndex at) {
  count = patterns::stripped(facts, count);
  if (count.end == count.begin + 1 && facts.isIdentifier(count.begin))
    count = patterns::stripped(facts, visibleInitialiser(facts, facts.at(count.begin), at));
  if (count.end < count.begin + 2) return false;
  TokenIndex op = count.end - 2;
  auto limit = patterns::valueOf(facts, count.end - 1);
  if (limit && ((facts.is(op, "%") && *limit <= 16) || (facts.is(op, "&") && *limit >= 0 && *limit < 16))) return true;
  bool call = facts.is(count.begin + 1, "(") && facts.match[count.begin + 1] == count.end - 1;
  return call && isAny(facts.at(count.begin), {"__popc", "__popcll"});
}

constexpr TokenIndex farthestMask = 400;  ///< tokens between a call's name and a number in its mask

bool makesLaneMask(const WarpModel& model, std::uint32_t f) {
  std::string name = toLower(model.facts().functions[f].name);
  if (name.find("lane") != std::string::npos && name.find("mask") != std::string::npos) return true;
  auto inside = model.in(model.facts().functions[f].body);
  return std::any_of(inside.begin(), inside.end(),
                     [](const Collective& collective) { return collective.returnsLaneMask(); });
}

void detectNarrowShift(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  std::uint32_t last = noToken;
  bool makesMask = false;  // the function `last`: by its name, or it holds a vote
  for (TokenIndex number : facts.numbers) {
    if (!facts.is(number + 1, "<<") && !facts.is(number + 1, ">>")) continue;
    std::uint32_t f = facts.functionOf[number];
    if (f == noToken || !patterns::isPlainDevice(facts, number) || isWidened(facts, number)) continue;
    if (facts.is(number + 1, ">>") && patterns::valueOf(facts, number) != 0xffffffffll) continue;
    Place place = model.places(f).of(rightOperand(facts, number + 2));
    if (facts.is(number + 1, ">>")) {  // 0xffffffff >> (31 - lane)
      TokenRange count = rightOperand(facts, number + 2);
      for (TokenIndex t = count.begin; t < count.end; ++t) {
        if (facts.isIdentifier(t) && patterns::isLane(model.places(f).ofName(facts.at(t)))) place = Place::LaneNamed;
      }
    }
    if (!patterns::isLane(place) || isSmallCount(facts, rightOperand(facts, number + 2), number)) continue;
    if (f != last) makesMask = makesLaneMask(model, f);
    last = f;
    auto near = model.in({number > farthestMask ? number - farthestMask : 0, number});
    bool meetsMask = std::any_of(near.begin(), near.end(),
                                 [number](const Collective& collective) { return collective.mask.contains(number); });
    if (!makesMask && !meetsMask) continue;
    hits.add(number, "lane mask built with a 32-bit shift: lanes 32 to 63 get the bits of lanes 0 to 31");
  }
}

void detectNarrowArgument(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  auto check = [&](const Collective& collective) {
    if (collective.mask.empty() || !patterns::isPlain(facts, collective.call.name)) return;
    auto bytes = patterns::maskBytes(facts, facts.enclosing(collective.call.name), collective.mask);
    if (bytes != 4) return;
    hits.add(collective.call.name, "mask " + patterns::shortText(facts, collective.mask, 24) +
                                       " has 4 bytes; HIP's _sync functions accept 8 and stop the build otherwise");
  };
  for (const Collective& collective : model.all()) check(collective);
  for (const scan::Directive& directive :
       facts.directives) {  // wrappers: #define SHFL(x) __shfl_sync(0xffffffff, x, 0)
    if (directive.name != "define") continue;
    for (TokenIndex t = directive.first + 3; t < directive.last; ++t) {
      if (!facts.isIdentifier(t) || !facts.at(t).ends_with("_sync") || !patterns::isCollectiveName(facts.at(t)))
        continue;
      TokenIndex end = t + 2;
      while (end < directive.last && !facts.is(end, ",") && !facts.is(end, ")")) ++end;
      if (!facts.is(t + 1, "(") || end >= directive.last) continue;
      check({{t, {}, end}, CollectiveKind::Vote, true, {t + 2, end}, {}, {}, {}});
    }
  }
}

/// A literal of 64 bits whose value names lanes 0 to 31 only.
bool isWidenedLiteral(const SourceFacts& facts, TokenRange mask) {
  auto value = patterns::valueOf(facts, mask);
  if (!value || *value != 0xffffffffll) return false;
  for (TokenIndex t = mask.begin; t < mask.end; ++t) {
    std::string_view word = facts.at(t);
    bool number = facts.tokens[t].kind == TokenKind::Number;
    if (number && patterns::hasLongSuffix(word)) return true;
    if (isAny(word, {"uint64_t", "long", "size_t"})) return true;
  }
  return false;
}

void detectWidenedOnly(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  constexpr std::string_view message =
      "64-bit mask that names lanes 0 to 31 only: votes ignore the upper half of the wave";
  std::vector<std::string_view> names;
  for (const Collective& collective : model.all()) {
    if (!collective.takesMask || facts.branch[collective.call.name] == scan::Branch::CudaOnly) continue;
    TokenRange mask = patterns::stripped(facts, collective.mask);
    if (mask.end == mask.begin + 1 && facts.isIdentifier(mask.begin)) {
      names.push_back(facts.at(mask.begin));
    } else if (isWidenedLiteral(facts, collective.mask)) {
      hits.add(collective.mask.begin, std::string(message));
    }
  }
  for (TokenIndex t : facts.numbers) {  // definitions of masks: by use in this file, or by name
    if (facts.tokens[t].length < 10 || facts.branch[t] == scan::Branch::CudaOnly ||
        patterns::valueOf(facts, t) != 0xffffffffll)
      continue;
    TokenIndex name = t - 1;
    while (name > 0 && (facts.is(name, "(") || facts.is(name, ")") || facts.is(name, "uint64_t"))) --name;
    bool define = facts.tokens[t].directive && facts.is(name - 1, "define");
    if (!define) {
      if (!facts.is(name, "=") && !facts.is(name, "{")) continue;
      --name;
    }
    if (!facts.isIdentifier(name)) continue;
    TokenIndex begin = name;
    while (begin > 0 && name - begin < 8 && (facts.isIdentifier(begin - 1) || facts.is(begin - 1, "::"))) --begin;
    bool wide = isWidenedLiteral(facts, {t, t + 1}) || (!define && patterns::isInt64Type(facts, {begin, name}));
    if (!wide) continue;
    std::string lower = toLower(facts.at(name));
    bool byName = lower.find("mask") != std::string::npos &&
                  (lower.find("warp") != std::string::npos || lower.find("full") != std::string::npos ||
                   lower.find("lane") != std::string::npos || lower.find("all") != std::string::npos);
    if (byName || std::find(names.begin(), names.end(), facts.at(name)) != names.end())
      hits.add(name, std::string(message));
  }
}

/// `if (tid >= n) return;` before `for (i = lane; i < n; i += stride)`: a loop over n in steps of many threads is
/// written for n above their number, where nobody leaves.
bool boundsStridedLoop(const SourceFacts& facts, const patterns::Places& places, const scan::Function& function,
                       TokenRange cause) {
  TokenIndex op = cause.begin;
  while (op < cause.end && !facts.is(op, ">=")) ++op;
  if (op >= cause.end || patterns::valueOf(facts, TokenRange{op + 1, cause.end})) return false;
  std::string_view bound = facts.textOf({op + 1, cause.end});
  auto loops = facts.named("for");
  auto next = std::lower_bound(loops.begin(), loops.end(), cause.end);
  for (int steps = 0; next != loops.end() && *next < function.body.end && steps < 64; ++next, ++steps) {
    auto control = patterns::controlAt(facts, *next);
    if (!control) continue;
    patterns::ForHeader header = patterns::forHeader(facts, control->condition);
    TokenIndex equals = header.init.begin;
    while (equals < header.init.end && !facts.is(equals, "=")) ++equals;
    bool starts = equals < header.init.end && patterns::variesInWarp(places.of({equals + 1, header.init.end}));
    bool strides = false;
    for (TokenIndex t = header.step.begin; t < header.step.end; ++t) strides |= facts.is(t, "+=");
    for (TokenIndex t = header.condition.begin; starts && strides && t < header.condition.end; ++t) {
      if (facts.is(t, "<") && facts.textOf({t + 1, header.condition.end}) == bound) return true;
    }
  }
  return false;
}

void detectInactiveLanes(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  patterns::EarlyExits exits(model);
  std::unordered_set<TokenIndex> causes;  // one report per cause: a tree of five shuffles has one repair
  for (const Collective& collective : model.all()) {
    TokenIndex call = collective.call.name;
    bool candidate =
        collective.takesMask && patterns::isPlain(facts, call) && patterns::isFullMask(facts, collective.mask);
    if (!candidate) continue;
    const patterns::Places& places = model.places(facts.functionOf[call]);
    TokenRange cause;
    for (const Control& control : patterns::controlsAround(facts, call)) {
      if (!facts.is(control.keyword, "if") || !patterns::isDivergent(facts, places, control.condition)) continue;
      // In the condition itself every lane still takes part.
      if (!control.condition.contains(call)) cause = control.condition;
    }
    if (cause.empty()) {
      cause = exits.before(call);
      if (!cause.empty() && boundsStridedLoop(facts, places, *facts.enclosing(call), cause)) continue;
    }
    if (cause.empty() || !causes.insert(cause.begin).second) continue;
    hits.add(call, "full mask although `" + patterns::shortText(facts, cause, 36) +
                       "` leaves some lanes out: HIP wants the mask to equal the active lanes");
  }
}

void detectSubsetMask(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  patterns::EarlyExits exits(model);
  for (const Collective& collective : model.all()) {
    TokenIndex call = collective.call.name;
    if (collective.mask.empty() || !patterns::isPlain(facts, call) || patterns::isFullMask(facts, collective.mask))
      continue;
    auto value = patterns::valueOf(facts, collective.mask);
    if (!value || *value == 0) continue;
    auto active = patterns::activeLanes(facts, model.places(facts.functionOf[call]), exits, call);
    if (active.exact && active.lanes == static_cast<std::uint64_t>(*value)) continue;
    hits.add(call, "mask " + patterns::shortText(facts, collective.mask, 24) +
                       " names part of the warp: HIP wants the masks met at one call to add up to the active lanes");
  }
}

/// The second read starts a group of its own: kept in a new variable, and nothing asks for the first one any more.
bool startsNewGroup(const SourceFacts& facts, TokenIndex first, TokenIndex second) {
  auto before = patterns::assignmentAround(facts, first), after = patterns::assignmentAround(facts, second);
  if (!before || before->name == noToken || !after || after->name == noToken || !after->declares) return false;
  for (TokenIndex t = after->right.begin; t < second; ++t) {
    if (!facts.is(t, "::")) return false;
  }
  std::string_view name = facts.at(before->name);
  auto mentions = facts.named(name);
  auto next = std::lower_bound(mentions.begin(), mentions.end(), second);
  for (int steps = 0; next != mentions.end() && *next < facts.enclosing(second)->body.end; ++next) {
    if (++steps > 8) return false;
    auto hiding = facts.is(*next + 1, "=") ? patterns::assignmentAround(facts, *next + 2) : std::nullopt;
    if (hiding && hiding->declares) continue;
    TokenRange visible = visibleInitialiser(facts, name, *next);  // the second may hide the first under the same name
    if (visible.empty() || visible.begin == before->right.begin) return false;
  }
  return true;
}

/// `__popc(__activemask())`, `__popc(~__activemask())`.
bool onlyCounts(const SourceFacts& facts, TokenIndex call) {
  TokenIndex before = call;
  while (before > 0 && isAny(facts.at(before - 1), {"(", "~"})) --before;
  return before > 0 && isAny(facts.at(before - 1), {"__popc", "__popcll"});
}

/// `group = __activemask()`: a group that the function carries on.
bool isKept(const SourceFacts& facts, TokenIndex call) {
  auto assignment = patterns::assignmentAround(facts, call);
  return assignment && assignment->name != noToken && patterns::stripped(facts, assignment->right).begin == call;
}

/// Between the read of the mask and its use, a condition of the use tells lanes apart.
bool partsSince(const WarpModel& model, TokenIndex read, TokenIndex use) {
  const SourceFacts& facts = model.facts();
  for (const Control& control : patterns::controlsAround(facts, use)) {
    bool between = control.keyword > read && facts.is(control.keyword, "if") && !control.condition.contains(use);
    if (between && patterns::isDivergent(facts, model.places(facts.functionOf[use]), control.condition)) return true;
  }
  return false;
}

void detectActiveMask(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  std::uint32_t function = noToken;
  TokenIndex previous = noToken;                             // the last read in `function` that is no mere count
  std::unordered_map<std::string_view, TokenIndex> holders;  // variables of `function`, by the read they hold
  for (const Collective& collective : model.all()) {
    TokenIndex call = collective.call.name;
    if (facts.functionOf[call] != function) {
      function = facts.functionOf[call];
      previous = noToken;
      holders.clear();
    }
    TokenRange mask = patterns::stripped(facts, collective.mask);
    auto holder = mask.end == mask.begin + 1 ? holders.find(facts.at(mask.begin)) : holders.end();
    if (holder != holders.end() && partsSince(model, holder->second, call))
      hits.add(call, "mask from __activemask used after the lanes have parted: it names lanes that are not here");
    if (collective.kind != CollectiveKind::ActiveMask || !patterns::isPlain(facts, call)) continue;
    bool counts = onlyCounts(facts, call);  // how many lanes live right now
    bool carried = previous != noToken && (!counts || isKept(facts, previous));
    if (carried && !startsNewGroup(facts, previous, call))
      hits.add(call, "__activemask read again: the group may have changed since the first time");
    if (counts) continue;
    previous = call;
    auto assignment = patterns::assignmentAround(facts, call);
    if (assignment && assignment->name != noToken) holders[facts.at(assignment->name)] = call;
  }
}

constexpr std::array<Detector, 9> detectors{{{"M01", detectNarrowedMask},
                                             {"M02", detectNarrowCount},
                                             {"M03", detectNarrowShift},
                                             {"M04", detectNarrowArgument},
                                             {"M05", detectWidenedOnly},
                                             {"M06", detectInactiveLanes},
                                             {"M07", detectSubsetMask},
                                             {"M08", detectShim},
                                             {"M09", detectActiveMask}}};

}  // namespace

std::span<const Detector> laneMaskDetectors() {
  return detectors;
}

}  // namespace unwarp::audit
