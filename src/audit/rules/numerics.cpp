// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detectors of group N: results that differ by a rounding, a dialect or an order. What numbers a program really
// computes is not visible in tokens; these detectors report the places where such a difference turns into another
// decision, another format or another sequence.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "audit/rules/detector.h"
#include "audit/rules/number_formats.h"
#include "audit/rules/patterns.h"
#include "audit/rules/token_queries.h"
#include "base/text.h"

namespace unwarp::audit {

namespace {

using scan::Call;
using scan::Function;
using scan::isAny;
using scan::Launch;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenKind;
using scan::TokenRange;

/// Name of a parameter: the last identifier of its tokens, before a default value or an array extent.
std::string_view parameterName(const SourceFacts& facts, TokenRange parameter) {
  std::string_view name;
  for (TokenIndex t = parameter.begin; t < parameter.end && !facts.is(t, "=") && !facts.is(t, "["); ++t) {
    if (facts.isIdentifier(t)) name = facts.at(t);
  }
  return name;
}

/// Names of variables that hold managed or host-mapped memory, with the function that sees them.
std::set<std::pair<std::string_view, std::uint32_t>> hostVisibleMemory(const SourceFacts& facts) {
  std::set<std::pair<std::string_view, std::uint32_t>> result;
  for (const Call& call : facts.calls({"cudaMallocManaged", "cudaHostAlloc", "cudaHostGetDevicePointer"})) {
    if (call.arguments.empty() || !isLive(facts, call.name)) continue;
    bool mapped =
        !facts.is(call.name, "cudaHostAlloc") || facts.mentions(call.arguments.back(), {"cudaHostAllocMapped"});
    if (mapped) result.insert({namedVariable(facts, call.arguments[0]), facts.functionOf[call.name]});
  }
  return result;
}

/// `T* sum` of a kernel template: one of its instances adds floats.
bool isOfTemplateType(const SourceFacts& facts, const Function& kernel, TokenRange parameter) {
  for (TokenIndex t = kernel.qualifiers.begin; t + 1 < kernel.qualifiers.end; ++t) {
    bool declares = facts.is(t, "typename") || facts.is(t, "class");
    if (declares && patterns::usesName(facts, parameter, facts.at(t + 1))) return true;
  }
  return false;
}

void reportAtomicsOn(const SourceFacts& facts, const Function& kernel, TokenRange parameter,
                     std::set<TokenIndex>& reported, Hits& hits) {
  bool floating = facts.mentions(parameter, {"float", "double", "half", "__half", "half2", "__half2"}) ||
                  isOfTemplateType(facts, kernel, parameter);
  std::string_view name = parameterName(facts, parameter);
  for (std::string_view word : {"atomicAdd", "atomicMin", "atomicMax"}) {
    if (word == "atomicAdd" && !floating) continue;
    auto uses = facts.named(word);
    for (auto use = std::lower_bound(uses.begin(), uses.end(), kernel.body.begin);
         use != uses.end() && *use < kernel.body.end; ++use) {
      auto call = facts.callAt(*use);
      if (!call || call->arguments.empty() || !patterns::usesName(facts, call->arguments[0], name) ||
          !isLive(facts, *use))
        continue;
      if (reported.insert(*use).second) {
        hits.add(*use, std::string(word) + " on '" + std::string(name) +
                           "', which gets managed or mapped memory: updates can be lost on AMD");
      }
    }
  }
}

void detectAtomicMemoryKind(const SourceFacts& facts, Hits& hits) {
  if (facts.launches.empty()) return;
  auto memory = hostVisibleMemory(facts);
  if (memory.empty()) return;
  std::set<TokenIndex> reported;
  Definitions definitions(facts);
  std::set<std::pair<const Function*, std::size_t>> done;
  for (const Launch& launch : facts.launches) {
    const Function* kernel = definitions.of(facts.at(launch.kernel));
    if (!kernel || !isLive(facts, launch.open)) continue;
    std::vector<TokenRange> parameters = facts.splitArguments(kernel->parameters);
    for (std::size_t i = 0; i < launch.arguments.size() && i < parameters.size(); ++i) {
      std::string_view name = namedVariable(facts, launch.arguments[i]);
      if (!memory.contains({name, facts.functionOf[launch.open]}) || !done.insert({kernel, i}).second) continue;
      reportAtomicsOn(facts, *kernel, parameters[i], reported, hits);
    }
  }
}

bool isHalfType(std::string_view word) {
  static constexpr std::array<std::string_view, 9> types{"half",        "__half",        "half2",
                                                         "__half2",     "__nv_bfloat16", "__nv_bfloat162",
                                                         "nv_bfloat16", "nv_bfloat162",  "__half_raw"};
  return std::find(types.begin(), types.end(), word) != types.end();
}

bool mentionsHalf(const SourceFacts& facts, TokenRange range) {
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    if (facts.isIdentifier(t) && isHalfType(facts.at(t))) return true;
  }
  return false;
}

void detectHalfAtomics(const SourceFacts& facts, Hits& hits) {
  for (const Call& call : facts.calls({"atomicAdd", "atomicMax", "atomicMin", "atomicExch"})) {
    if (call.arguments.size() < 2 || !isLive(facts, call.name) || !facts.inDevice(call.name)) continue;
    bool half = mentionsHalf(facts, call.arguments[0]);
    bool cast =
        facts.mentions(call.arguments[0], {"reinterpret_cast", "unsigned", "int", "float", "uint32_t", "short"});
    for (TokenIndex t = call.arguments[0].begin; t < call.arguments[0].end && !half && !cast; ++t) {
      if (!facts.isIdentifier(t)) continue;
      TokenIndex declaration = declarationOf(facts, facts.at(t), t);
      half = declaration != noToken && mentionsHalf(facts, typeBefore(facts, declaration));
      break;
    }
    if (half)
      hits.add(call.name, std::string(facts.at(call.name)) +
                              " on a 16-bit float type: HIP lacks this overload on many targets and releases");
  }
}

void detectFastMathOptions(const SourceFacts& facts, Hits& hits) {
  if (facts.named("nvrtcCompileProgram").empty() && facts.named("nvrtcCreateProgram").empty()) return;
  for (TokenIndex t = 0; t < facts.tokens.size(); ++t) {
    if (facts.tokens[t].kind != TokenKind::String || facts.tokens[t].length > 24) continue;
    std::string_view text = literalText(facts, t);
    bool fast = text == "--use_fast_math" || text == "-use_fast_math" || text.starts_with("--fmad") ||
                text.starts_with("-fmad");
    if (fast && isLive(facts, t))
      hits.add(t, "run-time compiler option " + std::string(text) + ": HIP's floating-point defaults differ");
  }
}

constexpr std::array<std::string_view, 11> approximate{"__fdividef", "__expf",   "__exp10f", "__logf",
                                                       "__log2f",    "__log10f", "__powf",   "__sinf",
                                                       "__cosf",     "__tanf",   "rsqrtf"};

/// The unmatched `(` around `t`, looking back a few tokens, or noToken.
TokenIndex openBefore(const SourceFacts& facts, TokenIndex t) {
  for (int steps = 0; t > 0 && steps < 48; ++steps) {
    --t;
    if (facts.is(t, "(")) return t;
    if (facts.is(t, ";") || facts.is(t, "{") || facts.is(t, "}")) return noToken;
    if ((facts.is(t, ")") || facts.is(t, "]")) && facts.match[t] != noToken) t = facts.match[t];
  }
  return noToken;
}

bool isIntegerWord(std::string_view word) {
  return word == "int" || word == "unsigned" || word == "uint" || word == "int32_t" || word == "uint32_t" ||
         word == "long" || word == "size_t";
}

/// `(int)` or `static_cast<int>` or `__float2int_rn` right in front of `t`.
bool integerCastBefore(const SourceFacts& facts, TokenIndex t) {
  if (t < 3) return false;
  if (facts.is(t - 1, ")") && isIntegerWord(facts.at(t - 2)))
    return facts.match[t - 1] != noToken && facts.match[t - 1] + 3 >= t - 1;
  if (facts.is(t - 1, ">") && isIntegerWord(facts.at(t - 2))) return t > 4 && facts.is(t - 4, "static_cast");
  return isIntegerWord(facts.at(t - 1)) ||
         startsWithAny(facts.at(t - 1), {"__float2int_r", "__float2uint_r", "lrintf"});
}

bool isRounding(std::string_view name) {
  return name == "roundf" || name == "rintf" || name == "floorf" || name == "ceilf" || name == "truncf" ||
         name == "nearbyintf" || name == "round" || name == "floor" || name == "ceil" || name == "trunc";
}

/// `int n = __powf(2, i);`: the whole value of an integer's initialiser.
bool initialisesInteger(const SourceFacts& facts, TokenIndex call) {
  if (call < 3 || !facts.is(call - 1, "=") || !facts.isIdentifier(call - 2) || !isIntegerWord(facts.at(call - 3)))
    return false;
  auto whole = facts.callAt(call);
  return whole && isAny(facts.at(whole->end + 1), {";", ","});
}

bool becomesInteger(const SourceFacts& facts, TokenIndex call) {
  if (integerCastBefore(facts, call) || initialisesInteger(facts, call)) return true;
  TokenIndex open = call;
  for (int level = 0; level < 3; ++level) {
    open = openBefore(facts, open);
    if (open == noToken) return false;
    bool rounds = open > 0 && isRounding(facts.at(open - 1));
    if (integerCastBefore(facts, rounds ? open - 1 : open)) return true;
  }
  return false;
}

/// Every name in `range` is an integer of this function, and no number in it has a fraction.
bool isIntegerValue(const SourceFacts& facts, TokenRange range) {
  bool any = false;
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    if (facts.tokens[t].kind == TokenKind::Number && !facts.evaluate({t, t + 1})) return false;
    if (!facts.isIdentifier(t) || facts.is(t, "float") || isIntegerWord(facts.at(t)) || facts.is(t, "static_cast"))
      continue;
    TokenIndex declaration = declarationOf(facts, facts.at(t), t);
    if (declaration == noToken || facts.is(t + 1, ".") || facts.is(t + 1, "->") || facts.is(t + 1, "(")) return false;
    TokenRange type = typeBefore(facts, declaration);
    bool integer = false;
    for (TokenIndex word = type.begin; word < type.end; ++word) {
      integer = integer || isIntegerWord(facts.at(word)) || facts.at(word).ends_with("int64_t");
      if (facts.is(word, "float") || facts.is(word, "double") || facts.is(word, "*")) return false;
    }
    if (!integer) return false;
    any = true;
  }
  return any;
}

