// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules W07 to W12. Launches are joined with the kernel of the same file; a launch whose kernel is elsewhere is left
// out, since projects that count by 32 do so on both sides. W10 is the only rule of the group that looks into
// branches compiled for AMD alone.
#include "audit/rules/warp_width_host.h"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "audit/rules/lane_flow.h"
#include "audit/rules/patterns.h"
#include "audit/rules/token_queries.h"
#include "audit/rules/warp_model.h"
#include "base/text.h"

namespace unwarp::audit {

namespace {

using patterns::Collective;
using patterns::CollectiveKind;
using patterns::isAny;
using patterns::Place;
using patterns::WarpModel;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

/// Index of the kernel that a launch names, when this file defines it.
std::uint32_t kernelOf(const SourceFacts& facts, Definitions& definitions, const scan::Launch& launch) {
  const scan::Function* kernel = definitions.of(facts.at(launch.kernel));
  return kernel == nullptr ? noToken : static_cast<std::uint32_t>(kernel - facts.functions.data());
}

/// The last mentions of `name` before `use` in the same function.
std::span<const TokenIndex> mentionsBefore(const SourceFacts& facts, std::string_view name, TokenIndex use) {
  constexpr std::ptrdiff_t farthest = 64;
  auto mentions = facts.named(name);
  const scan::Function* function = facts.enclosing(use);
  if (function == nullptr) return {};
  TokenIndex begin = std::min(function->parameters.begin, function->body.begin);
  auto first = std::lower_bound(mentions.begin(), mentions.end(), begin);
  auto last = std::lower_bound(first, mentions.end(), use);
  return {last - first > farthest ? last - farthest : first, last};
}

/// Arguments of the dim3 behind a launch's block configuration: written in place or as a variable of the function.
std::vector<TokenRange> blockArguments(const SourceFacts& facts, const scan::Launch& launch) {
  if (launch.configuration.size() < 2) return {};
  TokenRange range = launch.configuration[1];
  TokenIndex type = noToken;
  if (facts.is(range.begin, "dim3")) {
    type = range.begin;
  } else if (range.end == range.begin + 1 && facts.isIdentifier(range.begin)) {
    for (TokenIndex t : mentionsBefore(facts, facts.at(range.begin), range.begin)) {
      if (facts.is(t - 1, "dim3")) type = facts.is(t + 1, "=") && facts.is(t + 2, "dim3") ? t + 2 : t;
      if (facts.is(t + 1, "=") && facts.is(t + 2, "dim3")) type = t + 2;
    }
  }
  if (type == noToken || !(facts.is(type + 1, "(") || facts.is(type + 1, "{")) || facts.match[type + 1] == noToken)
    return {};
  return facts.splitArguments({type + 2, facts.match[type + 1]});
}

/// Ranges that feed an expression: itself and the right sides of the variables it names, three steps deep.
std::vector<TokenRange> feeding(const SourceFacts& facts, TokenRange start) {
  std::vector<TokenRange> ranges{start};
  std::vector<std::string_view> seen;
  std::size_t levelEnd = 1;
  for (std::size_t i = 0, depth = 0; i < ranges.size() && ranges.size() < 48 && depth < 4; ++i) {
    if (i == levelEnd) {
      ++depth;
      levelEnd = ranges.size();
    }
    TokenRange range = ranges[i];
    for (TokenIndex t = range.begin; t < range.end && t < range.begin + 200; ++t) {
      if (!facts.isIdentifier(t) || std::find(seen.begin(), seen.end(), facts.at(t)) != seen.end()) continue;
      seen.push_back(facts.at(t));
      for (TokenIndex use : mentionsBefore(facts, facts.at(t), start.begin)) {
        bool constructed = facts.is(use - 1, "dim3") && (facts.is(use + 1, "(") || facts.is(use + 1, "{"));
        if (constructed && facts.match[use + 1] != noToken) {
          ranges.push_back({use + 2, facts.match[use + 1]});
        } else if (facts.is(use + 1, "=")) {
          if (auto assignment = patterns::assignmentAround(facts, use + 2)) ranges.push_back(assignment->right);
        }
      }
    }
  }
  return ranges;
}

/// The kernel divides by the built-in width; one that counts rows by 32 as well agrees with its host.
bool numbersRowsByDevice(const WarpModel& model, std::uint32_t kernel) {
  constexpr int maxMentions = 64;
  const SourceFacts& facts = model.facts();
  TokenRange body = facts.functions[kernel].body;
  if (!model.of(kernel).warp32.empty()) return false;
  auto widths = facts.named("warpSize");
  auto width = std::lower_bound(widths.begin(), widths.end(), body.begin);
  for (int steps = 0; width != widths.end() && *width < body.end && steps < maxMentions; ++width, ++steps)
    if (facts.is(*width - 1, "/") && patterns::isBuiltinWidth(facts, *width)) return true;
  return false;
}

/// `threads / 32`, `256 / 32`, `blockSize >> 5`: the left operand counts threads.
bool dividesThreadCount(const SourceFacts& facts, TokenIndex op) {
  if (op == 0) return false;
  TokenIndex begin = patterns::operandBegin(facts, op - 1);
  if (facts.is(op - 1, ")")) return false;  // (n + 31) / 32 is a number of tiles
  auto value = patterns::valueOf(facts, TokenRange{begin, op});
  std::string name = toLower(facts.at(op - 1));
  bool counts = name.find("thread") != std::string::npos || name.find("block") != std::string::npos || name == "tpb" ||
                name == "bdim" ||
                (facts.is(op - 1, "x") && toLower(facts.at(op - 3)).find("block") != std::string::npos);
  if (name.find("num_block") != std::string::npos || name.find("nblock") != std::string::npos || name == "blocks")
    counts = false;
  bool literal = value && facts.tokens[op - 1].kind == scan::TokenKind::Number && *value >= 64 && *value <= 1024 &&
                 *value % 32 == 0;
  return counts || literal;
}

/// Lanes are numbered across rows: `id = threadIdx.y * blockDim.x + threadIdx.x`, then `id % warpSize`, here or in a
/// helper that gets the id. Rows may then share a wave.
bool numbersAcrossRows(const SourceFacts& facts, const WarpModel& model, std::uint32_t kernel) {
  TokenRange body = facts.functions[kernel].body;
  auto indices = facts.named("threadIdx");
  auto index = std::lower_bound(indices.begin(), indices.end(), body.begin);
  for (; index != indices.end() && *index < body.end; ++index) {
    TokenIndex t = *index;
    if (facts.is(t + 2, "x")) continue;
    auto assignment = patterns::assignmentAround(facts, t);
    if (!assignment || assignment->name == noToken) continue;
    bool flat = false;
    for (TokenIndex i = assignment->right.begin; i < assignment->right.end; ++i)
      flat |= facts.is(i, "threadIdx") && facts.is(i + 2, "x");
    if (!flat) continue;
    std::string_view id = facts.at(assignment->name);
    auto mentions = facts.named(id);
    auto next = std::lower_bound(mentions.begin(), mentions.end(), assignment->name);
    for (int steps = 0; next != mentions.end() && steps < 256; ++next, ++steps) {
      TokenIndex use = *next;
      if (!body.contains(use) || !isAny(facts.at(use + 1), {"%", "&", "/", ">>"})) continue;
      TokenIndex end = use + 3;
      if (facts.is(use + 2, "(") && facts.match[use + 2] != noToken) end = facts.match[use + 2];
      if (patterns::mentionsUnknownWidth(facts, {use + 2, end})) return true;
    }
    for (std::uint32_t callee : model.of(kernel).callees) {
      for (TokenIndex call : facts.named(facts.functions[callee].name)) {
        auto handed = body.contains(call) ? facts.callAt(call) : std::nullopt;
        if (handed && patterns::usesName(facts, {call + 1, handed->end}, id)) return true;
      }
    }
  }
  return false;
}

}  // namespace

void detectNarrowRows(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  Definitions definitions(facts);
  std::unordered_map<std::uint32_t, bool> sharesWaves;  // by kernel
  for (const scan::Launch& launch : facts.launches) {
    if (!patterns::isPlain(facts, launch.kernel)) continue;
    std::vector<TokenRange> block = blockArguments(facts, launch);
    if (block.size() < 2 || patterns::valueOf(facts, block[0]) != 32 || patterns::valueOf(facts, block[1]) == 1)
      continue;
    std::uint32_t kernel = kernelOf(facts, definitions, launch);
    if (kernel == noToken) continue;
    auto [known, fresh] = sharesWaves.try_emplace(kernel);
    if (fresh)
      known->second =
          model.places(kernel).readsRows() && model.reachesWave(kernel) && !numbersAcrossRows(facts, model, kernel);
    if (!known->second) continue;
    hits.add(launch.kernel,
             "rows of 32 threads: two of them share one 64-lane wave and the kernel's warp operations have no width");
  }
}

namespace {

/// `__popc(` stands before the vote: what goes on is a number of lanes.
bool isCounted(const SourceFacts& facts, TokenRange before) {
  for (TokenIndex t = before.begin; t < before.end; ++t)
    if (isAny(facts.at(t), {"__popc", "__popcll", "popcount"})) return true;
  return false;
}

}  // namespace

void detectPackedWords(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  auto report = [&](TokenIndex from) {
    auto assignment = patterns::assignmentAround(facts, from);
    if (!assignment || !facts.is(assignment->op, "=") || !facts.is(assignment->op - 1, "]")) return;
    if (isCounted(facts, {assignment->right.begin, from})) return;
    TokenIndex open = facts.match[assignment->op - 1];
    if (open == noToken) return;
    TokenRange index{open + 1, assignment->op - 1};
    bool byWord = model.places(facts.functionOf[from]).of(index) == Place::Warp32;
    for (TokenIndex t = index.begin; t < index.end && !byWord; ++t) {
      byWord = (facts.is(t, "/") && patterns::valueOf(facts, t + 1) == 32) ||
               (facts.is(t, ">>") && patterns::valueOf(facts, t + 1) == 5);
    }
    // A ballot shifted to the lane's own half first is the repaired form.
    for (TokenIndex t = assignment->right.begin; t < assignment->right.end; ++t) byWord &= !facts.is(t, ">>");
    if (byWord)
      hits.add(assignment->op - 1,
               "one ballot stored per 32-bit word: a 64-lane wave has two words and the upper one is lost");
  };
  for (const Collective& collective : model.all()) {
    if (collective.kind != CollectiveKind::Ballot || !patterns::isPlain(facts, collective.call.name)) continue;
    if (!patterns::keepsWholeMask(facts, collective)) continue;
    report(collective.call.name);
    auto assignment = patterns::assignmentAround(facts, collective.call.name);
    if (!assignment || assignment->name == noToken) continue;
    if (isCounted(facts, {assignment->right.begin, collective.call.name})) continue;
    const scan::Function* function = facts.enclosing(collective.call.name);
    std::string_view name = facts.at(assignment->name);
    auto uses = facts.named(name);
    for (auto next = std::upper_bound(uses.begin(), uses.end(), assignment->name); next != uses.end(); ++next) {
      TokenIndex use = *next;
      if (!function->body.contains(use) || facts.is(use + 1, "=")) break;  // another value, or another function
      if (facts.is(use + 1, "[")) continue;
      report(use);
    }
  }
}

void detectLaunchGeometry(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  Definitions definitions(facts);
  std::unordered_set<TokenIndex> reported;
  std::unordered_map<std::uint32_t, bool> byDevice;  // by kernel
  for (const scan::Launch& launch : facts.launches) {
    std::uint32_t function = facts.functionOf[launch.kernel];
    if (function == noToken || launch.configuration.empty() || !patterns::isPlain(facts, launch.kernel)) continue;
    std::uint32_t kernel = kernelOf(facts, definitions, launch);
    if (kernel == noToken) continue;
    auto [known, fresh] = byDevice.try_emplace(kernel);
    if (fresh) known->second = numbersRowsByDevice(model, kernel);
    if (!known->second) continue;
    for (TokenRange range : feeding(facts, launch.configuration[0])) {
      for (TokenIndex t = range.begin; t < range.end; ++t) {
        bool divides = (facts.is(t, "/") && patterns::valueOf(facts, t + 1) == 32) ||
                       (facts.is(t, ">>") && patterns::valueOf(facts, t + 1) == 5);
        if (!divides || facts.is(t + 2, "*") || !dividesThreadCount(facts, t)) continue;
        if (!patterns::isPlain(facts, t) || !reported.insert(t).second) continue;
        hits.add(t, "grid computed with 32 threads per row: on 64-lane waves half of the rows have no wave");
      }
    }
  }
}

namespace {

/// The `#if`/`#elif` conditions around a token, innermost first, as directive indices; those of sibling branches
/// included.
std::vector<std::size_t> conditionsAround(const SourceFacts& facts, TokenIndex token) {
  std::vector<std::vector<std::size_t>> open;
  for (std::size_t i = 0; i < facts.directives.size() && facts.directives[i].first <= token; ++i) {
    std::string_view name = facts.directives[i].name;
    if (name == "if" || name == "ifdef" || name == "ifndef")
      open.push_back({i});
    else if ((name == "elif" || name == "else") && !open.empty())
      open.back().push_back(i);
    else if (name == "endif" && !open.empty())
      open.pop_back();
  }
  std::vector<std::size_t> result;
  for (auto level = open.rbegin(); level != open.rend(); ++level)
    result.insert(result.end(), level->begin(), level->end());
  return result;
}

bool isArchitectureMacro(std::string_view word) {
  return word.starts_with("__gfx") || word.starts_with("__GFX") || word.starts_with("__AMDGCN_WAVEFRONT_SIZE");
}

}  // namespace

bool chosenByArchitecture(const SourceFacts& facts, TokenIndex token, bool devicePassToo) {
  for (std::size_t index : conditionsAround(facts, token)) {
    const scan::Directive& directive = facts.directives[index];
    for (TokenIndex t = directive.first; t < directive.last; ++t) {
      if (isArchitectureMacro(facts.at(t))) return true;
      if (devicePassToo && facts.is(t, "__HIP_DEVICE_COMPILE__")) return true;
    }
  }
  return false;
}

bool chosenByWidth(const SourceFacts& facts, TokenIndex token) {
  for (std::size_t index : conditionsAround(facts, token)) {
    const scan::Directive& directive = facts.directives[index];
    bool compares = isAny(directive.name, {"if", "elif"});  // a guard such as WAVE_SIZE_H is no question
    for (TokenIndex t = directive.first; t < directive.last; ++t) {
      std::string name = toLower(facts.at(t));
      auto has = [&name](std::string_view piece) { return name.find(piece) != std::string::npos; };
      if (compares && patterns::isWidthName(facts.at(t))) return true;
      if ((has("64") || has("32")) && (has("wave") || has("warp"))) return true;
    }
  }
  return false;
}

namespace {

/// Name that gets `value` at token `t` (`#define N 64`, `N = 64`), or noToken.
TokenIndex definedAt(const SourceFacts& facts, TokenIndex t) {
  if (t < 2) return noToken;
  TokenIndex name = t - 1;
  while (name > 0 && facts.is(name, "(")) --name;
  if (facts.tokens[t].directive) return facts.is(name - 1, "define") ? name : noToken;
  if (!facts.is(name, "=") && !facts.is(name, "{")) return noToken;
  --name;
  return facts.isIdentifier(name) ? name : noToken;
}

}  // namespace

void detectFixed64(const WarpModel& model, Hits& hits) {
  const SourceFacts& facts = model.facts();
  for (TokenIndex t : facts.numbers) {
    if (facts.tokens[t].length > 5) continue;
    bool amd =
        facts.branch[t] == scan::Branch::HipOnly || (facts.includesHip && facts.branch[t] == scan::Branch::Plain);
    if (!amd || patterns::valueOf(facts, t) != 64) continue;
    TokenIndex name = definedAt(facts, t);
    if (name == noToken || !patterns::isWidthName(facts.at(name)) || chosenByArchitecture(facts, t, false)) continue;
    hits.add(name, "AMD is taken to mean 64 lanes per wave: RDNA parts and gfx1250 have 32");
  }
  for (std::string_view macro : {"__AMDGCN_WAVEFRONT_SIZE", "__AMDGCN_WAVEFRONT_SIZE__", "__HIP_PLATFORM_HCC__"}) {
    for (TokenIndex t : facts.named(macro)) {
      hits.add(t, std::string(macro) + " is gone from current compilers: the other branch is taken without a word");
    }
  }
  detectLaneCodeBy64(model, hits);
}

void detectPassDependentWidth(const SourceFacts& facts, Hits& hits) {
  if (facts.launches.empty()) return;
  std::vector<std::string_view> names;
  auto consider = [&](TokenIndex value) {
    TokenIndex name = definedAt(facts, value);
    if (name == noToken || !patterns::isWidthName(facts.at(name)) || !chosenByArchitecture(facts, value, true)) return;
    if (std::find(names.begin(), names.end(), facts.at(name)) == names.end()) names.push_back(facts.at(name));
  };
  for (TokenIndex t : facts.numbers) {
    if (facts.tokens[t].length > 5) continue;
    auto value = patterns::valueOf(facts, t);
    if (value == 64 || value == 32) consider(t);
  }
  for (std::string_view macro : {"__AMDGCN_WAVEFRONT_SIZE", "__AMDGCN_WAVEFRONT_SIZE__"}) {
    for (TokenIndex t : facts.named(macro)) {
      TokenIndex name = definedAt(facts, t);
      if (name != noToken && patterns::isWidthName(facts.at(name))) names.push_back(facts.at(name));
    }
  }
  if (names.empty()) return;
  for (const scan::Launch& launch : facts.launches) {
    TokenIndex end = launch.configuration.empty() ? launch.open : launch.configuration.back().end;
    for (TokenIndex t = launch.kernel; t < end; ++t) {
      if (!facts.isIdentifier(t) || std::find(names.begin(), names.end(), facts.at(t)) == names.end()) continue;
      hits.add(launch.kernel, "launch uses " + std::string(facts.at(t)) +
                                  ", which the host pass and the device pass may see as 32 and 64");
      break;
    }
  }
}

namespace {

/// The unmatched `[` before `t` in the same expression, or noToken.
TokenIndex bracketAround(const SourceFacts& facts, TokenIndex t) {
  for (int steps = 0; t > 0 && steps < 24; ++steps) {
    --t;
    if (facts.is(t, "[")) return t;
    if (isAny(facts.at(t), {";", "{", "}", "(", "="})) {
      if (!facts.is(t, "(") || facts.isIdentifier(t - 1)) return noToken;
    }
    if ((facts.is(t, ")") || facts.is(t, "]")) && facts.match[t] != noToken && facts.match[t] < t) t = facts.match[t];
  }
  return noToken;
}

bool isArrayBound(const SourceFacts& facts, TokenIndex t) {
  TokenIndex open = bracketAround(facts, t);
  while (open != noToken && open > 1 && facts.is(open - 1, "]") && facts.match[open - 1] != noToken)
    open = facts.match[open - 1];
  if (open == noToken || open < 2 || !facts.isIdentifier(open - 1)) return false;
  TokenIndex type = open - 2;
  if (isAny(facts.at(type), {"return", "else", "case", "new", "delete", "throw", "sizeof", "goto", "do"})) return false;
  return facts.isIdentifier(type) || facts.is(type, ">");
}

bool isTemplateArgument(const SourceFacts& facts, TokenIndex t) {
  if (!isAny(facts.at(t + 1), {">", ">>"})) return false;
  std::string_view after = facts.at(t + 2);
  if (!(isAny(after, {"(", "::", "{", ";", ",", "<<<", ">"}) || facts.isIdentifier(t + 2))) return false;
  for (int steps = 0; t > 0 && steps < 32; ++steps) {
    --t;
    if (facts.is(t, "<")) return facts.isIdentifier(t - 1);
    bool plain = facts.isIdentifier(t) || facts.tokens[t].kind == scan::TokenKind::Number ||
                 isAny(facts.at(t), {",", "/", "*", "::", "-", "+"});
    if (!plain) return false;
  }
  return false;
}

bool isConstantStatement(const SourceFacts& facts, TokenIndex t) {
  if (facts.is(t - 1, "case")) return true;
  TokenRange statement = facts.statement(t);
  bool assigned = false;
  for (TokenIndex i = statement.begin; i < t && i < statement.begin + 64; ++i) {
    if (facts.is(i, "static_assert") && facts.is(i + 1, "(") && facts.match[i + 1] != noToken && facts.match[i + 1] > t)
      return true;
    assigned |= facts.is(i, "=");
    if (facts.is(i, "constexpr") && !facts.is(i - 1, "if")) {
      for (TokenIndex j = i; j < t; ++j) assigned |= facts.is(j, "=");
      return assigned;
    }
  }
  return false;
}

}  // namespace

void detectConstantContext(const SourceFacts& facts, Hits& hits) {
  for (TokenIndex t : facts.named("warpSize")) {
    if (!patterns::isBuiltinWidth(facts, t) || facts.branch[t] == scan::Branch::CudaOnly) continue;
    if (facts.tokens[t].directive) {
      const scan::Directive* inside = patterns::directiveAround(facts, t);
      bool tested = inside != nullptr && isAny(inside->name, {"if", "elif"});
      if (tested) hits.add(t, "warpSize in a preprocessor condition: it is a variable, the preprocessor reads it as 0");
      continue;
    }
    if (isArrayBound(facts, t))
      hits.add(t, "warpSize as an array bound: no constant since ROCm 7, this stops compiling");
    else if (isTemplateArgument(facts, t))
      hits.add(t, "warpSize as a template argument: no constant since ROCm 7, this stops compiling");
    else if (isConstantStatement(facts, t))
      hits.add(t, "warpSize in a constant expression: no constant since ROCm 7, this stops compiling");
  }
}

}  // namespace unwarp::audit
