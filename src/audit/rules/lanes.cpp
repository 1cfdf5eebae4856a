// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An expression is read from left to right with one "current" operand; `%`, `&`, `/` and `>>` change the place of the
// operand before them, everything else joins operands. Parentheses are kept on an explicit stack, so depth costs memory
// and not calls. Subscripts and call arguments are skipped: what comes out of memory or of a function is data, unless
// its name says lane.
#include "audit/rules/lanes.h"

#include <algorithm>
#include <vector>

#include "audit/rules/patterns.h"
#include "base/text.h"

namespace unwarp::audit::patterns {

namespace {

using scan::TokenIndex;
using scan::TokenRange;

constexpr std::size_t maxDepth = 64;
constexpr TokenIndex longestValue = 256;  ///< tokens of an assigned expression; data tables are longer

/// An operand with what stands in front of it in its sum and product.
struct Frame {
  Place total = Place::None;
  Place current = Place::None;
  bool minus = false;    ///< `current` is taken away from `total`
  bool times32 = false;  ///< `32 *` stands before `current`
};

Place join(Place a, Place b) {
  if (a == Place::None) return b;
  if (b == Place::None || a == b) return a;
  if (a == Place::Row && (b == Place::Warp32 || b == Place::WarpWave)) return b;
  if (b == Place::Row && (a == Place::Warp32 || a == Place::WarpWave)) return a;
  return Place::Thread;
}

bool looksLikeLane(std::string_view name) {
  std::string folded;
  for (char c : name) {
    if (c != '_') folded += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return folded == "lane" || folded == "laneid" || folded == "laneidx" || folded == "laneindex" || folded == "mylane" ||
         folded == "warplane" || folded == "getlaneid" || folded == "wlane" || folded == "idxinwarp" ||
         folded == "tidinwarp" || folded == "threadinwarp" || folded == "warplaneid" || folded == "laneinwarp";
}

bool looksLikeThread(std::string_view name) {
  return name == "tid" || name == "threadId" || name == "thread_id" || name == "threadID" || name == "thread_idx" ||
         name == "thread_rank" || name == "linear_tid";
}

/// Thread less the first thread of its group is a lane: `tid - warp * 32`.
void endOperand(Frame& frame, bool minus) {
  const bool lane = frame.minus && frame.total == Place::Thread && frame.current == Place::Base32;
  frame.total = lane ? Place::Lane32 : join(frame.total, frame.current);
  frame.current = Place::None;
  frame.minus = minus;
  frame.times32 = false;
}

/// A warp number times 32 is the first thread of the warp.
void setCurrent(Frame& frame, Place place) {
  frame.current = frame.times32 && place == Place::Warp32 ? Place::Base32 : place;
  frame.times32 = false;
}

enum class Width : std::uint8_t { ThirtyTwo, Unknown, Other };

/// The width that the right operand of `op` stands for.
Width widthOf(const scan::SourceFacts& facts, std::string_view op, TokenRange right) {
  auto value = valueOf(facts, right);
  if (value) {
    bool same = (op == "%" && *value == 32) || (op == "&" && *value == 31) || (op == "/" && *value == 32) ||
                (op == ">>" && *value == 5);
    return same ? Width::ThirtyTwo : Width::Other;
  }
  if (mentionsUnknownWidth(facts, right)) return Width::Unknown;
  if (op == ">>" || op == "/" || op == "%" || op == "&") {
    for (TokenIndex t = right.begin; t < right.end; ++t) {
      std::string lower = toLower(facts.at(t));
      if (facts.isIdentifier(t) && lower.find("warp") != std::string::npos) return Width::Unknown;
    }
  }
  return Width::Other;
}

Place divided(Place place, Width width) {
  if (place == Place::None || place == Place::Row) return place;
  if (place == Place::Base32) return width == Width::ThirtyTwo ? Place::Warp32 : place;
  if (place == Place::Warp32 || place == Place::WarpWave) return place;
  if (width == Width::ThirtyTwo) return isLane(place) ? Place::None : Place::Warp32;
  if (width == Width::Unknown) return isLane(place) ? Place::None : Place::WarpWave;
  return place;
}

Place reduced(Place place, Width width) {
  if (place != Place::Thread && !isLane(place)) return place;
  if (width == Width::ThirtyTwo) return Place::Lane32;
  if (width == Width::Unknown) return Place::LaneWave;
  return place;
}

/// What comes out is a truth value or a mask, no place.
bool leavesPlaces(std::string_view word) {
  return word == "==" || word == "!=" || word == "<" || word == ">" || word == "<=" || word == ">=" || word == "&&" ||
         word == "||" || word == "?" || word == "!" || word == "~";
}

bool isCastOrMin(std::string_view word) {
  return word == "int" || word == "unsigned" || word == "static_cast" || word == "uint32_t" || word == "int32_t" ||
         word == "size_t" || word == "min" || word == "max" || word == "uint" || word == "long" ||
         word == "__builtin_assume" || word == "uint64_t" || word == "int64_t";
}

}  // namespace

Places::Places(const scan::SourceFacts& facts, const scan::Function& function) : facts_(facts) {
  TokenRange body = function.body;
  for (TokenIndex t = body.begin; t < body.end; ++t) {
    readsRows_ |= facts.is(t, "threadIdx") && !facts.is(t + 2, "x");
    if (!facts.is(t, "=") || facts.tokens[t].directive || t == 0 || !facts.isIdentifier(t - 1)) continue;
    if (facts.is(t - 2, ".") || facts.is(t - 2, "->")) continue;
    TokenIndex end = t + 1;
    for (; end < body.end && end - t <= longestValue; ++end) {
      std::string_view word = facts.at(end);
      if (word == ";" || word == "," || word == ")" || word == "}" || word == "{") break;
      if ((word == "(" || word == "[") && facts.match[end] != scan::noToken) end = facts.match[end];
    }
    if (end > body.end) end = body.end;
    TokenRange right{t + 1, end};
    if (right.end - right.begin > longestValue) continue;
    Place place = read(right);
    std::string_view name = facts.at(t - 1);
    auto known = names_.find(name);
    if (place != Place::None) {
      if (known == names_.end() || known->second == Place::None) names_[name] = place;
    } else if (known == names_.end() && facts.evaluate(right)) {
      names_.emplace(name, Place::None);
    }
  }
}

Place Places::readName(std::string_view name) const {
  auto known = names_.find(name);
  if (known != names_.end()) return known->second;
  if (looksLikeLane(name)) return Place::LaneNamed;
  return looksLikeThread(name) ? Place::Thread : Place::None;
}

Place Places::ofToken(scan::TokenIndex t) const {
  std::string_view word = facts_.at(t);
  if (word == "threadIdx" || word == "hipThreadIdx_x") {
    if (word == "hipThreadIdx_x" || facts_.is(t + 2, "x")) return Place::Thread;
    return Place::Row;
  }
  if (facts_.is(t - 1, ".") || facts_.is(t - 1, "->")) return Place::None;
  return readName(word);
}

/// The operand behind the operator at `op`, with `a.b` and brackets.
TokenRange Places::operandAfter(TokenIndex op, TokenIndex limit) const {
  TokenIndex end = op + 2;
  if (facts_.is(op + 1, "~") || facts_.is(op + 1, "-")) ++end;
  if (facts_.is(end - 1, "(") && facts_.match[end - 1] != scan::noToken) end = facts_.match[end - 1] + 1;
  while (end < limit && isAny(facts_.at(end), {".", "->", "::"})) end += 2;
  return {op + 1, end};
}

/// `warp * 32`, `warp << 5`, `tid & ~31`: whether the operator makes the first thread of a group out of `place`.
bool Places::makesBase(Place place, std::string_view op, TokenRange right) const {
  const bool ofWarp = place == Place::Warp32 && (op == "*" || op == "<<");
  if (!ofWarp && !(place == Place::Thread && op == "&")) return false;
  const auto value = valueOf(facts_, right);
  return value && (op == "*" ? *value == 32 : op == "<<" ? *value == 5 : *value == -32 || *value == 0xffffffe0);
}

Place Places::read(scan::TokenRange expression) const {
  std::vector<Frame> stack(1);
  for (TokenIndex t = expression.begin; t < expression.end; ++t) {
    Frame& frame = stack.back();
    std::string_view word = facts_.at(t);
    const bool reduces = word == "%" || word == "/" || word == ">>" || (word == "&" && t > expression.begin);
    if (facts_.isIdentifier(t)) {
      if (facts_.is(t + 1, "(") && !isCastOrMin(word)) {
        frame.current = looksLikeLane(word) ? Place::LaneNamed : Place::None;
        TokenIndex close = facts_.match[t + 1];
        if (close == scan::noToken || close >= expression.end) break;
        t = close;
      } else if (word == "threadIdx") {
        frame.current = ofToken(t);
        t += 2;
      } else if (Place place = ofToken(t); place != Place::None || !(facts_.is(t - 1, "."))) {
        setCurrent(frame, place);
      }
    } else if (word == "(") {
      if (stack.size() >= maxDepth) return Place::None;
      stack.emplace_back();
    } else if (word == ")") {
      if (stack.size() == 1) break;
      endOperand(frame, false);
      const Place value = frame.total;
      stack.pop_back();
      // A cast's parentheses leave None, which the operand after them replaces.
      setCurrent(stack.back(), value);
    } else if (word == "[") {
      frame.current = Place::None;
      TokenIndex close = facts_.match[t];
      if (close == scan::noToken || close >= expression.end) break;
      t = close;
    } else if (reduces || word == "*" || word == "<<") {
      const TokenRange right = operandAfter(t, expression.end);
      if (right.end > expression.end) break;
      if (makesBase(frame.current, word, right)) {
        frame.current = Place::Base32;
        t = right.end - 1;
      } else if (reduces) {
        const Width width = widthOf(facts_, word, right);
        const bool divides = word == "/" || word == ">>";
        frame.current = divides ? divided(frame.current, width) : reduced(frame.current, width);
        t = right.end - 1;
      } else if (word == "<<") {
        return Place::None;
      } else {
        const bool by32 = frame.current == Place::None && valueOf(facts_, t - 1) == 32;
        const bool minus = frame.minus;
        endOperand(frame, minus);
        frame.times32 = by32;
      }
    } else if (leavesPlaces(word)) {
      return Place::None;
    } else if (facts_.tokens[t].kind != scan::TokenKind::Number) {
      endOperand(frame, word == "-");
    }
  }
  Place result = Place::None;
  for (Frame& frame : stack) {
    endOperand(frame, false);
    result = join(result, frame.total);
  }
  return result;
}

}  // namespace unwarp::audit::patterns
