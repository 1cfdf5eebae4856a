// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the call that makes a lane mask outwards to what takes its value: a cast, a variable with `=`, `( )` or `{ }`,
// an element or a member, a parameter of a function of this file, what a function returns. The declared type of that
// decides; one that this
// file does not show narrows nothing. A value that is compared on its way is a truth value; a comparison with 32 set
// bits asks about half of the lanes and is reported itself.
#include "audit/rules/lane_mask_narrowing.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "audit/rules/lane_flow.h"
#include "audit/rules/patterns.h"

namespace unwarp::audit {

namespace {

using patterns::Collective;
using patterns::isAny;
using patterns::WarpModel;
using scan::Function;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

bool isTruthOperator(std::string_view word) {
  return isAny(word, {"==", "!=", "<", ">", "<=", ">=", "&&", "||", "?"});
}

/// The value is compared, or decides a `?`, before it reaches the end of `right`: `(ballot & bit) != 0`.
bool becomesTruth(const SourceFacts& facts, TokenRange right, TokenIndex afterCall) {
  for (TokenIndex t = afterCall; t < right.end && !facts.is(t, ":"); ++t) {
    if (isTruthOperator(facts.at(t))) return true;
    if (facts.match[t] != noToken && facts.match[t] > t) t = facts.match[t];
  }
  return false;
}

/// The call stands in the value itself (casts, masks and the arms of a `?` around it allowed), not inside another call.
bool isDirectValue(const SourceFacts& facts, TokenRange right, const scan::Call& call) {
  for (TokenIndex t = right.begin; t < call.name; ++t) {
    const bool holdsCall = facts.match[t] != noToken && facts.match[t] > call.name;
    const bool inCall = facts.is(t, "(") && holdsCall && facts.isIdentifier(t - 1) && !facts.is(t - 1, "static_cast") &&
                        !isAny(facts.at(t - 1), {"unsigned", "int", "uint32_t", "int32_t", "return"});
    if (inCall || (facts.is(t, "[") && holdsCall)) return false;
  }
  const std::string_view before = facts.at(call.name - 1);
  return (before == "?" || !isTruthOperator(before)) && !becomesTruth(facts, right, call.end + 1);
}

/// `(unsigned)ballot`, `uint32_t(ballot)`, `static_cast<unsigned>(ballot)` right before the call.
bool isNarrowedByCast(const SourceFacts& facts, TokenIndex call) {
  TokenIndex before = call - 1;
  if (facts.is(before, ")") && facts.match[before] != noToken) {
    return patterns::isInt32Type(facts, {facts.match[before] + 1, before});
  }
  if (!facts.is(before, "(") || before < 2) return false;
  if (isAny(facts.at(before - 1), {"unsigned", "int", "uint32_t", "int32_t"})) return true;
  if (!facts.is(before - 1, ">")) return false;
  TokenIndex open = before - 1;
  while (open > 0 && before - open < 8 && !facts.is(open, "<")) --open;
  return facts.is(open - 1, "static_cast") && patterns::isInt32Type(facts, {open + 1, before - 1});
}

TokenRange withoutPointer(const SourceFacts& facts, TokenRange type) {
  while (!type.empty() && isAny(facts.at(type.end - 1), {"*", "__restrict__", "__restrict", "restrict"})) --type.end;
  return type;
}

/// Whether what is called `name` outside of all functions (a member, a variable of the file) has 32 bits wherever this
/// file declares it.
bool isNarrowOutside(const SourceFacts& facts, std::string_view name) {
  constexpr std::size_t most = 64;
  bool found = false;
  auto mentions = facts.named(name);
  for (TokenIndex t : mentions.first(std::min(mentions.size(), most))) {
    if (facts.functionOf[t] != noToken || facts.tokens[t].directive || t == 0) continue;
    if (!isAny(facts.at(t + 1), {";", "=", "[", "{", ","}) || facts.is(t - 1, ".") || facts.is(t - 1, "->")) continue;
    TokenRange type{facts.statement(t).begin, t};
    for (TokenIndex first = type.begin; first < t; ++first)  // `unsigned low, mask;`
      if (facts.is(first, ",")) type.end = first - 1;
    if (type.empty() || !facts.isIdentifier(type.begin)) continue;
    if (!patterns::isInt32Type(facts, withoutPointer(facts, type))) return false;
    found = true;
  }
  return found;
}

/// `uint4 v; v.x = ballot`: a component of one of CUDA's vectors.
bool isNarrowComponent(const SourceFacts& facts, TokenRange type, std::string_view member) {
  bool vector = false;
  for (TokenIndex t = type.begin; t < type.end; ++t)
    vector |= isAny(facts.at(t), {"uint2", "uint3", "uint4", "int2", "int3", "int4"});
  return vector && isAny(member, {"x", "y", "z", "w"});
}

bool isNarrowTarget(const SourceFacts& facts, const Function& function, const patterns::Assignment& assignment) {
  TokenIndex base = assignment.left.begin, last = assignment.op - 1;
  if (!facts.isIdentifier(base)) return false;
  const bool element = facts.is(last, "]") && facts.match[last] != noToken && facts.match[last] > 0;
  if (element) last = facts.match[last] - 1;
  if (!facts.isIdentifier(last)) return false;
  const TokenRange type = patterns::declaredType(facts, function, facts.at(base), base);
  if (last != base) return isNarrowOutside(facts, facts.at(last)) || isNarrowComponent(facts, type, facts.at(last));
  if (type.empty()) return isNarrowOutside(facts, facts.at(base));
  return patterns::isInt32Type(facts, element ? withoutPointer(facts, type) : type);
}

/// The functions of the file by name.
class Takers {
 public:
  explicit Takers(const SourceFacts& facts) : facts_(facts) {
    for (const Function& function : facts.functions) byName_[function.name].push_back(&function);
  }
  /// Parameter `index` of every function called `name` in this file has a type of 32 bits.
  bool takeNarrow(std::string_view name, std::size_t index) const {
    constexpr std::size_t mostOverloads = 16;
    const auto named = byName_.find(name);
    if (named == byName_.end() || named->second.size() > mostOverloads) return false;
    return std::all_of(named->second.begin(), named->second.end(), [&](const Function* function) {
      const std::vector<TokenRange> parameters = facts_.splitArguments(function->parameters);
      if (index >= parameters.size()) return false;
      TokenRange type = parameters[index];
      for (TokenIndex equals = type.begin; equals < type.end; ++equals)
        if (facts_.is(equals, "=")) type.end = equals;
      return patterns::isInt32Type(facts_, type);
    });
  }

