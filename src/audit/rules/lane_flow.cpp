// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divergence is read from the words of a condition: a thread index or lane on one side of a comparison makes it
// divergent, unless the other side is a constant multiple of 32 (whole warps then agree) or the index was divided down
// to a warp number.
#include "audit/rules/lane_flow.h"

#include <algorithm>

#include "audit/rules/token_queries.h"

namespace unwarp::audit::patterns {

namespace {

using scan::noToken;
using scan::TokenKind;

/// Only `&`, `|`, `^`, `~`, parentheses, names and numbers: a combination of masks.
bool isMaskExpression(const SourceFacts& facts, TokenRange range) {
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    if (facts.isIdentifier(t) && facts.is(t + 1, "(")) return false;
    bool fine = facts.isIdentifier(t) || facts.tokens[t].kind == TokenKind::Number ||
                isAny(facts.at(t), {"&", "|", "^", "~", "(", ")"});
    if (!fine) return false;
  }
  return !range.empty();
}

/// Bytes of the variable declared at `name` with `type`; `auto` takes the bytes of its initialiser, unless that is a
/// name again.
std::optional<int> declaredBytes(const SourceFacts& facts, TokenRange type, TokenIndex name) {
  if (isInt32Type(facts, type)) return 4;
  if (isInt64Type(facts, type)) return 8;
  if (!usesName(facts, type, "auto")) return std::nullopt;
  TokenRange value = stripped(facts, initialiserOf(facts, name));
  bool copies = value.end == value.begin + 1 && facts.isIdentifier(value.begin);
  return copies ? std::nullopt : maskBytes(facts, nullptr, value);
}

/// Bytes of the constant called `name` by its definition in this file.
std::optional<int> constantBytes(const SourceFacts& facts, std::string_view name) {
  constexpr std::size_t maxMentions = 256;  // a definition comes before its uses
  auto mentions = facts.named(name);
  for (TokenIndex t : mentions.first(std::min(mentions.size(), maxMentions))) {
    bool define = facts.is(t - 1, "define");
    bool initialised = (facts.is(t + 1, "=") || facts.is(t + 1, "{")) && facts.isIdentifier(t - 1);
    if ((!define && !initialised) || facts.branch[t] == scan::Branch::CudaOnly) continue;
    if (!define) {
      TokenIndex begin = t;
      while (begin > 0 && t - begin < 8 && (facts.isIdentifier(begin - 1) || facts.is(begin - 1, "::"))) --begin;
      if (auto bytes = declaredBytes(facts, {begin, t}, t)) return bytes;
      continue;
    }
    bool known = false, wide = false;
    for (TokenIndex v = t + 1; v < facts.tokens.size() && facts.tokens[v].directive && facts.line(v) == facts.line(t);
         ++v) {
      wide |= isAny(facts.at(v), {"uint64_t", "long", "size_t"});
      if (facts.tokens[v].kind != TokenKind::Number) continue;
      known = true;
      wide |= hasLongSuffix(facts.at(v));
    }
    if (known) return wide ? 8 : 4;
  }
  return std::nullopt;
}

}  // namespace

bool keepsWholeMask(const SourceFacts& facts, const Collective& collective) {
  if (!collective.returnsLaneMask()) return false;
  std::string_view after = facts.at(collective.call.end + 1);
  TokenIndex close = collective.call.end + 1;
  for (int steps = 0; facts.is(close, ")") && steps < 8; ++steps) ++close;
  if (isAny(facts.at(close), {"==", "!=", ">", "<", "?", "&&", "||", ">="}) || after == ">>") return false;
  // `ballot & (1u << lane)` asks for one bit; inside an `if` or after `!` only zero matters.
  return !isAny(facts.at(collective.call.name - 1), {"!", "&&", "||"});
}

void LaneMasks::readNames(std::uint32_t function) {
  const SourceFacts& facts = model_.facts();
  function_ = function;
  names_.clear();
  for (const Collective& collective : model_.in(facts.functions[function].body)) {
    if (!keepsWholeMask(facts, collective)) continue;
    auto assignment = assignmentAround(facts, collective.call.name);
    if (!assignment || assignment->name == noToken) continue;
    bool direct = true;  // not inside another call: `int n = __popc(__ballot(p))` makes no mask
    for (TokenIndex t = assignment->right.begin; t < collective.call.name; ++t) {
      bool callBefore = facts.is(t, "(") && facts.isIdentifier(t - 1) && facts.match[t] > collective.call.name;
      if (callBefore && !isAny(facts.at(t - 1), {"unsigned", "uint32_t", "int", "uint64_t"})) direct = false;
    }
    if (direct) names_.insert(facts.at(assignment->name));
  }
  if (names_.empty()) return;
  TokenRange body = facts.functions[function].body;
  for (TokenIndex t = body.begin; t < body.end; ++t) {
    if (!facts.is(t, "=") || !facts.isIdentifier(t - 1) || names_.contains(facts.at(t - 1))) continue;
    auto assignment = assignmentAround(facts, t + 1);
    if (!assignment || assignment->op != t || !isMaskExpression(facts, assignment->right)) continue;
    bool copies = false;
    for (TokenIndex v = assignment->right.begin; v < assignment->right.end; ++v) copies |= names_.contains(facts.at(v));
    if (copies) names_.insert(facts.at(t - 1));
  }
}

