// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A05 and A06. A guard is judged by what a compiler without __CUDA_ARCH__ or __CUDACC__ keeps of it; only shapes with a
// clear answer are reported: code that vanishes, falls to a failing branch, or to the host branch. A capability number
// is reported where it is compared with a literal that would tell NVIDIA generations apart. Guards that name HIP or
// ROCm anywhere in their chain are left alone.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "audit/rules/arch_arms.h"
#include "audit/rules/assembly.h"
#include "audit/rules/token_queries.h"

namespace unwarp::audit {

using scan::Directive;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenKind;
using scan::TokenRange;

namespace {

bool speaksOfHip(const SourceFacts& facts, const Guard& guard) {
  for (std::uint32_t branch : guard.branches) {
    const Directive& directive = facts.directives[branch];
    for (TokenIndex t = directive.first + 2; t < directive.last; ++t) {
      if (facts.isIdentifier(t) && scan::isHipMacro(facts.at(t))) return true;
    }
  }
  return false;
}

/// True when every statement of the guarded code is advice that a GPU may ignore: a sleep while waiting, a prefetch,
/// the hand-shake of a programmatic launch.
bool onlyAdvises(const SourceFacts& facts, TokenRange guarded) {
  bool starts = true;
  for (TokenIndex t = guarded.begin; t < guarded.end; ++t) {
    if (!starts || facts.is(t, ";") || facts.is(t, "{") || facts.is(t, "}")) {
      starts = facts.is(t, ";") || facts.is(t, "{") || facts.is(t, "}");
      continue;
    }
    bool condition = facts.is(t, "if") && facts.is(t + 1, "(") && facts.match[t + 1] != noToken;
    if (condition) {
      t = facts.match[t + 1];
      continue;
    }
    starts = false;
    if (facts.tokens[t].directive) return false;
    bool called = facts.is(t + 1, "(") && startsWithAny(facts.at(t), {"__nanosleep", "cudaGridDependencySynchronize",
                                                                      "cudaTriggerProgrammaticLaunchCompletion"});
    if (called) continue;
    if (!facts.is(t, "asm") && !facts.is(t, "__asm__")) return false;
    TokenIndex text = t + 1;
    while (text < guarded.end && facts.tokens[text].kind != TokenKind::String && !facts.is(text, ";")) ++text;
    if (!startsWithAny(literalText(facts, text), {"nanosleep", "griddepcontrol", "prefetch"})) return false;
  }
  return true;
}

bool isPureName(std::string_view name) {
  static constexpr std::array<std::string_view, 42> names{
      "abs",    "fabs",    "fabsf",    "sqrt",     "sqrtf",    "exp",      "expf",  "log",      "logf",
      "pow",    "powf",    "sin",      "cos",      "tan",      "tanh",     "floor", "ceil",     "round",
      "trunc",  "rint",    "fma",      "fmaf",     "fmin",     "fmax",     "fminf", "fmaxf",    "min",
      "max",    "isnan",   "isinf",    "isfinite", "signbit",  "copysign", "int",   "unsigned", "float",
      "double", "int32_t", "uint32_t", "int64_t",  "uint64_t", "size_t"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Words that are no input of a computation.
bool isPlainWord(std::string_view word) {
  static constexpr std::array<std::string_view, 13> words{
      "bool", "true", "false", "const", "constexpr", "auto", "long", "char", "short", "void", "else", "std", "nullptr"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Names that the statements of an arm assign, "return" among them, and the names they read.
struct ArmNames {
  std::set<std::string_view> targets, read;
  bool isPure = true;  ///< calls nothing but math functions and, where allowed, value intrinsics
};

ArmNames namesOf(const SourceFacts& facts, TokenRange arm, bool intrinsics) {
  ArmNames names;
  for (TokenIndex t = arm.begin; t < arm.end; ++t) {
    if (!facts.isIdentifier(t)) continue;
    std::string_view word = facts.at(t);
    bool cast = word == "static_cast" || word == "if" || word == "sizeof";
    bool special = startsWithAny(word, {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "atomic", "__shfl",
                                        "__sync", "__ballot", "__any", "__all", "__activemask", "__match", "__reduce",
                                        "__nanosleep", "__trap", "asm", "__asm", "clock"});
    if (word == "return") {
      names.targets.insert(word);
    } else if (facts.is(t + 1, "=")) {
      names.targets.insert(word);
    } else if (facts.at(t + 1).size() > 1 && facts.at(t + 1).ends_with('=') && !isComparison(facts.at(t + 1))) {
      names.targets.insert(word);  // `x += 1` reads it, too
      names.read.insert(word);
    } else if (facts.is(t + 1, "(") && !cast) {
      names.isPure = names.isPure && (isPureName(word) || (intrinsics && word.starts_with("__")));
    } else if (!cast && !isPureName(word) && !isPlainWord(word)) {
      names.read.insert(word);
    }
    names.isPure = names.isPure && !special;
  }
  return names;
}

/// Both arms of a pass test compute one value from the same inputs, the host's in plain arithmetic.
bool armsAgree(const SourceFacts& facts, TokenRange device, TokenRange host) {
  constexpr TokenIndex longest = 1024;  // tokens; such arms compute one value
  if (device.end - device.begin > longest || host.end - host.begin > longest) return false;
  ArmNames left = namesOf(facts, device, true), right = namesOf(facts, host, false);
  if (!left.isPure || !right.isPure || left.targets.empty() || left.targets != right.targets) return false;
  return std::any_of(right.read.begin(), right.read.end(),
                     [&](std::string_view name) { return left.read.contains(name); });
}

/// The condition holds for all architectures below a number.
bool isForOlder(const SourceFacts& facts, const Directive& directive) {
  bool less = false, greater = false;
  for (TokenIndex t = directive.first + 2; t < directive.last; ++t) {
    less |= facts.is(t, "<") || facts.is(t, "<=");
    greater |= facts.is(t, ">") || facts.is(t, ">=");
  }
  return less && !greater;
}

/// Inside a device function: the part that AMD compiles is empty, only fails, or is the host side of a device-pass
/// test.
void judgeArchGuard(const SourceFacts& facts, const Guard& guard, Hits& hits) {
  const Directive& opening = facts.directives[guard.first];
  Taken taken = takenWithoutArch(facts, opening);
  TokenRange guarded = branchTokens(facts, guard, 0);
  if (taken != Taken::No || !hasStatements(facts, guarded)) return;
  if (isForOlder(facts, opening)) return;  // `defined(X) && X < 530`: AMD takes what newer GPUs do
  if (guard.branches.size() == 1) {
    // `if (fast) {...} else` before the #endif: what follows it is the general way.
    bool leadsOn = guarded.end > guarded.begin && facts.is(guarded.end - 1, "else");
    if (leadsOn || onlyAdvises(facts, guarded)) return;
    hits.add(opening.first, "__CUDA_ARCH__ is not defined by HIP: the guarded device code vanishes on AMD");
    return;
  }
  bool onlyElse = guard.branches.size() == 2 && facts.directives[guard.branches[1]].name == "else";
  if (!onlyElse) return;
  TokenRange fallback = branchTokens(facts, guard, 1);
  if (isFailingFallback(facts, fallback)) {
    hits.add(opening.first, "__CUDA_ARCH__ is not defined by HIP: AMD gets the branch for GPUs without support");
  } else if (isPassTest(facts, opening) && !armsAgree(facts, guarded, fallback)) {
    hits.add(opening.first, "__CUDA_ARCH__ is not defined by HIP: the AMD device pass compiles the host branch");
  }
}

/// At file level: `#if __CUDA_ARCH__ < 600` around an own atomicAdd for doubles, which HIP has.
void judgeAtomicShim(const SourceFacts& facts, const Guard& guard, Hits& hits) {
  const Directive& opening = facts.directives[guard.first];
  if (takenWithoutArch(facts, opening) != Taken::Yes) return;
  TokenRange guarded = branchTokens(facts, guard, 0);
  auto uses = facts.named("atomicAdd");
  auto use = std::lower_bound(uses.begin(), uses.end(), guarded.begin);
  constexpr int mostUses = 64;
  for (int steps = 0; use != uses.end() && *use < guarded.end && steps < mostUses; ++use, ++steps) {
    const scan::Function* function = facts.enclosing(*use + 1);
    bool defines = function && function->nameToken == *use && function->isDevice;
    if (!defines) continue;
    hits.add(opening.first, "__CUDA_ARCH__ counts as 0 with HIP: this atomicAdd for old GPUs redefines HIP's own");
    return;
  }
}

/// Macros that spell __host__ or __device__, in order.
std::vector<TokenIndex> qualifierMacros(const SourceFacts& facts) {
  std::vector<TokenIndex> result;
  for (std::string_view word : {"__device__", "__host__"}) {
    for (TokenIndex t : facts.named(word))
      if (facts.tokens[t].directive) result.push_back(t);
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// `#ifdef __CUDACC__` around macros that spell __host__ or __device__: hipcc leaves them empty.
void judgeQualifierMacros(const SourceFacts& facts, const Guard& guard, const std::vector<TokenIndex>& macros,
                          Hits& hits) {
  TokenRange guarded = branchTokens(facts, guard, 0);
  auto first = std::lower_bound(macros.begin(), macros.end(), guarded.begin);
  if (first != macros.end() && *first < guarded.end)
    hits.add(facts.directives[guard.first].first,
             "__CUDACC__ is not defined by clang for HIP: these macros lose their __host__ __device__ on AMD");
}

}  // namespace

void detectArchGuards(const SourceFacts& facts, Hits& hits) {
  if (facts.named("__CUDA_ARCH__").empty() && facts.named("__CUDACC__").empty() && facts.named("__NVCC__").empty())
    return;
  const std::vector<TokenIndex> macros = qualifierMacros(facts);
  for (const Guard& guard : guardsOf(facts)) {
    const Directive& opening = facts.directives[guard.first];
    if (!isLive(facts, opening.first) || speaksOfHip(facts, guard)) continue;
    if (directiveNames(facts, opening, "__CUDA_ARCH__")) {
      if (facts.inDevice(opening.first))
        judgeArchGuard(facts, guard, hits);
      else
        judgeAtomicShim(facts, guard, hits);
    } else if (directiveNames(facts, opening, "__CUDACC__") || directiveNames(facts, opening, "__NVCC__")) {
      if (takenWithoutArch(facts, opening) == Taken::No) judgeQualifierMacros(facts, guard, macros, hits);
    }
  }
}

namespace {

/// The constant that tokens [first, last] are compared with, on either side, as one token; noToken when there is none.
TokenIndex comparedConstant(const SourceFacts& facts, TokenIndex first, TokenIndex last) {
  TokenIndex right = last + 2;
  if (isComparison(facts.at(last + 1)) && facts.evaluate({right, right + 1}) && !facts.is(right + 1, "(")) return right;
  bool left = first >= 2 && isComparison(facts.at(first - 1)) && facts.evaluate({first - 2, first - 1});
  return left ? first - 2 : noToken;
}

constexpr std::string_view capabilityMessage =
    "compute capability compared with a number: on AMD major is the gfx generation";

/// Tests for what every GPU since Pascal has let every AMD GPU through, as meant. `combined`: major and minor in one
/// number.
bool isTelling(const SourceFacts& facts, TokenIndex constant, bool combined, bool single) {
  std::int64_t value = facts.evaluate({constant, constant + 1}).value_or(0);
  bool hexadecimal = facts.at(constant).starts_with("0x");  // major * 0x10 + minor
  if (combined && hexadecimal) return value > 0x62 && value <= 0xd0;
  bool level = (value > 62 && value <= 130) || (value > 620 && value <= 1300);
  return (combined && level) || (single && value > 6 && value <= 20);
}

/// The whole arithmetic around `p.major`: `p.major * 10 + p.minor`, parentheses included.
TokenRange capabilityExpression(const SourceFacts& facts, TokenIndex first, TokenIndex last) {
  for (;;) {
    TokenIndex next = last + 1;
    bool grows = facts.is(next, "*") || facts.is(next, "+");
    if (grows && (facts.isIdentifier(next + 1) ||
                  (next + 1 < facts.tokens.size() && facts.tokens[next + 1].kind == TokenKind::Number))) {
      last = next + 1;
      if (facts.is(last + 1, "[") && facts.match[last + 1] != noToken) last = facts.match[last + 1];
      while ((facts.is(last + 1, ".") || facts.is(last + 1, "->")) && facts.isIdentifier(last + 2)) last += 2;
    } else if (first > 0 && facts.is(first - 1, "(") && facts.match[first - 1] == next) {
      --first;
      last = next;
    } else if (first > 1 && (facts.is(first - 1, "*") || facts.is(first - 1, "+")) &&
               (facts.tokens[first - 2].kind == TokenKind::Number)) {
      first -= 2;
    } else {
      return {first, last};
    }
  }
}

void judgeCapability(const SourceFacts& facts, TokenIndex first, TokenIndex last, bool mayBeCombined,
                     std::set<TokenIndex>& reported, Hits& hits) {
  TokenRange whole = capabilityExpression(facts, first, last);
  TokenIndex constant = comparedConstant(facts, whole.begin, whole.end);
  if (constant == noToken) return;
  bool arithmetic = whole.end > last;
  if (!isTelling(facts, constant, arithmetic || mayBeCombined, !arithmetic)) return;
  if (reported.insert(whole.begin).second) hits.add(first, std::string(capabilityMessage));
}

/// Variables that hold a capability: filled by an attribute query or from `.major`.
std::set<std::pair<std::string_view, std::uint32_t>> capabilityVariables(const SourceFacts& facts) {
  std::set<std::pair<std::string_view, std::uint32_t>> result;
  for (const scan::Call& call :
       facts.calls({"cudaDeviceGetAttribute", "cuDeviceGetAttribute", "cudaDeviceComputeCapability"})) {
    if (call.arguments.size() < 2 ||
        !facts.mentions(call.arguments[1],
                        {"cudaDevAttrComputeCapabilityMajor", "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR"})) {
      continue;
    }
    result.insert({namedVariable(facts, call.arguments[0]), facts.functionOf[call.name]});
  }
  for (TokenIndex t : facts.named("major")) {
    if (t == 0 || !(facts.is(t - 1, ".") || facts.is(t - 1, "->"))) continue;
    std::string_view name = assignedName(facts, t);
    if (!name.empty()) result.insert({name, facts.functionOf[t]});
  }
  // One step further: `level = major * 10 + minor`.
  std::set<std::pair<std::string_view, std::uint32_t>> base = result;
  for (const auto& [name, function] : base) {
    for (TokenIndex t : facts.named(name)) {
      std::string_view next = facts.functionOf[t] == function ? assignedName(facts, t) : std::string_view();
      if (!next.empty() && facts.is(t + 1, "*")) result.insert({next, function});
    }
  }
  return result;
}

}  // namespace

void detectCapability(const SourceFacts& facts, Hits& hits) {
  bool evidence = false;
  for (std::string_view word :
       {"cudaDeviceProp", "cudaGetDeviceProperties", "cudaDeviceGetAttribute", "cuDeviceGetAttribute",
        "getCurrentDeviceProperties", "getDeviceProperties", "cuDeviceComputeCapability"}) {
    evidence = evidence || !facts.named(word).empty();
  }
  if (!evidence) return;
  std::set<TokenIndex> reported;
  for (TokenIndex t : facts.named("major")) {
    bool member = t >= 2 && (facts.is(t - 1, ".") || facts.is(t - 1, "->"));
    if (!member || !isLive(facts, t)) continue;
    TokenIndex first = t - 2;
    if (facts.is(first, ")") && facts.match[first] != noToken)
      first = facts.match[first];
    else if (facts.is(first, "]") && facts.match[first] != noToken)
      first = facts.match[first] - 1;
    judgeCapability(facts, first, t, false, reported, hits);
  }
  for (const auto& [name, function] : capabilityVariables(facts)) {
    if (name.empty() || function == noToken) continue;
    for (TokenIndex t : facts.named(name)) {
      bool member = t > 0 && (facts.is(t - 1, ".") || facts.is(t - 1, "->"));
      if (facts.functionOf[t] == function && !member && isLive(facts, t))
        judgeCapability(facts, t, t, true, reported, hits);
    }
  }
}

}  // namespace unwarp::audit
