// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules Y01, Y02, Y03, Y05 and Y06: code that leans on how warps run. Y04 (a lane waiting for another lane of its wave)
// needs to know who writes the flag and is left to depth analysis.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "audit/rules/detector.h"
#include "audit/rules/lane_flow.h"
#include "audit/rules/lane_mask_shims.h"
#include "audit/rules/patterns.h"
#include "audit/rules/warp_model.h"

namespace unwarp::audit {

namespace {

using patterns::Control;
using patterns::isAny;
using patterns::Place;
using patterns::Places;
using patterns::WarpModel;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

/// `a[i] += a[i + k]` or `a[i] = f(a[i], a[i + k])` starting at `t`: the k, or 0.
std::int64_t foldingStep(const SourceFacts& facts, TokenIndex t, TokenIndex end) {
  if (!facts.isIdentifier(t) || !facts.is(t + 1, "[") || facts.match[t + 1] == noToken) return 0;
  TokenIndex close = facts.match[t + 1];
  TokenRange index{t + 2, close};
  if (index.empty() || index.end - index.begin > 8 || !isAny(facts.at(close + 1), {"+=", "=", "*=", "|=", "&=", "^="}))
    return 0;
  for (TokenIndex i = close + 2; i < end && !facts.is(i, ";"); ++i) {
    if (facts.at(i) != facts.at(t) || !facts.is(i + 1, "[") || facts.match[i + 1] == noToken) continue;
    TokenRange other{i + 2, facts.match[i + 1]};
    TokenIndex length = index.end - index.begin;
    if (other.end - other.begin != length + 2 || !facts.is(other.begin + length, "+")) continue;
    bool same = true;
    for (TokenIndex j = 0; j < length; ++j) same &= facts.at(index.begin + j) == facts.at(other.begin + j);
    auto step = patterns::valueOf(facts, other.end - 1);
    if (same && step && *step >= 1 && *step <= 64 && (*step & (*step - 1)) == 0) return *step;
  }
  return 0;
}

void detectVolatileTail(const SourceFacts& facts, Hits& hits) {
  for (std::size_t f = 0; f < facts.functions.size(); ++f) {
    TokenRange body = facts.functions[f].body;
    TokenIndex first = noToken;
    std::int64_t last = 0;
    int steps = 0;
    auto finish = [&] {
      if (steps >= 3 && first != noToken && patterns::isPlain(facts, first)) {
        hits.add(first,
                 "warp-synchronous tail through shared memory: no order between lanes without a barrier, and 32 lanes "
                 "are no wave");
      }
      first = noToken;
      last = 0;
      steps = 0;
    };
    for (TokenIndex t = body.begin; t + 2 < body.end; ++t) {
      if (!facts.isIdentifier(t)) continue;
      std::string_view word = facts.at(t);
      bool barrier = word.starts_with("__sync") || word == "sync" || word == "barrier" || word == "__threadfence_block";
      if (barrier) {
        finish();
        continue;
      }
      if (!facts.is(t + 1, "[") || isAny(facts.at(t - 1), {".", "->"})) continue;
      std::int64_t step = foldingStep(facts, t, body.end);
      if (step == 0) continue;
      bool continues = steps > 0 && step * 2 == last;
      if (!continues) {
        finish();
        if (step > 32 || step < 4) continue;
        first = t;
      }
      last = step;
      ++steps;
      while (t < body.end && !facts.is(t, ";")) ++t;
    }
    finish();
  }
}

/// Only one thread of the block (or wave) gets here: the lock's owner has no neighbour that spins.
bool isSingleThread(const SourceFacts& facts, const Places& places, TokenIndex t) {
  for (const Control& control : patterns::controlsAround(facts, t)) {
    if (control.condition.contains(t) || !facts.is(control.keyword, "if")) continue;
    for (TokenIndex op = control.condition.begin; op < control.condition.end; ++op) {
      bool elected = facts.is(op, "==") && op > control.condition.begin &&
                     patterns::variesInWarp(places.of({patterns::operandBegin(facts, op - 1), op}));
      bool negated = facts.is(op, "!") && patterns::variesInWarp(places.of({op + 1, control.condition.end}));
      if (elected || negated) return true;
    }
    std::string text(facts.textOf(control.condition));
    if (text.find("leader") != std::string::npos || text.find("elect") != std::string::npos ||
        text.find("thread_rank") != std::string::npos || text.find("is_master") != std::string::npos) {
      return true;
    }
  }
  return false;
}

/// `atomicCAS(p, 0, 1)` or `atomicExch(p, 1)`: constants mark a lock; a compare-and-swap update has a computed value.
bool takesLock(const SourceFacts& facts, const scan::Call& call) {
  std::size_t needed = facts.at(call.name).starts_with("atomicExch") ? 2 : 3;
  if (call.arguments.size() < needed) return false;
  for (std::size_t i = 1; i < needed; ++i) {
    TokenRange value = call.arguments[i];
    bool constant = patterns::valueOf(facts, value).has_value();
    if (!constant && value.end == value.begin + 1 && facts.isIdentifier(value.begin)) {
      std::string_view name = facts.at(value.begin);
      constant = std::all_of(name.begin(), name.end(),
                             [](char c) { return (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9'); });
    }
    if (!constant) return false;
  }
  // atomicCAS(p, 1, 1) is a way to read.
  bool polls = needed == 3 && facts.textOf(call.arguments[1]) == facts.textOf(call.arguments[2]);
  return !polls;
}

/// `while (atomicExch(&used[slot], 1)) slot = next();`: every try is about another slot, nobody is waited for.
bool triesAnotherSlot(const SourceFacts& facts, const scan::Call& call, TokenRange body) {
  TokenRange address = call.arguments[0];
  for (TokenIndex t = body.begin; t < body.end; ++t) {
    std::string_view op = facts.at(t);
    bool assigns = isAny(op, {"=", "+=", "^=", "-=", "*=", "%="}) && facts.isIdentifier(t - 1);
    bool counts = isAny(op, {"++", "--"});
    if (assigns && patterns::usesName(facts, address, facts.at(t - 1))) return true;
    if (!counts) continue;
    for (TokenIndex name : {t - 1, t + 1}) {
      if (facts.isIdentifier(name) && patterns::usesName(facts, address, facts.at(name))) return true;
    }
  }
  return false;
}

/// A helper that only single threads call: `if (threadIdx.x == 0) lock.acquire();`.
bool calledBySingleThreads(const WarpModel& model, std::uint32_t f) {
  const SourceFacts& facts = model.facts();
  if (facts.functions[f].isKernel) return false;
  int callers = 0;
  for (TokenIndex t : facts.named(facts.functions[f].name)) {
    std::uint32_t caller = facts.functionOf[t];
    if (caller == noToken || caller == f || !facts.is(t + 1, "(")) continue;
    if (++callers > 64) break;
    if (!isSingleThread(facts, model.places(caller), t)) return false;
  }
  return callers > 0;
}

void detectSpinLock(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  for (const scan::Call& call : facts.calls({"atomicCAS", "atomicExch", "atomicCAS_block", "atomicCAS_system"})) {
    std::uint32_t f = facts.functionOf[call.name];
    if (f == noToken || !patterns::isPlainDevice(facts, call.name) || !takesLock(facts, call)) continue;
    // The call is the loop's condition: `while (atomicCAS(...) != 0) body` or `do body while (atomicCAS(...) != 0)`.
    TokenIndex open = call.name;
    int steps = 0;
    while (open > 0 && steps < 24 &&
           !(facts.is(open, "(") && facts.is(open - 1, "while") && facts.match[open] > call.end)) {
      if (isAny(facts.at(open), {";", "{", "}"})) break;
      --open;
      ++steps;
    }
    if (!facts.is(open, "(") || !facts.is(open - 1, "while")) continue;
    TokenIndex after = facts.match[open] + 1;
    TokenRange body;
    if (facts.is(after, "{") && facts.match[after] != noToken)
      body = {after + 1, facts.match[after]};
    else if (!facts.is(after, ";"))
      continue;
    else if (facts.is(open - 2, "}") && facts.match[open - 2] != noToken)
      body = {facts.match[open - 2] + 1, open - 2};  // do { ... } while (taken)
    if (triesAnotherSlot(facts, call, body)) continue;
    bool releases = patterns::usesName(facts, body, "atomicExch") || patterns::usesName(facts, body, "break");
    if (releases) continue;
    if (isSingleThread(facts, model.places(f), call.name) || calledBySingleThreads(model, f)) continue;
    hits.add(
        call.name,
        "every lane spins for a lock until it gets it: on AMD the winner waits for the losers of its wave, for ever");
  }
}

constexpr std::initializer_list<std::string_view> blockBarriers = {"__syncthreads", "__syncthreads_or",
                                                                   "__syncthreads_and", "__syncthreads_count"};

bool namesWarpOrRow(const SourceFacts& facts, const Places& places, TokenRange condition) {
  for (TokenIndex t = condition.begin; t < condition.end; ++t) {
    if (!facts.isIdentifier(t) || facts.is(t - 1, ".") || facts.is(t - 1, "->")) continue;
    bool row = facts.is(t, "threadIdx") && !facts.is(t + 2, "x");
    Place place = row ? Place::Row : places.ofName(facts.at(t));
    if (place == Place::Warp32 || place == Place::WarpWave || place == Place::Row) return true;
  }
  return false;
}

/// The last statement of the branch is a `return`: whoever enters it never meets a barrier behind it.
bool endsInReturn(const SourceFacts& facts, TokenRange body) {
  TokenIndex t = body.end;
  if (t > body.begin && facts.is(t - 1, ";")) --t;
  for (int steps = 0; t > body.begin && steps < 40; ++steps) {
    --t;
    if (isAny(facts.at(t), {";", "}", "{"})) return false;
    if (facts.is(t, "return")) return true;
  }
  return false;
}

void detectEarlyReturn(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  // The last barrier of a function is the one that counts: any earlier exit passes it by.
  std::unordered_map<std::uint32_t, TokenIndex> lastBarrier;
  for (const scan::Call& barrier : facts.calls(blockBarriers)) {
    if (facts.functionOf[barrier.name] != noToken) lastBarrier[facts.functionOf[barrier.name]] = barrier.name;
  }
  if (lastBarrier.empty()) return;
  for (TokenIndex exit : facts.named("return")) {
    auto barrier = lastBarrier.find(facts.functionOf[exit]);
    if (barrier == lastBarrier.end() || exit >= barrier->second || !patterns::isPlain(facts, exit)) continue;
    const Places& places = model.places(barrier->first);
    bool parts = false, together = false;
    for (const Control& control : patterns::controlsAround(facts, exit)) {
      if (!facts.is(control.keyword, "if")) continue;
      bool divides =
          patterns::isDivergent(facts, places, control.condition) || namesWarpOrRow(facts, places, control.condition);
      // A branch that the whole block takes and leaves for good has its own barriers, or none.
      if (!divides && (control.body.contains(barrier->second) || endsInReturn(facts, control.body))) together = true;
      parts |= divides && !control.body.contains(barrier->second);
    }
    if (parts && !together) {
      hits.add(exit, "some threads return before a block barrier: on AMD the wave stays behind with part of its lanes");
    }
  }
}

/// `if (blockDim.x > 32) __syncthreads();`: the barrier is left out because the block is "one warp".
void detectConditionalBarrier(const SourceFacts& facts, Hits& hits) {
  for (const scan::Call& barrier : facts.calls({"__syncthreads"})) {
    if (!patterns::isPlain(facts, barrier.name)) continue;
    for (const Control& control : patterns::controlsAround(facts, barrier.name)) {
      if (!facts.is(control.keyword, "if") || control.body.end - control.body.begin > 5) break;
      TokenRange c = control.condition;
      bool size = false, width = false;
      for (TokenIndex t = c.begin; t < c.end; ++t) {
        std::string_view word = facts.at(t);
        size |= word == "blockDim" || word == "blockSize" || word == "BLOCK_SIZE" || word == "BlockSize" ||
                word == "block_size" || word == "num_threads" || word == "NUM_THREADS" || word == "nthreads" ||
                word == "kThreads";
        bool compares = (word == ">" || word == "<=" || word == ">=") && t + 1 < c.end;
        width |= compares &&
                 (patterns::valueOf(facts, t + 1) == 32 || (word == ">=" && patterns::valueOf(facts, t + 1) == 64));
      }
      if (size && width)
        hits.add(barrier.name, "barrier left out for blocks of one warp: lanes of a wave still need an ordering point");
      break;
    }
  }
}

/// `threadIdx.x * slots` of the index `threadIdx.x * slots + i`: the row that this thread has to itself. Empty when the
/// index is of another shape.
std::string_view ownRow(const SourceFacts& facts, TokenRange index) {
  TokenIndex plus = index.begin;
  while (plus < index.end && !facts.is(plus, "+")) ++plus;
  TokenRange row{index.begin, plus};
  bool byThread = facts.mentions(row, {"threadIdx", "hipThreadIdx_x", "tid"});
  bool scaled = false;
  for (TokenIndex t = row.begin; t < row.end; ++t) scaled |= facts.is(t, "*");
  return byThread && scaled ? facts.textOf(row) : std::string_view();
}

void detectFenceAsBarrier(const SourceFacts& facts, Hits& hits) {
  detectConditionalBarrier(facts, hits);
  for (const scan::Call& fence : facts.calls({"__threadfence_block"})) {
    std::uint32_t f = facts.functionOf[fence.name];
    if (f == noToken || !patterns::isPlain(facts, fence.name)) continue;
    TokenRange body = facts.functions[f].body;
    auto barrierIn = [&](TokenRange range) {
      for (TokenIndex t = range.begin; t < range.end; ++t) {
        if (facts.at(t).starts_with("__sync") || facts.is(t, "sync") || facts.at(t).starts_with("atomic")) return true;
      }
      return false;
    };
    TokenRange before{fence.name > body.begin + 60 ? fence.name - 60 : body.begin, fence.name};
    TokenRange after{fence.end, std::min(fence.end + 60, body.end)};
    if (barrierIn(before) || barrierIn(after)) continue;
    for (const scan::SharedVariable& array : facts.sharedVariables) {
      if (facts.functionOf[array.nameToken] != f) continue;
      std::string_view name = facts.at(array.nameToken);
      std::string_view written, row;
      bool readElsewhere = false;
      auto mentions = facts.named(name);
      auto next = std::lower_bound(mentions.begin(), mentions.end(), before.begin);
      for (; next != mentions.end() && *next < after.end; ++next) {
        TokenIndex t = *next;
        if (!facts.is(t + 1, "[") || facts.match[t + 1] == noToken) continue;
        TokenIndex close = facts.match[t + 1];
        std::string_view index = facts.textOf({t + 2, close});
        std::string_view own = ownRow(facts, {t + 2, close});
        if (before.contains(t) && facts.is(close + 1, "=")) {
          written = index;
          row = own;
        }
        bool elsewhere = index != written && (own.empty() || own != row);
        if (after.contains(t) && !facts.is(close + 1, "=") && !written.empty() && elsewhere) readElsewhere = true;
      }
      if (!readElsewhere) continue;
      hits.add(fence.name, "fence used as a barrier: it orders this thread's writes but waits for nobody");
      break;
    }
  }
}

constexpr std::array<Detector, 5> detectors{{{"Y01", detectVolatileTail},
                                             {"Y02", detectEmptySync},
                                             {"Y03", detectSpinLock},
                                             {"Y05", detectEarlyReturn},
                                             {"Y06", detectFenceAsBarrier}}};

}  // namespace

std::span<const Detector> synchronyDetectors() {
  return detectors;
}

}  // namespace unwarp::audit