/// The integer made from the call at `t` is limited in its own statement or in the next one: `n = min(n, last)`.
bool isClampedNext(const SourceFacts& facts, TokenIndex t) {
  TokenRange statement = facts.statement(t);
  TokenRange next = facts.statement(statement.end + 1);
  std::string_view name = assignedName(facts, t);
  for (std::string_view word : {"min", "max", "clamp"}) {
    for (TokenRange range : {statement, next}) {
      bool same = range.begin == statement.begin;
      if (occursIn(facts, range, {word}) && (same || patterns::usesName(facts, range, name))) return true;
    }
  }
  return false;
}

/// A share of a whole, rounded and limited: one unit in the last place moves a border by one and nothing else.
bool isClampedShare(const SourceFacts& facts, TokenIndex t) {
  auto call = facts.callAt(t);
  if (!call || !facts.is(t, "__fdividef") || !isClampedNext(facts, t)) return false;
  return std::all_of(call->arguments.begin(), call->arguments.end(),
                     [&](TokenRange argument) { return isIntegerValue(facts, argument); });
}

bool isSelection(std::string_view name) {
  return name == "fminf" || name == "fmaxf" || name == "fmin" || name == "fmax" || name == "min" || name == "max";
}

/// `chosen` is the least or greatest of some values, `among` one of them: `==` finds which, at any precision.
bool selectsFrom(const SourceFacts& facts, const Function& function, std::string_view chosen, std::string_view among) {
  constexpr int maxMentions = 64;
  auto uses = facts.named(chosen);
  auto use = std::lower_bound(uses.begin(), uses.end(), function.body.begin);
  for (int steps = 0; use != uses.end() && *use < function.body.end && steps < maxMentions; ++use, ++steps) {
    if (!facts.is(*use + 1, "=")) continue;
    TokenRange statement = facts.statement(*use);
    bool selects = false;
    for (TokenIndex t = *use + 2; t < statement.end && !selects; ++t) selects = isSelection(facts.at(t));
    if (selects && patterns::usesName(facts, {*use + 2, statement.end}, among)) return true;
  }
  return false;
}

