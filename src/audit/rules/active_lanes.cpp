// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A condition is read by its connectives from the outside in; long ones and deep ones are taken as unknown, so that
// time stays linear on machine-made files.
#include "audit/rules/active_lanes.h"

#include <algorithm>
#include <optional>

#include "audit/rules/patterns.h"

namespace unwarp::audit::patterns {

namespace {

using scan::noToken;

constexpr TokenIndex longestCondition = 256;  ///< tokens
constexpr int deepestCondition = 32;          ///< connectives inside each other
constexpr int farthestArm = 256;              ///< tokens between a `?` and what stands in its arms
constexpr ActiveLanes everyLane{};
constexpr ActiveLanes unknownLanes{~std::uint64_t{0}, false};

ActiveLanes both(ActiveLanes a, ActiveLanes b) {
  return {a.lanes & b.lanes, a.exact && b.exact};
}

ActiveLanes either(ActiveLanes a, ActiveLanes b) {
  return {a.lanes | b.lanes, a.exact && b.exact};
}

/// The lanes that a condition turns away. One that turns no lane away is the same for all, and so is its opposite.
ActiveLanes others(ActiveLanes lanes) {
  return lanes.exact && ~lanes.lanes != 0 ? ActiveLanes{~lanes.lanes, true}
                                          : ActiveLanes{~std::uint64_t{0}, lanes.exact};
}

/// The last token of `range` outside brackets that is one of `words`, or noToken.
TokenIndex lastOf(const SourceFacts& facts, TokenRange range, std::initializer_list<std::string_view> words) {
  TokenIndex found = noToken;
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    bool group = isAny(facts.at(t), {"(", "["}) && facts.match[t] < range.end && facts.match[t] > t;
    if (group)
      t = facts.match[t];
    else if (isAny(facts.at(t), words))
      found = t;
  }
  return found;
}

/// The same in all lanes of a wave: made of numbers, block numbers and plain parameters of a kernel, or a comparison
/// with a full mask, which is what the lanes agreed on before.
bool isSameInAllLanes(const SourceFacts& facts, TokenRange condition) {
  TokenIndex equals = lastOf(facts, condition, {"=="});
  if (equals != noToken &&
      (isFullMask(facts, {equals + 1, condition.end}) || isFullMask(facts, {condition.begin, equals})))
    return true;
  for (TokenIndex t = condition.begin; t < condition.end; ++t) {
    if (isAny(facts.at(t), {"[", "{"})) return false;
    if (!facts.isIdentifier(t) || facts.is(t - 1, ".")) continue;
    if (isAny(facts.at(t), {"blockIdx", "gridDim", "blockDim"}) || facts.constants.contains(facts.at(t))) continue;
    const Function* function = facts.enclosing(t);
    bool handedIn = function != nullptr && function->isKernel && usesName(facts, function->parameters, facts.at(t)) &&
                    !isAny(facts.at(t + 1), {"(", ".", "->"}) && lastValue(facts, {t, t + 1}, t).begin == t;
    if (!handedIn || facts.is(t - 1, "*")) return false;
  }
  return true;
}

/// The lanes whose number compares with `bound` as `op` says.
std::uint64_t lanesWhere(std::string_view op, std::int64_t bound, std::int64_t modulus) {
  std::uint64_t lanes = 0;
  for (std::int64_t lane = 0; lane < 64; ++lane) {
    std::int64_t number = lane % modulus;
    bool passes = (op == "<" && number < bound) || (op == "<=" && number <= bound) || (op == ">" && number > bound) ||
                  (op == ">=" && number >= bound) || (op == "==" && number == bound) || (op == "!=" && number != bound);
    if (passes) lanes |= std::uint64_t{1} << lane;
  }
  return lanes;
}

std::string_view mirrored(std::string_view op) {
  if (op == "<") return ">";
  if (op == "<=") return ">=";
  if (op == ">") return "<";
  return op == ">=" ? "<=" : op;
}

/// `threadIdx.x < 16`, `16 > lane`, or the truth of something else.
ActiveLanes comparedLanes(const SourceFacts& facts, const Places& places, TokenRange condition) {
  TokenIndex at = lastOf(facts, condition, {"<", "<=", ">", ">=", "==", "!="});
  if (at == noToken) return unknownLanes;
  std::string_view op = facts.at(at);
  TokenRange number{condition.begin, at};
  auto bound = valueOf(facts, TokenRange{at + 1, condition.end});
  if (!bound) {
    bound = valueOf(facts, number);
    number = {at + 1, condition.end};
    op = mirrored(op);
  }
  number = stripped(facts, number);
  if (!bound || lastOf(facts, number, {"+", "-", "*", "<<", "|", "^", "/", ">>"}) != noToken) return unknownLanes;
  Place place = places.of(number);
  bool plain = place == Place::Thread && lastOf(facts, number, {"%", "&"}) == noToken;
  // What is only called a lane may count to 32 or to 64: its bounds tell little, a single lane is taken at its word.
  bool named = place == Place::LaneNamed && op == "==";
  if (plain || place == Place::LaneWave || named) return {lanesWhere(op, *bound, 64), true};
  return place == Place::Lane32 ? ActiveLanes{lanesWhere(op, *bound, 32), true} : unknownLanes;
}

ActiveLanes lanesOf(const SourceFacts& facts, const Places& places, TokenRange condition, int depth = 0) {
  condition = stripped(facts, condition);
  if (condition.empty() || condition.end - condition.begin > longestCondition || depth > deepestCondition)
    return unknownLanes;
  for (std::string_view connective : {"||", "&&"}) {  // the one that binds less first
    TokenIndex at = lastOf(facts, condition, {connective});
    if (at == noToken) continue;
    ActiveLanes left = lanesOf(facts, places, {condition.begin, at}, depth + 1);
    ActiveLanes right = lanesOf(facts, places, {at + 1, condition.end}, depth + 1);
    return connective == "&&" ? both(left, right) : either(left, right);
  }
  if (isSameInAllLanes(facts, condition)) return everyLane;
  bool negates = facts.is(condition.begin, "!") && lastOf(facts, condition, {"<", ">", "==", "!="}) == noToken;
  if (negates) return others(lanesOf(facts, places, {condition.begin + 1, condition.end}, depth + 1));
  return comparedLanes(facts, places, condition);
}

/// The part of a condition that has let a lane through when it comes to `t` in the condition itself.
TokenRange beforeInCondition(const SourceFacts& facts, TokenRange condition, TokenIndex t) {
  TokenIndex last = lastOf(facts, {condition.begin, t}, {"&&"});
  if (last == noToken || lastOf(facts, condition, {"||", "?"}) != noToken) return {};
  return {condition.begin, last};
}

/// The lanes for which `condition` is as `holds` says. Data that the file does not know is taken to be the same in all
/// lanes when it is all that a condition asks for.
ActiveLanes lanesFor(const SourceFacts& facts, const Places& places, TokenRange condition, bool holds) {
  ActiveLanes lanes = lanesOf(facts, places, condition);
  bool known = lanes.exact || ~lanes.lanes != 0 || isDivergent(facts, places, condition);
  if (!known) return everyLane;
  return holds ? lanes : others(lanes);
}

/// What the `?:` around `t` in its statement let through.
ActiveLanes lanesOfArms(const SourceFacts& facts, const Places& places, TokenIndex t) {
  ActiveLanes result;
  int closed = 0;             // `:` met whose `?` is still to come
  bool aside = false;         // in an argument before the one that holds t
  TokenIndex mark = noToken;  // the `?` whose condition is being passed
  bool otherwise = false;
  auto conditionEnds = [&](TokenIndex begin) {
    if (mark == noToken) return;
    result = both(result, lanesFor(facts, places, {begin, mark}, !otherwise));
    mark = noToken;
  };
  for (int steps = 0; t > 0 && steps < farthestArm; ++steps) {
    --t;
    std::string_view word = facts.at(t);
    if (isAny(word, {")", "]"}) && facts.match[t] < t) {
      t = facts.match[t];
      continue;
    }
    bool stops = isAny(word, {";", "{", "}", "=", "+=", "-=", "*=", "|=", "&=", "^=", "return", "else"});
    if (stops || isAny(word, {"(", "[", ",", "?", ":"})) conditionEnds(t + 1);
    if (stops) break;
    if (isAny(word, {"(", "["})) {
      closed = 0;
      aside = false;
    } else if (word == ",") {
      aside = true;
    } else if (word == ":" && !aside) {
      ++closed;
    } else if (word == "?" && !aside) {
      if (closed <= 1) {
        mark = t;
        otherwise = closed == 1;
      }
      closed = std::max(closed - 1, 0);
    }
  }
  return result;
}

}  // namespace

ActiveLanes activeLanes(const SourceFacts& facts, const Places& places, EarlyExits& exits, TokenIndex t) {
  ActiveLanes result = lanesOfArms(facts, places, t);
  auto meet = [&](TokenRange condition, bool holds) {
    result = both(result, lanesFor(facts, places, condition, holds));
  };
  for (const Control& control : controlsAround(facts, t)) {
    if (!facts.is(control.keyword, "if")) continue;
    if (!control.condition.contains(t)) {
      meet(control.condition, control.body.contains(t));
    } else if (TokenRange before = beforeInCondition(facts, control.condition, t); !before.empty()) {
      meet(before, true);
    }
  }
  for (const EarlyExits::Exit& exit : exits.firstOf(facts.functionOf[t])) {
    const Control& control = exit.control;
    if (exit.token >= t || control.body.contains(t) || control.condition.contains(t)) continue;
    // `if (i >= n) return;` leaves a guard as exact as it is: whole blocks have all their lanes.
    result.lanes &= lanesFor(facts, places, control.condition, !control.body.contains(exit.token)).lanes;
  }
  return result;
}

}  // namespace unwarp::audit::patterns