bool LaneMasks::standIn(std::uint32_t function, TokenRange range) {
  const SourceFacts& facts = model_.facts();
  if (function != function_) readNames(function);
  bool found = false;
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    if (facts.is(t, ">>") || isAny(facts.at(t), {"==", "!=", "<", ">"})) return false;
    if (facts.is(t, "[") && facts.match[t] != noToken) {
      t = facts.match[t];
      continue;
    }
    found |= facts.isIdentifier(t) && !facts.is(t - 1, ".") && names_.contains(facts.at(t));
  }
  if (found) return true;
  auto inside = model_.in(range);
  return std::any_of(inside.begin(), inside.end(),
                     [&](const Collective& collective) { return keepsWholeMask(facts, collective); });
}

std::optional<int> maskBytes(const SourceFacts& facts, const Function* function, TokenRange mask) {
  if (mask.empty()) return std::nullopt;
  for (TokenIndex t = mask.begin; t < mask.end; ++t) {  // a cast or a long literal anywhere decides
    if (isAny(facts.at(t), {"long", "uint64_t", "int64_t", "size_t", "ULLONG_MAX", "UINT64_MAX"})) return 8;
    std::string_view word = facts.at(t);
    auto digits = static_cast<std::ptrdiff_t>(word.size()) - std::count(word.begin(), word.end(), '\'');
    if (facts.tokens[t].kind == TokenKind::Number && (hasLongSuffix(word) || digits > 12)) return 8;
  }
  TokenRange inner = stripped(facts, mask);
  if (inner.empty()) return std::nullopt;
  if (inner.end == inner.begin + 1 && facts.isIdentifier(inner.begin)) {
    std::string_view name = facts.at(inner.begin);
    if (name == "UINT_MAX" || name == "UINT32_MAX") return 4;
    if (function != nullptr) {
      TokenRange type = declaredType(facts, *function, name, inner.begin);
      if (!type.empty()) return declaredBytes(facts, type, type.end);
    }
    return constantBytes(facts, name);
  }
  for (TokenIndex t = inner.begin; t < inner.end; ++t) {
    bool plain = facts.tokens[t].kind == TokenKind::Number || isAny(facts.at(t), {"-", "~", "(", ")", "<<", "+", "|"});
    if (!plain) return std::nullopt;
  }
  auto value = facts.evaluate(inner);
  if (value && *value > 0xffffffffll) return 8;
  return 4;
}

bool isFullMask(const SourceFacts& facts, TokenRange mask) {
  TokenRange inner = stripped(facts, mask);
  if (inner.end == inner.begin + 1 && (facts.is(inner.begin, "UINT_MAX") || facts.is(inner.begin, "UINT32_MAX")))
    return true;
  if (inner.end == inner.begin + 2 && facts.is(inner.begin, "~") && facts.at(inner.begin + 1).starts_with("0"))
    return true;
  auto value = valueOf(facts, mask);
  return value && (*value == 0xffffffffll || *value == -1);
}

TokenRange lastValue(const SourceFacts& facts, TokenRange range, TokenIndex at) {
  range = stripped(facts, range);
  const Function* function = facts.enclosing(at);
  if (range.end != range.begin + 1 || !facts.isIdentifier(range.begin) || function == nullptr) return range;
  auto mentions = facts.named(facts.at(range.begin));
  auto last = std::lower_bound(mentions.begin(), mentions.end(), at);
  for (int steps = 0; last != mentions.begin() && steps < 64; ++steps) {
    TokenIndex t = *--last;
    if (!function->body.contains(t)) break;
    if (!facts.is(t + 1, "=")) continue;
    auto assignment = assignmentAround(facts, t + 2);
    return assignment ? stripped(facts, assignment->right) : range;
  }
  return range;
}

bool isFolded(const SourceFacts& facts, TokenRange index) {
  for (TokenIndex t = index.begin; t < index.end; ++t) {
    if (isAny(facts.at(t), {"/", ">>", "min"})) return true;
    if (isAny(facts.at(t), {"%", "&"}) && valueOf(facts, t + 1).value_or(64) <= 32) return true;
  }
  return false;
}

