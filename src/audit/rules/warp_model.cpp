// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built in four passes: shuffles and votes (by built-in name), trees written out without a loop, lane and warp numbers
// by 32, calls between the file's functions and to warp code elsewhere. Files without any of that cost one look at each
// function's names.
#include "audit/rules/warp_model.h"

#include <algorithm>

#include "base/text.h"

namespace unwarp::audit::patterns {

namespace {

using scan::noToken;
constexpr std::size_t maxOverloads = 6;
constexpr TokenIndex longestProduct = 64;  ///< tokens of what is taken away from a thread index

bool containsAny(std::string_view text, std::initializer_list<std::string_view> pieces) {
  return std::any_of(pieces.begin(), pieces.end(),
                     [text](std::string_view piece) { return text.find(piece) != std::string_view::npos; });
}

/// `warpReduceSum`, `wave_scan`, `WarpBroadcast`: a project's own collective by its name.
bool namesWarpCode(std::string_view name) {
  if (name.size() < 7 || name.size() > 60) return false;
  std::string lower = toLower(name);
  if (!containsAny(lower, {"warp", "wave"}) || isCollectiveName(name)) return false;
  return containsAny(lower,
                     {"reduc", "sum", "scan", "broadcast", "ballot", "shfl", "shuffle", "prefix", "allmax", "allmin"});
}

bool isPowerTreeOffset(std::optional<std::int64_t> value) {
  return value && *value >= 1 && *value <= 32 && (*value & (*value - 1)) == 0;
}

/// `++i`, `i += 3`: a walk over lanes, where a tree halves or doubles its offset.
bool stepsEvenly(const SourceFacts& facts, TokenRange step, std::string_view counter) {
  for (TokenIndex t = step.begin; t < step.end; ++t) {
    std::string_view op = facts.at(t);
    bool after = t > step.begin && facts.is(t - 1, counter);
    if ((op == "++" || op == "--") && (after || facts.is(t + 1, counter))) return true;
    if (after && (op == "+=" || op == "-=") && valueOf(facts, t + 1)) return true;
  }
  return false;
}

/// `r = shfl_xor(r, 16)`: the lanes swap their values, nothing is summed.
bool onlyMovesValue(const SourceFacts& facts, const Collective& collective) {
  auto assignment = assignmentAround(facts, collective.call.name);
  if (!assignment || assignment->name == noToken || !facts.is(assignment->op, "=")) return false;
  TokenRange right = stripped(facts, assignment->right), value = stripped(facts, collective.value);
  bool alone = right.begin == collective.call.name && right.end == collective.call.end + 1;
  return alone && value.end == value.begin + 1 && facts.at(value.begin) == facts.at(assignment->name);
}

}  // namespace

WarpModel::WarpModel(const SourceFacts& facts) : facts_(facts), all_(collectives(facts)) {
  functions_.resize(facts.functions.size());
  addCollectives();
  addUnrolledTrees();
  addLaneMath();
  addCalls();
}

Reach WarpModel::loopReach(const Collective& collective, Shuffle& shuffle) const {
  TokenIndex& bound = shuffle.bound;
  TokenRange lane = stripped(facts_, collective.lane);
  if (lane.end != lane.begin + 1 || !facts_.isIdentifier(lane.begin)) return Reach::Unknown;
  std::string_view step = facts_.at(lane.begin);
  for (const Control& control : controlsAround(facts_, collective.call.name)) {
    if (!facts_.is(control.keyword, "for")) continue;
    ForHeader header = forHeader(facts_, control.condition);
    if (!usesName(facts_, header.step, step) && !usesName(facts_, header.init, step)) continue;
    TokenIndex equals = header.init.begin;
    while (equals < header.init.end && !facts_.is(equals, "=")) ++equals;
    TokenRange start{equals + 1, header.init.end};
    if (equals >= header.init.end || stepsEvenly(facts_, header.step, step)) return Reach::Unknown;
    auto first = valueOf(facts_, start);
    bool ascending = first && *first <= 2 && *first >= 1;
    TokenRange limit = ascending ? header.condition : start;
    bound = limit.begin;
    if (mentionsUnknownWidth(facts_, limit)) return Reach::Wave;
    std::optional<std::int64_t> last = first;
    if (ascending) {
      last.reset();
      for (TokenIndex t = limit.begin; t < limit.end && !last; ++t) {
        bool strict = facts_.is(t, "<");
        if (strict || facts_.is(t, "<=")) {
          last = valueOf(facts_, {t + 1, limit.end});
          if (last && strict && *last > 1) last = *last / 2;
          bound = t + 1;
        }
      }
    }
    if (!last) return Reach::Unknown;
    shuffle.by64 = *last == 32;
    if (*last >= 32) return Reach::Wave;
    return *last == 16 ? Reach::Fixed32 : Reach::Grouped;
  }
  return Reach::Unknown;
}

Shuffle WarpModel::reachOf(std::size_t index, const Places& places) const {
  const Collective& collective = all_[index];
  if (!collective.width.empty()) {
    auto width = valueOf(facts_, collective.width);
    if (width) return {index, *width <= 32 ? Reach::Grouped : Reach::Wave, collective.width.begin, *width == 64};
    return {index, Reach::Portable};
  }
  auto lane = valueOf(facts_, collective.lane);
  if (collective.kind == CollectiveKind::ShuffleIndex) {
    // A source made from the thread's own index stays in its group (`threadIdx.x ^ 1`); one made from a lane modulo 32
    // does not.
    Place place = places.of(collective.lane);
    bool relative = place == Place::Thread || place == Place::LaneWave;
    return {index, relative ? Reach::Unknown : Reach::Wave};
  }
  if (lane) return {index, *lane >= 32 ? Reach::Wave : Reach::Grouped};  // a written-out tree is judged as a whole
  Shuffle shuffle{index, Reach::Unknown};
  shuffle.reach = loopReach(collective, shuffle);
  return shuffle;
}

void WarpModel::addCollectives() {
  std::uint32_t last = noToken;
  std::vector<std::size_t> mine;
  auto flush = [&] {
    if (last == noToken) return;
    FunctionWidth& width = functions_[last];
    const Places& known = places(last);
    for (std::size_t index : mine) {
      const Collective& collective = all_[index];
      width.hasCollective |= collective.kind != CollectiveKind::Sync;
      if (!collective.isShuffle()) {
        width.votes |= collective.kind != CollectiveKind::Sync;
        continue;
      }
      Shuffle shuffle = reachOf(index, known);
      width.shuffles.push_back(shuffle);
      width.by64 |= shuffle.by64;
      width.fixed |= shuffle.reach == Reach::Fixed32;
      bool wave = shuffle.reach == Reach::Wave;
      width.broadcasts |= wave && collective.kind == CollectiveKind::ShuffleIndex;
      width.waveTree |= wave && collective.kind != CollectiveKind::ShuffleIndex;
    }
    mine.clear();
  };
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (!isPlain(facts_, all_[i].call.name)) continue;  // the AMD sibling of this call says what happens there
    std::uint32_t function = facts_.functionOf[all_[i].call.name];
    if (function != last) flush();
    last = function;
    mine.push_back(i);
  }
  flush();
}

