// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A05 and A06. A guard is judged by what a compiler without __CUDA_ARCH__ or __CUDACC__ keeps of it; only shapes with a
// clear answer are reported: code that vanishes, falls to a failing branch, or to the host branch. A capability number
// is reported where it is compared with a literal that would tell NVIDIA generations apart. Guards that name HIP or
// ROCm anywhere in their chain are left alone.
#include <algorithm>
#include <optional>
#include <set>

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

bool directiveNames(const SourceFacts& facts, const Directive& directive, std::string_view macro) {
  for (TokenIndex t = directive.first + 2; t < directive.last; ++t) {
    if (facts.is(t, macro)) return true;
  }
  return false;
}

/// Tokens of branch `i` of a guard: between its directive and the next one of the same guard.
TokenRange branchTokens(const SourceFacts& facts, const Guard& guard, std::size_t i) {
  std::uint32_t next = i + 1 < guard.branches.size() ? guard.branches[i + 1] : guard.last;
  return {facts.directives[guard.branches[i]].last, facts.directives[next].first};
}

enum class Taken { Yes, No, Unknown };

/// Whether a compiler that does not define `__CUDA_ARCH__` takes the branch, for the usual single-test shapes.
Taken takenWithoutArch(const SourceFacts& facts, const Directive& directive) {
  if (directive.name == "ifdef") return Taken::No;
  if (directive.name == "ifndef") return Taken::Yes;
  bool negated = false, tests = false, greater = false, less = false, either = false, both = false, other = false;
  for (TokenIndex t = directive.first + 2; t < directive.last; ++t) {
    std::string_view text = facts.at(t);
    negated |= text == "!";
    either |= text == "||";
    both |= text == "&&";
    tests |= text == "defined";
    if (text == "==") return Taken::Unknown;  // one architecture's special case
    greater |= text == ">=" || text == ">";
    less |= text == "<" || text == "<=";
    // A second macro decides too: `defined(USE_PDL) && __CUDA_ARCH__ >= 900`. A name after a comparison is only the
    // limit.
    bool limit = t > directive.first && isComparison(facts.at(t - 1));
    other |= facts.isIdentifier(t) && !limit && text != "defined" && !text.starts_with("__CUDA_ARCH__") &&
             !text.starts_with("__CUDACC__") && text != "__NVCC__";
  }
  if (other) return Taken::Unknown;
  if (either && !negated) return greater && !less ? Taken::No : Taken::Unknown;
  if (either) return Taken::Yes;
  if (negated) return both ? Taken::Unknown : Taken::Yes;
  if (tests) return Taken::No;
  if (greater && !less) return Taken::No;
  return less && !greater && !both ? Taken::Yes : Taken::Unknown;
}

bool hasStatements(const SourceFacts& facts, TokenRange range) {
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    if (!facts.tokens[t].directive && facts.is(t, ";")) return true;
  }
  return false;
}

/// A fallback that only stops or complains is no equivalent of the guarded code.
bool isFailingFallback(const SourceFacts& facts, TokenRange range) {
  if (!hasStatements(facts, range)) return true;
  std::size_t statements = 0;
  bool stops = false;
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    statements += facts.is(t, ";") ? 1 : 0;
    std::string_view text = facts.at(t);
    stops |= text == "assert" || text == "__trap" || text == "abort" || text == "printf" || text == "NO_DEVICE_CODE" ||
             containsIgnoreCase(text, "not_implemented") || containsIgnoreCase(text, "unsupported") ||
             containsIgnoreCase(text, "unreachable");
  }
  return stops && statements <= 4;
}

/// Inside a device function: the part that AMD compiles is empty, only fails, or is the host side of a device-pass
/// test.
void judgeArchGuard(const SourceFacts& facts, const Guard& guard, Hits& hits) {
  const Directive& opening = facts.directives[guard.first];
  Taken taken = takenWithoutArch(facts, opening);
  TokenRange guarded = branchTokens(facts, guard, 0);
  if (taken != Taken::No || !hasStatements(facts, guarded)) return;
  bool passTest = true;
  for (TokenIndex t = opening.first + 2; t < opening.last; ++t) passTest &= !isComparison(facts.at(t));
  if (guard.branches.size() == 1) {
    hits.add(opening.first, "__CUDA_ARCH__ is not defined by HIP: the guarded device code vanishes on AMD");
    return;
  }
  bool onlyElse = guard.branches.size() == 2 && facts.directives[guard.branches[1]].name == "else";
  if (!onlyElse) return;
  TokenRange fallback = branchTokens(facts, guard, 1);
  if (isFailingFallback(facts, fallback)) {
    hits.add(opening.first, "__CUDA_ARCH__ is not defined by HIP: AMD gets the branch for GPUs without support");
  } else if (passTest) {
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
  for (; use != uses.end() && *use < guarded.end; ++use) {
    const scan::Function* function = facts.enclosing(*use + 1);
    bool defines = function && function->nameToken == *use && function->isDevice;
    if (!defines) continue;
    hits.add(opening.first, "__CUDA_ARCH__ counts as 0 with HIP: this atomicAdd for old GPUs redefines HIP's own");
    return;
  }
}

/// `#ifdef __CUDACC__` around macros that spell __host__ or __device__: hipcc leaves them empty.
void judgeQualifierMacros(const SourceFacts& facts, const Guard& guard, Hits& hits) {
  TokenRange guarded = branchTokens(facts, guard, 0);
  for (TokenIndex t = guarded.begin; t < guarded.end; ++t) {
    if (!facts.tokens[t].directive) continue;
    if (facts.is(t, "__device__") || facts.is(t, "__host__") || facts.is(t, "__forceinline__")) {
      hits.add(facts.directives[guard.first].first,
               "__CUDACC__ is not defined by clang for HIP: these macros lose their __host__ __device__ on AMD");
      return;
    }
  }
}

}  // namespace

void detectArchGuards(const SourceFacts& facts, Hits& hits) {
  if (facts.named("__CUDA_ARCH__").empty() && facts.named("__CUDACC__").empty() && facts.named("__NVCC__").empty())
    return;
  for (const Guard& guard : guardsOf(facts)) {
    const Directive& opening = facts.directives[guard.first];
    if (!isLive(facts, opening.first) || speaksOfHip(facts, guard)) continue;
    if (directiveNames(facts, opening, "__CUDA_ARCH__")) {
      if (facts.inDevice(opening.first))
        judgeArchGuard(facts, guard, hits);
      else
        judgeAtomicShim(facts, guard, hits);
    } else if (directiveNames(facts, opening, "__CUDACC__") || directiveNames(facts, opening, "__NVCC__")) {
      if (takenWithoutArch(facts, opening) == Taken::No) judgeQualifierMacros(facts, guard, hits);
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