namespace {

/// `index` is threadIdx.x and `bound` is blockDim.x, or `blockDim.x / 8 * 8`: for blocks of whole warps the block size
/// itself, which no thread index reaches. Variables that were set to those count as well.
bool isBoundedByBlock(const SourceFacts& facts, TokenRange index, TokenRange bound, TokenIndex at) {
  index = lastValue(facts, index, at);
  bound = lastValue(facts, bound, at);
  if (index.end != index.begin + 3 || !facts.is(index.begin, "threadIdx")) return false;
  if (facts.is(bound.begin, "(")) ++bound.begin;
  if (!facts.is(bound.begin, "blockDim") || bound.end < bound.begin + 3) return false;
  if (facts.at(index.begin + 2) != facts.at(bound.begin + 2)) return false;
  TokenIndex after = bound.begin + 3;
  if (after == bound.end) return true;
  std::vector<std::string_view> rest;  // of `(blockDim.x / 8) * 8`, brackets left out
  for (TokenIndex t = after; t < bound.end && rest.size() < 8; ++t) {
    if (!facts.is(t, ")")) rest.push_back(facts.at(t));
  }
  bool folded = rest.size() == 4 && rest[0] == "/" && rest[2] == "*" && rest[1] == rest[3];
  if (!folded) return false;
  // A unit that this file does not know gets the benefit of the doubt: units are powers of two as a rule.
  auto unit = valueOf(facts, after + 1);
  return !unit || (*unit >= 1 && *unit <= 32 && (*unit & (*unit - 1)) == 0);
}

}  // namespace

namespace {

/// What is read of a condition. Nobody writes longer ones, and a machine may put thousands of calls under one.
TokenRange start(TokenRange condition) {
  constexpr TokenIndex longest = 512;
  return {condition.begin, std::min(condition.end, condition.begin + longest)};
}

}  // namespace

bool isDivergent(const SourceFacts& facts, const Places& places, TokenRange condition) {
  condition = start(condition);
  // Pieces between && and || are judged one by one: a compare of a varying place with something that is no multiple
  // of 32.
  TokenIndex begin = condition.begin;
  for (TokenIndex t = condition.begin; t <= condition.end; ++t) {
    bool end = t == condition.end || facts.is(t, "&&") || facts.is(t, "||");
    if (!end) continue;
    TokenRange piece{begin, t};
    begin = t + 1;
    TokenIndex op = piece.begin;
    while (op < piece.end && !isAny(facts.at(op), {"<", ">", "<=", ">=", "==", "!="})) ++op;
    if (op == piece.end) {
      Place place = places.of(piece);
      if (variesInWarp(place)) return true;  // `if (lane)`, `if (tid % 2)`
      continue;
    }
    TokenRange left{piece.begin, op}, right{op + 1, piece.end};
    for (auto [side, other] : {std::pair{left, right}, std::pair{right, left}}) {
      while (!side.empty() && (facts.is(side.begin, "(") || facts.is(side.begin, "!")) &&
             facts.match[side.begin] >= side.end)
        ++side.begin;
      while (!other.empty() && facts.is(other.end - 1, ")") && facts.match[other.end - 1] < other.begin) --other.end;
      Place place = places.of(side);
      if (!variesInWarp(place)) continue;
      auto bound = valueOf(facts, other);
      bool wholeWarps = bound && *bound % 32 == 0 && isAny(facts.at(op), {"<", ">="}) && *bound > 0;
      wholeWarps |= isAny(facts.at(op), {"<", ">="}) && isBoundedByBlock(facts, side, other, op);
      if (!wholeWarps && !mentionsUnknownWidth(facts, other)) return true;
    }
  }
  return false;
}

namespace {

/// Some threadIdx.y or .z stands in `range`.
bool readsRows(const SourceFacts& facts, TokenRange range) {
  auto mentions = facts.named("threadIdx");
  auto next = std::lower_bound(mentions.begin(), mentions.end(), range.begin);
  for (; next != mentions.end() && *next < range.end; ++next) {
    if (!facts.is(*next + 2, "x")) return true;
  }
  return false;
}

/// A bound on threadIdx.x alone lets threads of several rows pass; one on an id that counts rows does not.
bool countsAllRows(const SourceFacts& facts, const Places& places, TokenRange index, TokenIndex at) {
  return !places.readsRows() || readsRows(facts, lastValue(facts, index, at));
}

/// The piece of a conjunction lets only lanes 0 to 31 of a wave pass.
bool passesOneWarp(const SourceFacts& facts, const Places& places, TokenRange piece) {
  TokenIndex op = piece.begin;
  while (op < piece.end && !isAny(facts.at(op), {"<", "<=", "=="})) ++op;
  if (op >= piece.end) return facts.is(piece.begin, "!") && places.of({piece.begin + 1, piece.end}) == Place::Warp32;
  Place place = places.of({piece.begin, op});
  auto bound = valueOf(facts, TokenRange{op + 1, piece.end});
  if (facts.is(op, "==")) return place == Place::Warp32 && bound == 0;
  bool counts = place == Place::Thread || place == Place::LaneWave;
  if (!counts || !bound || *bound > (facts.is(op, "<") ? 32 : 31)) return false;
  return countsAllRows(facts, places, {piece.begin, op}, op);
}

}  // namespace