/// The comparison at `op` tolerates any precision: with zero, with the neutral factor that a multiplication skips, or
/// of a minimum with what it was chosen from.
bool isExactByNature(const SourceFacts& facts, const Function& function, TokenIndex op) {
  for (TokenIndex side : {op - 1, op + 1}) {
    std::string_view word = facts.at(side);
    bool one = word == "1.0f" || word == "1.f" || word == "1.0" || word == "1" || word == "1.0F";
    if (word.starts_with("0") || (one && facts.is(op, "!="))) return true;
  }
  std::string_view left = facts.at(op - 1), right = facts.at(op + 1);
  return selectsFrom(facts, function, left, right) || selectsFrom(facts, function, right, left);
}

bool hasEquality(const SourceFacts& facts, TokenRange range) {
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    bool equality = facts.is(t, "==") || facts.is(t, "!=");
    if (equality && !facts.at(t + 1).starts_with("0") && !facts.is(t + 1, "nullptr")) return true;
  }
  return false;
}

/// Variables of `function` that hold an approximate result, and the direct hits on the way.
void detectApproximateIn(const SourceFacts& facts, const Function& function, const std::vector<TokenIndex>& calls,
                         Hits& hits) {
  std::set<TokenIndex> reported;
  std::set<std::string_view> values;
  for (TokenIndex t : calls) {
    std::string_view name = assignedName(facts, t);
    if (!name.empty()) values.insert(name);
    if (becomesInteger(facts, t) && !isClampedShare(facts, t) && reported.insert(t).second) {
      hits.add(t,
               std::string(facts.at(t)) + " feeds an integer: one unit in the last place on AMD gives another index");
    }
  }
  for (const Condition& condition : conditionsIn(facts, function.body)) {
    if (!condition.isLoop && !hasEquality(facts, condition.inside)) continue;
    auto call = std::lower_bound(calls.begin(), calls.end(), condition.inside.begin);
    for (; call != calls.end() && *call < condition.inside.end; ++call) {
      TokenIndex t = *call;
      if (!reported.insert(t).second) continue;
      hits.add(t, std::string(facts.at(t)) + " decides a branch or loop: its last digits differ on AMD");
    }
  }
  for (std::string_view name : values) {
    for (TokenIndex t : facts.named(name)) {
      if (!function.body.contains(t) || !isLive(facts, t)) continue;
      auto decides = [&](TokenIndex op) {
        return op > 0 && isAny(facts.at(op), {"==", "!="}) && !isExactByNature(facts, function, op);
      };
      if ((decides(t + 1) || decides(t - 1)) && !facts.is(t + 2, name) && reported.insert(t).second) {
        hits.add(t, "'" + std::string(name) + "' comes from an approximate intrinsic and is compared exactly");
      }
    }
  }
}