 private:
  const SourceFacts& facts_;
  std::unordered_map<std::string_view, std::vector<const Function*>> byName_;
};

/// The bracket around the call in its statement, or noToken; what stands in brackets of its own is passed over.
TokenIndex openBracketAround(const SourceFacts& facts, TokenIndex call) {
  constexpr int farthest = 256;
  TokenIndex t = call;
  for (int steps = 0; t > 0 && steps < farthest; ++steps) {
    --t;
    if (facts.tokens[t].directive || facts.is(t, ";") || facts.is(t, "=")) return noToken;
    if (facts.match[t] == noToken) continue;
    if (facts.match[t] > t) return t;
    if (facts.is(t, "}")) return noToken;
    t = facts.match[t];
  }
  return noToken;
}

/// `unsigned m(ballot)`, `unsigned m{ballot}`, `unsigned m[2] = {ballot, 0}`, `take(ballot)`.
bool isNarrowBracket(const SourceFacts& facts, const Takers& takers, const scan::Call& call) {
  const Function& function = *facts.enclosing(call.name);
  const TokenIndex open = openBracketAround(facts, call.name);
  if (open == noToken || open == 0 || facts.is(open, "[")) return false;
  const TokenRange inside{open + 1, facts.match[open]};
  std::size_t index = 0;
  TokenRange argument;
  for (TokenRange one : facts.splitArguments(inside)) {
    argument = one;
    if (one.contains(call.name)) break;
    ++index;
  }
  if (!isDirectValue(facts, argument, call)) return false;
  TokenIndex name = open - 1;
  if (facts.is(open, "{") && facts.is(name, "=")) {  // elements
    --name;
    while (facts.is(name, "]") && facts.match[name] != noToken && facts.match[name] > 0) name = facts.match[name] - 1;
    if (name + 2 == open) return false;  // `Masks m = {ballot}`
  }
  if (!facts.isIdentifier(name)) return false;
  const TokenRange type{facts.statement(name).begin, name};
  const bool declares = function.body.contains(name) && !type.empty() && facts.isIdentifier(name - 1) &&
                        patterns::isInt32Type(facts, type) && !facts.is(type.begin, "return");
  return declares || (facts.is(open, "(") && takers.takeNarrow(facts.at(name), index));
}

/// `unsigned f(...)` and `auto f(...) -> unsigned`.
bool returnsNarrow(const SourceFacts& facts, const Function& function) {
  if (patterns::isInt32Type(facts, function.qualifiers)) return true;
  const TokenRange tail{function.parameters.end + 1, function.body.begin - 1};
  return facts.is(tail.begin, "->") && patterns::isInt32Type(facts, tail);
}

bool isNarrowed(const SourceFacts& facts, const Takers& takers, const scan::Call& call) {
  const Function& function = *facts.enclosing(call.name);
  if (isNarrowedByCast(facts, call.name)) return true;
  if (auto assignment = patterns::assignmentAround(facts, call.name);
      assignment && isDirectValue(facts, assignment->right, call))
    return isNarrowTarget(facts, function, *assignment);
  const TokenRange statement = facts.statement(call.name);
  if (facts.is(statement.begin, "return") && isDirectValue(facts, statement, call))
    return returnsNarrow(facts, function);
  return isNarrowBracket(facts, takers, call);
}

/// The operand beside a comparison that 32 set bits stand on the other side of, or an empty range.
TokenRange comparedWithHalf(const SourceFacts& facts, TokenIndex comparison) {
  constexpr std::int64_t half = 0xffffffff;
  const TokenRange left{patterns::operandBegin(facts, comparison - 1), comparison};
  TokenIndex end = comparison + 2;
  if (facts.is(comparison + 1, "(") && facts.match[comparison + 1] != noToken) end = facts.match[comparison + 1] + 1;
  if (facts.isIdentifier(comparison + 1) && facts.is(end, "(") && facts.match[end] != noToken)
    end = facts.match[end] + 1;
  const TokenRange right{comparison + 1, end};
  if (patterns::valueOf(facts, right) == half) return left;
  return patterns::valueOf(facts, left) == half ? right : TokenRange{};
}

/// A vote or match itself, or a variable that holds one in more than 32 bits.
bool isWideMask(const WarpModel& model, patterns::LaneMasks& masks, std::uint32_t f, TokenRange operand) {
  const SourceFacts& facts = model.facts();
  const TokenRange inner = patterns::stripped(facts, operand);
  for (const Collective& collective : model.in(inner))
    if (collective.returnsLaneMask() && collective.call.name == inner.begin && collective.call.end + 1 == inner.end)
      return true;
  if (inner.end != inner.begin + 1 || !facts.isIdentifier(inner.begin) || !masks.standIn(f, inner)) return false;
  const TokenRange type = patterns::declaredType(facts, facts.functions[f], facts.at(inner.begin), inner.begin);
  return !patterns::isInt32Type(facts, type);
}

void detectComparedWithHalf(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  patterns::LaneMasks masks(model);
  for (std::uint32_t f = 0; f < model.size(); ++f) {
    if (!model.of(f).votes) continue;
    const TokenRange body = facts.functions[f].body;
    for (TokenIndex t = body.begin; t < body.end; ++t) {
      if (!(facts.is(t, "==") || facts.is(t, "!=")) || !patterns::isPlain(facts, t) || facts.functionOf[t] != f)
        continue;
      const TokenRange operand = comparedWithHalf(facts, t);
      if (operand.empty() || !isWideMask(model, masks, f, operand)) continue;
      if (patterns::isConfinedTo32(facts, model.places(f), t)) continue;
      hits.add(operand.begin, "a lane mask has 64 bits in HIP: compared with 32 set bits it never names a whole wave");
    }
  }
}

}  // namespace

void detectNarrowedMask(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  if (model.all().empty()) return;
  const Takers takers(facts);
  for (const Collective& collective : model.all()) {
    const TokenIndex call = collective.call.name;
    if (!patterns::isPlain(facts, call) || !patterns::keepsWholeMask(facts, collective)) continue;
    if (!isNarrowed(facts, takers, collective.call)) continue;
    // Under `if (threadIdx.x < 32)` the upper half of the mask is empty.
    if (!patterns::isConfinedTo32(facts, model.places(facts.functionOf[call]), call))
      hits.add(call, std::string(facts.at(call)) + " returns 64 bits in HIP; kept in 32 it loses lanes 32 to 63");
  }
  detectComparedWithHalf(model, hits);
}

}  // namespace unwarp::audit