bool isConfinedTo32(const SourceFacts& facts, const Places& places, TokenIndex t) {
  for (const Control& control : controlsAround(facts, t)) {
    if (!facts.is(control.keyword, "if") || !control.body.contains(t)) continue;
    TokenRange condition = start(stripped(facts, control.condition));
    bool alternatives = false, confined = false;
    TokenIndex begin = condition.begin;
    for (TokenIndex i = condition.begin; i <= condition.end; ++i) {
      if (i < condition.end && facts.is(i, "(") && facts.match[i] < condition.end) i = facts.match[i];
      alternatives |= i < condition.end && isAny(facts.at(i), {"||", "?"});
      if (i < condition.end && !facts.is(i, "&&")) continue;
      confined |= passesOneWarp(facts, places, stripped(facts, {begin, i}));
      begin = i + 1;
    }
    if (confined && !alternatives) return true;
  }
  return false;
}

bool isGuardedAt32(const SourceFacts& facts, const Places& places, const Collective& collective) {
  constexpr TokenIndex reach = 48;
  const Function* function = facts.enclosing(collective.call.name);
  TokenRange offset = stripped(facts, collective.lane);
  if (function == nullptr || offset.end != offset.begin + 1) return false;
  TokenIndex from =
      collective.call.name > function->body.begin + reach ? collective.call.name - reach : function->body.begin;
  TokenIndex to = std::min(collective.call.end + reach, function->body.end);
  for (TokenIndex op = from; op < to; ++op) {
    if (!isAny(facts.at(op), {"<", "<="})) continue;
    TokenIndex begin = op, end = op + 1;
    auto stops = [&](TokenIndex t) { return isAny(facts.at(t), {"&&", "||", "?", ";", "=", ",", "{", "}", "return"}); };
    while (begin > from && op - begin < 16 && !stops(begin - 1) &&
           !(facts.is(begin - 1, "(") && facts.match[begin - 1] > op))
      --begin;
    while (end < to && end - op < 16 && !stops(end) && !(facts.is(end, ")") && facts.match[end] < begin)) ++end;
    bool offsets = false, lane = false, limit = false;
    for (TokenIndex t = begin; t < end; ++t) {
      offsets |= facts.at(t) == facts.at(offset.begin);
      lane |= facts.isIdentifier(t) && (variesInWarp(places.ofName(facts.at(t))) || facts.is(t, "threadIdx"));
      auto value = t > op ? valueOf(facts, t) : std::nullopt;
      limit |= value && (*value == 32 || *value == 31);
    }
    if (offsets && lane && limit) return true;
  }
  return false;
}

void EarlyExits::readExits(std::uint32_t function) {
  constexpr std::size_t fewExits = 16;
  const SourceFacts& facts = model_.facts();
  function_ = function;
  exits_.clear();
  first_.clear();
  TokenRange body = facts.functions[function].body;
  auto returns = facts.named("return");
  auto next = std::lower_bound(returns.begin(), returns.end(), body.begin);
  for (; next != returns.end() && *next < body.end; ++next) {
    std::vector<Control> controls = controlsAround(facts, *next);
    if (controls.size() != 1 || !facts.is(controls[0].keyword, "if")) continue;
    if (first_.size() < fewExits) first_.push_back({*next, controls[0]});
    if (isDivergent(facts, model_.places(function), controls[0].condition)) exits_.push_back({*next, controls[0]});
  }
}

const std::vector<EarlyExits::Exit>& EarlyExits::firstOf(std::uint32_t function) {
  if (function != function_) readExits(function);
  return first_;
}

TokenRange EarlyExits::before(TokenIndex t) {
  std::uint32_t function = model_.facts().functionOf[t];
  if (function == noToken) return {};
  if (function != function_) readExits(function);
  for (const Exit& exit : exits_) {
    if (exit.token >= t) break;
    if (!exit.control.body.contains(t)) return exit.control.condition;
  }
  return {};
}

}  // namespace unwarp::audit::patterns