void detectApproximate(const SourceFacts& facts, Hits& hits) {
  std::map<std::uint32_t, std::vector<TokenIndex>> calls;
  for (std::string_view word : approximate) {
    for (TokenIndex t : facts.named(word)) {
      if (facts.inDevice(t) && isLive(facts, t) && facts.is(t + 1, "(")) calls[facts.functionOf[t]].push_back(t);
    }
  }
  for (auto& [function, tokens] : calls) std::sort(tokens.begin(), tokens.end());
  for (const auto& [function, tokens] : calls) detectApproximateIn(facts, facts.functions[function], tokens, hits);
}

/// The generator at hand is created in this file, which neither draws from it nor passes it on.
bool isNeverDrawnFrom(const SourceFacts& facts, std::string_view generator) {
  bool created = false;
  for (TokenIndex t : facts.named(generator)) {
    TokenIndex open = openBefore(facts, t);
    std::string_view callee = open != noToken && open > 0 ? facts.at(open - 1) : std::string_view();
    if (callee.starts_with("curandCreateGenerator")) created = true;
    bool setting = startsWithAny(callee, {"curandCreate", "curandSet", "curandDestroy"});
    if (open != noToken && !setting) return false;
    const Function* function = facts.enclosing(t);  // an accessor that this file uses
    bool accessor = t > 0 && facts.is(t - 1, "return") && function;
    if (accessor && facts.named(function->name).size() > 1) return false;
  }
  return created;
}

/// A number, a constant, or a parameter called like the constant of the caller that hands it on.
bool isFixedSeed(const SourceFacts& facts, TokenRange seed) {
  return constantOf(facts, seed) || (seed.end == seed.begin + 1 && facts.constants.contains(facts.at(seed.begin)));
}

void detectRandomSequence(const SourceFacts& facts, Hits& hits) {
  for (const Call& call : facts.calls({"curand_init"})) {
    if (call.arguments.size() < 3 || !facts.inDevice(call.name) || !isLive(facts, call.name)) continue;
    if (facts.mentions(call.arguments[0], {"clock", "clock64", "time"})) continue;
    hits.add(call.name, "seeded device generator: the same seed gives other numbers with rocRAND");
  }
  for (const Call& call : facts.calls({"curandSetPseudoRandomGeneratorSeed"})) {
    if (call.arguments.size() < 2 || !isLive(facts, call.name) || isDefinition(facts, call)) continue;
    std::string_view generator = namedVariable(facts, call.arguments[0]);
    if (!isFixedSeed(facts, call.arguments[1]) || (!generator.empty() && isNeverDrawnFrom(facts, generator))) continue;
    hits.add(call.name, "generator with a fixed seed: rocRAND gives another sequence for it");
  }
  for (const Call& call : facts.calls({"curandSetGeneratorOrdering"})) {
    if (isLive(facts, call.name) && !isDefinition(facts, call))
      hits.add(call.name, "explicit ordering of random results: orderings differ in rocRAND");
  }
}

constexpr std::array<Detector, 7> detectors{{{"N01", detectAtomicMemoryKind},
                                             {"N02", detectHalfAtomics},
                                             {"N03", detectFastMathOptions},
                                             {"N04", detectApproximate},
                                             {"N06", detectFp8Dialect},
                                             {"N07", detectReducedPrecision},
                                             {"N09", detectRandomSequence}}};

}  // namespace

std::span<const Detector> numericsDetectors() {
  return detectors;
}

}  // namespace unwarp::audit
