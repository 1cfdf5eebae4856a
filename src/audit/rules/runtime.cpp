// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detectors of group R: what the runtime promises on CUDA and not on AMD. This file holds those about device code,
// timing and callbacks and the list of all; streams and graphs are in runtime_streams.cpp, memory and textures in
// runtime_memory.cpp. A plain use of an API is never a finding here: each detector wants the shape that goes wrong.
#include "audit/rules/runtime.h"

#include <algorithm>
#include <array>
#include <set>

#include "audit/rules/arch_arms.h"
#include "audit/rules/patterns.h"
#include "audit/rules/token_queries.h"

namespace unwarp::audit {

namespace {

using scan::Call;
using scan::Function;
using scan::isAny;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

/// Brackets that preprocessor branches open twice make a body run into the next functions; a template or kernel inside
/// tells.
bool isOverrun(const SourceFacts& facts, const Function& function, TokenIndex at) {
  for (std::string_view word : {"template", "__global__"}) {
    auto uses = facts.named(word);
    for (auto use = std::lower_bound(uses.begin(), uses.end(), function.body.begin); use != uses.end() && *use < at;
         ++use) {
      bool member = facts.is(*use - 1, ".") || facts.is(*use - 1, "->") || facts.is(*use - 1, "::");
      if (!member) return true;
    }
  }
  return false;
}

void detectDeviceLaunch(const SourceFacts& facts, Hits& hits) {
  ArchArms arms(facts);
  for (const scan::Launch& launch : facts.launches) {
    const Function* function = facts.enclosing(launch.open);
    bool deviceOnly = function && function->isDevice && (!function->isHost || function->isKernel);
    if (!deviceOnly || !isLive(facts, launch.open) || isOverrun(facts, *function, launch.open)) continue;
    if (arms.isHost(launch.open)) continue;
    hits.add(launch.kernel, "kernel launched from device code: HIP has no dynamic parallelism");
  }
  for (std::string_view word : {"cudaStreamTailLaunch", "cudaStreamFireAndForget", "cudaLaunchDevice",
                                "cudaLaunchDeviceV2", "cudaGetParameterBuffer", "cudaGetParameterBufferV2"}) {
    for (TokenIndex t : facts.named(word)) {
      if (isLive(facts, t) && facts.inDevice(t) && !facts.is(t - 1, "case") && !arms.isHost(t)) {
        // `<<<g, b, 0, cudaStreamTailLaunch>>>` was reported as a launch already.
        bool inLaunch = std::any_of(facts.launches.begin(), facts.launches.end(), [&](const scan::Launch& launch) {
          return !launch.configuration.empty() && launch.open < t && t < launch.configuration.back().end;
        });
        if (!inLaunch) hits.add(t, std::string(word) + " in device code: HIP has no dynamic parallelism");
      }
    }
  }
}

/// Comparisons with zero guard a division; they are the cure, not the fault.
bool comparesWithZeroGuard(const SourceFacts& facts, TokenIndex t) {
  return (facts.is(t + 1, ">") || facts.is(t + 1, "!=") || facts.is(t + 1, "==") || facts.is(t + 1, "<=")) &&
         facts.at(t + 2).starts_with("0");
}

/// `longest = t > longest ? t : longest`: the longest of several times, for a report.
bool isLongest(const SourceFacts& facts, TokenIndex t) {
  return facts.is(t + 1, ">") && facts.is(t + 3, "?") && facts.at(t + 4) == facts.at(t) && facts.is(t + 5, ":") &&
         facts.at(t + 6) == facts.at(t + 2);
}

/// The elapsed-time variable `name` decides something at `t`: compared, or an argument of min/assert.
bool decides(const SourceFacts& facts, TokenIndex t) {
  if (comparesWithZeroGuard(facts, t) || isLongest(facts, t)) return false;
  if (isComparison(facts.at(t + 1)) && !facts.is(t + 1, ">")) return true;
  if (facts.is(t + 1, ">") && !facts.is(t - 1, "<")) return true;
  if (t > 0 && isComparison(facts.at(t - 1)) && !facts.is(t - 1, ">")) return true;
  bool argument = t > 1 && facts.is(t - 1, "(") && (facts.is(t + 1, ",") || facts.is(t + 1, ")"));
  return argument && (facts.is(t - 2, "min") || facts.is(t - 2, "fminf"));
}

/// `name` was last set by a helper called median, or from an array that the function has sorted: a median, which is the
/// cure.
bool isMedian(const SourceFacts& facts, const Function& function, std::string_view name, TokenIndex use) {
  auto uses = facts.named(name);
  auto at = std::lower_bound(uses.begin(), uses.end(), use);
  while (at != uses.begin() && *std::prev(at) > function.body.begin && !facts.is(*std::prev(at) + 1, "=")) --at;
  if (at == uses.begin() || *std::prev(at) < function.body.begin) return false;
  TokenIndex set = *std::prev(at);
  std::string_view array;
  for (TokenIndex t = set + 2; t < facts.tokens.size() && !facts.is(t, ";") && array.empty(); ++t) {
    if (facts.is(t + 1, "(") && containsIgnoreCase(facts.at(t), "median")) return true;
    if (facts.isIdentifier(t) && facts.is(t + 1, "[")) array = facts.at(t);
  }
  if (array.empty()) return false;
  for (const Call& call : facts.calls({"sort", "nth_element", "stable_sort"})) {
    bool before = function.body.contains(call.name) && call.name < set && !call.arguments.empty();
    if (before && patterns::usesName(facts, call.arguments[0], array)) return true;
  }
  return false;
}

void detectTimingDecisions(const SourceFacts& facts, Hits& hits) {
  std::set<std::pair<const Function*, std::string_view>> seen;
  for (const Call& call : facts.calls({"cudaEventElapsedTime", "cudaEventElapsedTime_v2", "cuEventElapsedTime"})) {
    const Function* function = facts.enclosing(call.name);
    if (call.arguments.empty() || !function || !isLive(facts, call.name)) continue;
    std::string_view name = namedVariable(facts, call.arguments[0]);
    // The uses behind the first call are those behind all of them.
    if (name.empty() || !seen.emplace(function, name).second) continue;
    auto uses = facts.named(name);
    for (auto next = std::upper_bound(uses.begin(), uses.end(), call.end);
         next != uses.end() && *next < function->body.end; ++next) {
      TokenIndex t = *next;
      if (!isLive(facts, t) || !decides(facts, t) || isMedian(facts, *function, name, t)) continue;
      hits.add(t, "elapsed time decides control flow: it can be slightly negative or include other streams on AMD");
    }
  }
}

/// Preprocessor branches that only debug builds keep.
Regions debugRegions(const SourceFacts& facts) {
  Regions regions;
  for (const Guard& guard : guardsOf(facts)) {
    const scan::Directive& opening = facts.directives[guard.first];
    for (TokenIndex t = opening.first + 2; t < opening.last; ++t) {
      bool debug = containsIgnoreCase(facts.at(t), "debug") || containsIgnoreCase(facts.at(t), "verbose") ||
                   containsIgnoreCase(facts.at(t), "trace");
      if (!debug) continue;
      regions.add({opening.last, facts.directives[guard.last].first});
      break;
    }
  }
  regions.close();
  return regions;
}

bool isDisplayName(std::string_view name) {
  for (std::string_view part : {"print", "dump", "debug", "display"})
    if (containsIgnoreCase(name, part)) return true;
  return false;
}

/// A function that exists to show a value, called by none of this file's kernels: it runs when somebody debugs.
bool isDisplayHelper(const SourceFacts& facts, const Function& function) {
  std::string_view file = facts.path.substr(facts.path.rfind('/') + 1);
  if (!isDisplayName(function.name) && !containsIgnoreCase(file, "debug")) return false;
  for (TokenIndex t : facts.named(function.name)) {
    if (t == function.nameToken || !isLive(facts, t)) continue;
    const Function* caller = facts.enclosing(t);
    bool declares = caller && caller->nameToken == t;
    bool launched = std::any_of(facts.launches.begin(), facts.launches.end(),
                                [t](const scan::Launch& launch) { return launch.kernel == t; });
    if (launched || (caller && !declares && caller->isDevice && !isDisplayName(caller->name))) return false;
  }
  return true;
}

void detectDeviceOutput(const SourceFacts& facts, Hits& hits) {
  Regions debug;
  bool haveDebug = false;
  ArchArms arms(facts);
  // HIP's assert works like CUDA's except for the error it leaves: it matters to programs that look at that error.
  bool readsAssertError = !facts.named("cudaErrorAssert").empty() || !facts.named("CUDA_ERROR_ASSERT").empty();
  for (std::string_view word : {"printf", "assert", "__trap"}) {
    if (word == "assert" && !readsAssertError) continue;
    std::uint32_t last = noToken;
    for (TokenIndex t : facts.named(word)) {
      if (!facts.inDevice(t) || !isLive(facts, t) || !facts.is(t + 1, "(") || facts.tokens[t].directive) continue;
      bool member = t > 0 && (facts.is(t - 1, ".") || facts.is(t - 1, "->"));
      if (member || facts.functionOf[t] == last) continue;
      if (!haveDebug) debug = debugRegions(facts);
      haveDebug = true;
      if (debug.contain(t) || arms.isHost(t)) continue;
      if (word == "printf" && isDisplayHelper(facts, *facts.enclosing(t))) continue;
      last = facts.functionOf[t];
      if (word == "printf")
        hits.add(t, "printf in device code needs host calls over PCIe atomics: output can be lost or the kernel hang");
      else if (word == "assert")
        hits.add(t, "device assert: on AMD the process aborts, cudaErrorAssert is never returned");
      else
        hits.add(t, "__trap: on AMD the queue faults and the process aborts instead of returning an error");
    }
  }
}

bool isRuntimeCall(const SourceFacts& facts, TokenIndex t) {
  std::string_view name = facts.at(t);
  bool shaped = (name.starts_with("cuda") && name.size() > 5 && name[4] >= 'A' && name[4] <= 'Z') ||
                (name.starts_with("cu") && name.size() > 3 && name[2] >= 'A' && name[2] <= 'Z');
  if (!shaped || !facts.isIdentifier(t) || !facts.is(t + 1, "(")) return false;
  return name != "cudaGetErrorString" && name != "cudaGetErrorName" && !name.ends_with("_t");
}

void reportCallsIn(const SourceFacts& facts, TokenRange callback, Hits& hits) {
  for (TokenIndex t = callback.begin; t < callback.end; ++t) {
    if (isRuntimeCall(facts, t) && isLive(facts, t))
      hits.add(t, "runtime call inside a stream callback: deadlocks on AMD");
  }
}

/// The class that a function is a member of: `Class::name` outside of it, `class Class { ... name` inside; empty for a
/// free function.
std::string_view classOf(const SourceFacts& facts, const Function& function) {
  constexpr int longestHead = 32;
  TokenIndex name = function.nameToken;
  if (name >= 2 && facts.is(name - 1, "::")) return facts.at(name - 2);
  TokenIndex brace = facts.block[name];
  for (int steps = 0; brace != noToken && brace > steps + 1u && steps < longestHead; ++steps) {
    TokenIndex t = brace - 1 - static_cast<TokenIndex>(steps);
    if (facts.is(t, ";") || facts.is(t, "}")) break;
    if (facts.is(t, "class") || facts.is(t, "struct")) return facts.at(t + 1);
  }
  return {};
}

/// The function that `name`, `&Class::name` or a cast of them names. Null when this file does not define it.
const Function* callbackOf(const SourceFacts& facts, TokenRange callback) {
  TokenIndex colons = callback.end;
  while (colons > callback.begin && !facts.is(colons - 1, "::")) --colons;
  if (colons == callback.begin) return definitionOf(facts, namedVariable(facts, callback));
  std::string_view name = facts.at(colons), qualifier = facts.at(colons - 2);
  const Function* found = nullptr;
  bool qualifiesClass = false;
  for (TokenIndex t : facts.named(name)) {
    const Function* function = facts.enclosing(t + 1);
    if (!function || function->nameToken != t || function->body.empty()) continue;
    std::string_view owner = classOf(facts, *function);
    if (owner == qualifier) return function;
    qualifiesClass |= !owner.empty();
    found = function;
  }
  return qualifiesClass ? nullptr : found;  // else the qualifier is a namespace
}

/// The lambda that `name` was set to before `use`, in the same function or outside of all: `auto name = []`.
TokenRange namedLambda(const SourceFacts& facts, std::string_view name, TokenIndex use) {
  constexpr int maxMentions = 64;
  auto mentions = facts.named(name);
  auto last = std::lower_bound(mentions.begin(), mentions.end(), use);
  for (int steps = 0; last != mentions.begin() && steps < maxMentions; ++steps) {
    TokenIndex t = *--last;
    bool visible = facts.functionOf[t] == noToken || facts.functionOf[t] == facts.functionOf[use];
    if (!visible || !isAny(facts.at(t + 1), {"=", "{"})) continue;
    TokenRange value = initialiserOf(facts, t);
    return isAny(facts.at(value.begin), {"[", "+"}) ? value : TokenRange{};
  }
  return {};
}

void detectCallbackCalls(const SourceFacts& facts, Hits& hits) {
  std::set<std::string_view> seen;
  std::set<TokenIndex> lambdas;
  for (const Call& call :
       facts.calls({"cudaLaunchHostFunc", "cudaStreamAddCallback", "cuLaunchHostFunc", "cuStreamAddCallback"})) {
    if (call.arguments.size() < 2 || !isLive(facts, call.name)) continue;
    TokenRange callback = call.arguments[1];
    if (facts.is(callback.begin, "[") || facts.is(callback.begin, "+")) {
      reportCallsIn(facts, callback, hits);
      continue;
    }
    TokenRange lambda = namedLambda(facts, namedVariable(facts, callback), call.name);
    if (!lambda.empty()) {
      if (lambdas.insert(lambda.begin).second) reportCallsIn(facts, lambda, hits);
      continue;
    }
    if (!seen.insert(facts.textOf(callback)).second) continue;
    if (const Function* function = callbackOf(facts, callback)) reportCallsIn(facts, function->body, hits);
  }
}

constexpr std::array<Detector, 11> detectors{{{"R01", detectDeviceLaunch},
                                              {"R03", detectPointerAttributes},
                                              {"R04", detectStreamOrder},
                                              {"R05", detectAsyncAllocator},
                                              {"R06", detectCapture},
                                              {"R07", detectTimingDecisions},
                                              {"R08", detectTextures},
                                              {"R09", detectDeviceOutput},
                                              {"R10", detectArgumentStructs},
                                              {"R11", detectCallbackCalls},
                                              {"R12", detectPageableCopy}}};

}  // namespace

std::span<const Detector> runtimeDetectors() {
  return detectors;
}

}  // namespace unwarp::audit