/// `v += down(v, 16); v += down(v, 8); ...`: offsets by literals in one function, the largest of them 16, or 32.
void WarpModel::addUnrolledTrees() {
  for (FunctionWidth& width : functions_) {
    std::int64_t largest = 0;
    std::size_t steps = 0;
    Shuffle* top = nullptr;
    for (Shuffle& shuffle : width.shuffles) {
      const Collective& collective = all_[shuffle.collective];
      if (collective.kind == CollectiveKind::ShuffleIndex || !collective.width.empty()) continue;
      auto lane = valueOf(facts_, collective.lane);
      if (!isPowerTreeOffset(lane) || onlyMovesValue(facts_, collective)) continue;
      ++steps;
      if (*lane > largest) {
        largest = *lane;
        top = &shuffle;
      }
    }
    if (steps < 3 || (largest != 16 && largest != 32)) continue;
    top->bound = all_[top->collective].lane.begin;
    if (largest == 32) {
      top->by64 = width.by64 = true;
      continue;
    }
    top->reach = Reach::Fixed32;
    width.fixed = true;
  }
}

/// The list of its function that `op` belongs to, null when it does no lane math: thread index, operator, `value`.
std::vector<TokenIndex>* WarpModel::laneMathOf(TokenIndex op, std::optional<std::int64_t> value) {
  if (facts_.tokens[op].directive || facts_.functionOf[op] == noToken || op == 0) return nullptr;
  std::uint32_t function = facts_.functionOf[op];
  FunctionWidth& width = functions_[function];
  bool masks = facts_.is(op, "&"), shifts = facts_.is(op, ">>");
  bool isLaneMath = masks || facts_.is(op, "%");
  if (!isLaneMath && !shifts && !facts_.is(op, "/")) return nullptr;
  bool by32 = value == (masks ? 31 : shifts ? 5 : 32), by64 = value == (masks ? 63 : shifts ? 6 : 64);
  if (!by32 && !by64) return nullptr;
  Place place = places(function).of({operandBegin(facts_, op - 1), op});
  // blockDim.x / 32 is the warp count: as much warp arithmetic as tid / 32.
  bool blockSize = by32 && !isLaneMath && facts_.is(op - 1, "x") && facts_.is(op - 3, "blockDim");
  if (place != Place::Thread && place != Place::LaneWave && !blockSize) return nullptr;
  if (by64) return isLaneMath ? &width.lane64 : &width.warp64;
  return isLaneMath ? &width.lane32 : &width.warp32;
}

