// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detectors of group L: launch bounds, block sizes, grid sizes, shared memory. All of them need numbers that stand in
// the file itself; a block size that arrives as a parameter is not guessed. A kernel is looked up by name in the same
// file only.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "audit/rules/detector.h"
#include "audit/rules/launch_calls.h"
#include "audit/rules/shared_memory.h"
#include "audit/rules/token_queries.h"
#include "base/text.h"

namespace unwarp::audit {

namespace {

using scan::Function;
using scan::Launch;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

constexpr std::int64_t smallestLdsBytes = 64 * 1024;
constexpr std::int64_t maxBlockThreads = 1024;
constexpr std::int64_t waveLanes = 64;

bool isBeingDefined(const SourceFacts& facts, TokenIndex t) {
  return t > 0 && facts.tokens[t].directive && facts.is(t - 1, "define");
}

void detectLaunchBounds(const SourceFacts& facts, Hits& hits) {
  for (TokenIndex t : facts.named("__launch_bounds__")) {
    auto call = facts.callAt(t);
    if (!isLive(facts, t) || isBeingDefined(facts, t) || !call || call->arguments.size() < 2) continue;
    auto second = constantOf(facts, call->arguments[1]);
    if (second && *second <= 1) continue;
    hits.add(t, "second __launch_bounds__ number means waves per SIMD on AMD, not blocks per multiprocessor");
  }
  for (std::string_view word : {"__maxnreg__", "CU_JIT_MAX_REGISTERS", "cudaJitMaxRegisters"}) {
    for (TokenIndex t : facts.named(word)) {
      bool listed = t > 0 && facts.is(t - 1, "case");
      if (isLive(facts, t) && !isBeingDefined(facts, t) && !listed) {
        hits.add(t, "register cap " + std::string(word) + " has no effect or no counterpart on AMD");
      }
    }
  }
}

/// `__launch_bounds__` by kernel name. Kernels of one name that disagree have none that is known.
using Bounds = std::unordered_map<std::string_view, std::optional<std::int64_t>>;
Bounds launchBounds(const SourceFacts& facts) {
  Bounds bounds;
  for (const Function& kernel : facts.functions) {
    if (!kernel.isKernel) continue;
    auto [known, isNew] = bounds.emplace(kernel.name, kernel.launchBoundsThreads);
    if (!isNew && known->second != kernel.launchBoundsThreads) known->second.reset();
  }
  return bounds;
}

void detectBlockTooLarge(const SourceFacts& facts, Hits& hits) {
  Bounds bounds = launchBounds(facts);
  auto judge = [&](TokenIndex at, std::string_view kernel, const std::optional<BlockShape>& shape) {
    if (!shape || !isLive(facts, at)) return;
    std::string threads = std::to_string(shape->total);
    auto bound = bounds.find(kernel);
    if (shape->total > maxBlockThreads) {
      hits.add(at, "launch of " + threads + " threads per block, above the 1024 that AMD allows");
    } else if (bound != bounds.end() && bound->second && shape->total > *bound->second) {
      hits.add(at, "launch of " + threads + " threads exceeds the kernel's bound of " + std::to_string(*bound->second) +
                       ": the launch fails on AMD");
    }
  };
  for (const Launch& launch : facts.launches) {
    if (launch.configuration.size() >= 2)
      judge(launch.kernel, facts.at(launch.kernel), blockShape(facts, launch.configuration[1]));
  }
  for (const LaunchCall& launch : launchCalls(facts)) judge(launch.name, launch.kernel, launch.block);
}

bool isWide(const SourceFacts& facts, TokenRange type) {
  if (facts.mentions(type, {"size_t", "int64_t", "uint64_t", "ssize_t", "ptrdiff_t", "index_t"})) return true;
  int longs = 0;
  for (TokenIndex t = type.begin; t < type.end; ++t) longs += facts.is(t, "long") ? 1 : 0;
  return longs > 0;
}

/// A cast to 32 bits around a division that counts with a 64-bit local: `(unsigned)((n + 255) / 256)`.
bool narrowsWideCount(const SourceFacts& facts, TokenRange range) {
  bool narrow = false, divides = false, wide = false;
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    std::string_view text = facts.at(t);
    bool castStart = t > 0 && (facts.is(t - 1, "(") || facts.is(t - 1, "<"));
    narrow |=
        castStart && (text == "unsigned" || text == "int" || text == "uint32_t" || text == "uint" || text == "int32_t");
    divides |= text == "/" || text == ">>";
    if (text == "min" || containsIgnoreCase(text, "min") || containsIgnoreCase(text, "clamp")) return false;
    if (!facts.isIdentifier(t) || wide) continue;
    TokenIndex declaration = declarationOf(facts, text, t);
    wide = declaration != noToken && declaration != t && isWide(facts, typeBefore(facts, declaration));
  }
  return narrow && divides && wide;
}

/// The last token of a function that may read a launch error, or 0: `cudaGetLastError()`, `CHECK_LAUNCH()`, ...
TokenIndex lastErrorCheck(const SourceFacts& facts, const Function& function) {
  TokenIndex last = 0;
  for (TokenIndex t = function.body.begin; t + 1 < function.body.end; ++t) {
    if (!facts.isIdentifier(t) || !facts.is(t + 1, "(")) continue;
    std::string_view word = facts.at(t);
    bool check = containsIgnoreCase(word, "check") || containsIgnoreCase(word, "lasterror") ||
                 containsIgnoreCase(word, "peekat");
    if (check) last = t;
  }
  return last;
}

void detectUncheckedGrid(const SourceFacts& facts, Hits& hits) {
  std::map<const Function*, TokenIndex> checks;
  Definitions definitions(facts);
  for (const Launch& launch : facts.launches) {
    const Function* host = facts.enclosing(launch.open);
    if (!isLive(facts, launch.open) || !host || launch.configuration.empty()) continue;
    TokenRange grid = launch.configuration[0];
    if (grid.end - grid.begin == 1 && facts.isIdentifier(grid.begin)) {
      TokenIndex declaration = declarationOf(facts, facts.at(grid.begin), grid.begin);
      if (declaration == noToken || !host->body.contains(declaration)) continue;
      grid = initialiserOf(facts, declaration);
    }
    if (grid.empty() || !narrowsWideCount(facts, grid)) continue;
    const Function* kernel = definitions.of(facts.at(launch.kernel));
    bool strides = kernel && occursIn(facts, kernel->body, {"gridDim"});
    auto [check, isNew] = checks.emplace(host, 0);
    if (isNew) check->second = lastErrorCheck(facts, *host);
    if (strides || check->second > launch.open) continue;
    hits.add(
        launch.kernel,
        "64-bit count cast down to a grid size and no launch error read: above 2^32-1 threads nothing runs on AMD");
  }
}

void detectStaticShared(const SourceFacts& facts, Hits& hits) {
  for (const auto& [function, sum] : staticShared(facts)) {
    if (sum.total <= smallestLdsBytes) continue;
    hits.add(sum.token, "kernel declares " + std::to_string(sum.total) + " bytes of shared memory", sum.total);
  }
}

/// Reports opt-in calls; true when there was one, since the launch it serves is then no second finding.
bool detectOptIn(const SourceFacts& facts, Hits& hits) {
  bool any = false;
  for (const scan::Call& call : facts.calls({"cudaFuncSetAttribute", "cuFuncSetAttribute", "cuKernelSetAttribute"})) {
    if (call.arguments.size() < 3 || !isLive(facts, call.name)) continue;
    TokenRange attribute{call.arguments[0].end, call.arguments.back().begin};
    if (!facts.mentions(attribute, {"cudaFuncAttributeMaxDynamicSharedMemorySize",
                                    "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"}))
      continue;
    any = true;
    std::size_t valueAt = facts.is(call.name, "cuKernelSetAttribute") ? 0 : 2;
    for (std::size_t i = 0; i < call.arguments.size() && valueAt == 0; ++i) {
      if (facts.mentions(call.arguments[i], {"CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"})) valueAt = i + 1;
    }
    std::optional<std::int64_t> bytes;
    if (valueAt < call.arguments.size()) bytes = constantOf(facts, call.arguments[valueAt]);
    if (bytes && *bytes <= smallestLdsBytes) continue;
    const Function* host = facts.enclosing(call.name);
    bool queried = host && occursIn(facts, host->body,
                                    {"sharedMemPerBlockOptin", "cudaDevAttrMaxSharedMemoryPerBlockOptin",
                                     "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN", "sharedMemPerBlock",
                                     "cudaDevAttrMaxSharedMemoryPerBlock"});
    if (!bytes && queried) continue;
    std::string amount =
        bytes ? "asks for " + std::to_string(*bytes) + " bytes" : std::string("asks for more than the default");
    hits.add(call.name, "opt-in " + amount + " of shared memory: AMD GPUs have no opt-in", bytes.value_or(0));
  }
  return any;
}

void detectSharedMemory(const SourceFacts& facts, Hits& hits) {
  detectStaticShared(facts, hits);
  if (detectOptIn(facts, hits)) return;
  for (const Launch& launch : facts.launches) {
    if (launch.configuration.size() < 3 || !isLive(facts, launch.open)) continue;
    auto bytes = constantOf(facts, launch.configuration[2]);
    if (!bytes || *bytes <= smallestLdsBytes) continue;
    hits.add(launch.kernel, "launch with " + std::to_string(*bytes) + " bytes of dynamic shared memory", *bytes);
  }
  for (TokenIndex t : facts.named("dynamicSmemBytes")) {
    if (!facts.is(t + 1, "=") || !isLive(facts, t)) continue;
    auto bytes = constantOf(facts, {t + 2, facts.statement(t).end});
    if (bytes && *bytes > smallestLdsBytes)
      hits.add(t, "launch with " + std::to_string(*bytes) + " bytes of dynamic shared memory", *bytes);
  }
}

bool isWaveCollective(std::string_view name) {
  if (!name.starts_with("__")) return false;
  if (startsWithAny(name,
                    {"__shfl", "__ballot", "__activemask", "__match_any", "__match_all", "__any_sync", "__all_sync"}))
    return true;
  return name == "__any" || name == "__all" || (name.starts_with("__reduce_") && name.ends_with("_sync"));
}

/// A shuffle whose explicit width is at most 32 works in a half-filled wave.
bool isPinnedShuffle(const SourceFacts& facts, TokenIndex t) {
  if (!facts.at(t).starts_with("__shfl")) return false;
  auto call = facts.callAt(t);
  std::size_t widthAt = facts.at(t).ends_with("_sync") ? 3 : 2;
  if (!call || call->arguments.size() <= widthAt) return false;
  auto width = constantOf(facts, call->arguments[widthAt]);
  return width && *width <= 32;
}

/// Looks for a full-wave collective in a kernel and in what it calls in this file; every function is visited once.
bool usesCollectives(const SourceFacts& facts, const Function& kernel) {
  std::set<std::string_view> seen{kernel.name};
  std::vector<const Function*> pending{&kernel};
  while (!pending.empty()) {
    TokenRange body = pending.back()->body;
    pending.pop_back();
    for (TokenIndex t = body.begin; t < body.end; ++t) {
      if (!facts.isIdentifier(t)) continue;
      if (isWaveCollective(facts.at(t))) {
        if (isLive(facts, t) && !isPinnedShuffle(facts, t)) return true;
        continue;
      }
      bool called = t + 1 < body.end && (facts.is(t + 1, "(") || facts.is(t + 1, "<"));
      if (!called || !seen.insert(facts.at(t)).second) continue;
      const Function* callee = definitionOf(facts, facts.at(t));
      if (callee && callee->isDevice) pending.push_back(callee);
    }
  }
  return false;
}

void detectPartialWave(const SourceFacts& facts, Hits& hits) {
  Definitions definitions(facts);
  std::map<const Function*, bool> known;
  for (const Launch& launch : facts.launches) {
    if (!isLive(facts, launch.open) || launch.configuration.size() < 2) continue;
    auto shape = blockShape(facts, launch.configuration[1]);
    if (!shape || shape->total % waveLanes == 0 || shape->total == 1) continue;
    const Function* kernel = definitions.of(facts.at(launch.kernel));
    if (!kernel) continue;
    auto [entry, isNew] = known.emplace(kernel, false);
    if (isNew) entry->second = usesCollectives(facts, *kernel);
    if (!entry->second) continue;
    hits.add(launch.kernel, "block of " + std::to_string(shape->total) +
                                " threads with wave collectives: a 64-lane wave is only partly filled");
  }
}

constexpr std::array<Detector, 5> detectors{{{"L01", detectLaunchBounds},
                                             {"L02", detectBlockTooLarge},
                                             {"L03", detectUncheckedGrid},
                                             {"L04", detectSharedMemory},
                                             {"L05", detectPartialWave}}};

}  // namespace

std::span<const Detector> launchDetectors() {
  return detectors;
}

}  // namespace unwarp::audit