void WarpModel::addLaneMath() {
  // `% W`, `& (W - 1)`, `% warp::lanes`: `t` begins the right operand, behind brackets and qualifiers.
  auto considerOperand = [&](TokenIndex t) {
    TokenIndex begin = t;
    while (begin > 1 && facts_.is(begin - 1, "::")) begin -= 2;
    TokenIndex op = begin - 1;
    while (op != noToken && op > 0 && facts_.is(op, "(")) --op;
    if (op == noToken || op >= t || !isAny(facts_.at(op), {"&", "%", "/", ">>"})) return;
    TokenIndex close = facts_.is(op + 1, "(") ? facts_.match[op + 1] : t;
    if (close == noToken) return;
    if (facts_.is(op, "&") && facts_.is(close + 1, "-")) close += 2;  // `& W - 1`
    auto value = valueOf(facts_, TokenRange{op + 1, close + 1});
    if (auto* list = laneMathOf(op, value)) list->push_back(op);
  };
  for (TokenIndex t : facts_.numbers) {
    if (t > 0 && facts_.tokens[t].length <= 6) considerOperand(t);
  }
  for (const auto& [name, value] : facts_.constants) {
    if (value != 32 && value != 31 && value != 5 && value != 64 && value != 63 && value != 6) continue;
    for (TokenIndex t : facts_.named(name)) {
      if (t > 0) considerOperand(t);
    }
  }
  for (std::uint32_t f = 0; f < functions_.size(); ++f) addSubtractions(f);
  for (FunctionWidth& width : functions_) {
    std::sort(width.lane32.begin(), width.lane32.end());
    std::sort(width.warp32.begin(), width.warp32.end());
  }
}

/// `tid - warp * 32`, `tid - (tid & ~31)`: lanes of functions that number warps by 32, or round threads down to them.
void WarpModel::addSubtractions(std::uint32_t function) {
  const TokenRange body = facts_.functions[function].body;
  FunctionWidth& width = functions_[function];
  if (width.warp32.empty() && !width.hasCollective) return;
  for (TokenIndex op = body.begin + 1; op < body.end; ++op) {
    if (!facts_.is(op, "-") || facts_.functionOf[op] != function || facts_.tokens[op].directive) continue;
    if (places(function).of({operandBegin(facts_, op - 1), op}) != Place::Thread) continue;
    TokenIndex end = op + 1;  // of the product on the right
    while (end < body.end && !isAny(facts_.at(end), {"+", "-", ",", ";", ")", "]", "<", ">", "==", "!=", "?", ":"}))
      end = facts_.match[end] != noToken && facts_.match[end] > end ? facts_.match[end] + 1 : end + 1;
    if (end - op < longestProduct && places(function).isBaseOf32({op + 1, std::min(end, body.end)}))
      width.lane32.push_back(op);
  }
}

void WarpModel::addCalls() {
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> byName;
  for (std::uint32_t i = 0; i < facts_.functions.size(); ++i) {
    if (!facts_.functions[i].body.empty()) byName[facts_.functions[i].name].push_back(i);
  }
  for (int round = 0; round < 2; ++round) {
    for (auto& [name, indices] : byName) {
      bool interesting = std::any_of(indices.begin(), indices.end(), [&](std::uint32_t i) {
        return functions_[i].hasCollective || (round > 0 && !functions_[i].callees.empty());
      });
      // A name with many meanings (members of many classes) says nothing about which one is called.
      if (!interesting || name.empty() || indices.size() > maxOverloads) continue;
      for (TokenIndex t : facts_.named(name)) {
        std::uint32_t caller = facts_.functionOf[t];
        if (caller == noToken) continue;  // a mention is enough: helpers are handed on as template arguments
        for (std::uint32_t callee : indices) {
          auto& callees = functions_[caller].callees;
          if (callee != caller && callees.size() < 64 &&
              std::find(callees.begin(), callees.end(), callee) == callees.end()) {
            callees.push_back(callee);
            functions_[callee].callers.push_back(caller);
          }
        }
      }
    }
  }
  for (std::uint32_t i = 0; i < facts_.functions.size(); ++i) {
    const FunctionWidth& width = functions_[i];
    bool relevant = width.hasCollective || !width.lane32.empty() || !width.warp32.empty() || !width.callees.empty();
    if (relevant) addUnknownWarpCode(i, byName);
  }
}

void WarpModel::addUnknownWarpCode(std::uint32_t function,
                                   const std::unordered_map<std::string_view, std::vector<std::uint32_t>>& byName) {
  FunctionWidth& width = functions_[function];
  TokenRange body = facts_.functions[function].body;
  for (TokenIndex t = body.begin; t < body.end; ++t) {
    if (!facts_.isIdentifier(t) || facts_.tokens[t].directive) continue;
    std::string_view name = facts_.at(t);
    if (isBuiltinWidth(facts_, t))
      width.usesWarpSize = true;
    else if (isUnknownWidth(facts_, t))
      width.usesWidthName = true;
    if (!facts_.is(t + 1, "(")) continue;
    // CUDA code that counts by 32 has helpers that do so too; a HIP file's helpers follow the device.
    if (facts_.includesHip && namesWarpCode(name) && byName.find(name) == byName.end())
      width.callsUnknownWarpCode = true;
    if (name == "coalesced_threads") width.votes = true;
  }
}

std::span<const Collective> WarpModel::in(TokenRange range) const {
  auto before = [](const Collective& collective, TokenIndex t) { return collective.call.name < t; };
  auto first = std::lower_bound(all_.begin(), all_.end(), range.begin, before);
  auto last = std::lower_bound(first, all_.end(), range.end, before);
  return {first, last};
}

const Places& WarpModel::places(std::uint32_t function) const {
  auto& known = places_[function];
  if (!known) known = std::make_unique<Places>(facts_, facts_.functions[function]);
  return *known;
}

template <class Predicate>
bool WarpModel::inCallees(std::uint32_t function, Predicate predicate) const {
  if (predicate(functions_[function])) return true;
  for (std::uint32_t callee : functions_[function].callees) {
    if (predicate(functions_[callee])) return true;
    for (std::uint32_t second : functions_[callee].callees) {
      if (predicate(functions_[second])) return true;
    }
  }
  return false;
}

bool WarpModel::hasOpenCollective(std::uint32_t function) const {
  return inCallees(function, [](const FunctionWidth& w) {
    return w.votes || w.broadcasts || w.waveTree || w.fixed || w.callsUnknownWarpCode;
  });
}

bool WarpModel::reachesWave(std::uint32_t function) const {
  return inCallees(
      function, [](const FunctionWidth& w) { return w.votes || w.broadcasts || w.waveTree || w.callsUnknownWarpCode; });
}

bool WarpModel::shufflesBy64(std::uint32_t function) const {
  if (inCallees(function, [](const FunctionWidth& w) { return w.by64; })) return true;
  const auto& callers = functions_[function].callers;
  return std::any_of(callers.begin(), callers.end(), [&](std::uint32_t caller) { return functions_[caller].by64; });
}

bool WarpModel::worksOnWave(std::uint32_t function) const {
  auto wide = [](const FunctionWidth& w) { return w.broadcasts || w.waveTree || w.usesWarpSize; };
  if (inCallees(function, wide)) return true;
  const auto& callers = functions_[function].callers;
  return std::any_of(callers.begin(), callers.end(), [&](std::uint32_t caller) { return wide(functions_[caller]); });
}

}  // namespace unwarp::audit::patterns
