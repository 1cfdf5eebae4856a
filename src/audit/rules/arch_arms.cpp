// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two spellings of one choice: the preprocessor's `#if __CUDA_ARCH__ >= 800` and libcu++'s
// `NV_IF_ELSE_TARGET(NV_PROVIDES_SM_80, (fast), (general))`, whose arms are macro arguments in parentheses.
#include "audit/rules/arch_arms.h"

namespace unwarp::audit {

using scan::Directive;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

bool directiveNames(const SourceFacts& facts, const Directive& directive, std::string_view macro) {
  for (TokenIndex t = directive.first + 2; t < directive.last; ++t) {
    if (facts.is(t, macro)) return true;
  }
  return false;
}

bool isPassTest(const SourceFacts& facts, const Directive& directive) {
  for (TokenIndex t = directive.first + 2; t < directive.last; ++t) {
    if (isComparison(facts.at(t))) return false;
  }
  return true;
}

TokenRange branchTokens(const SourceFacts& facts, const Guard& guard, std::size_t i) {
  std::uint32_t next = i + 1 < guard.branches.size() ? guard.branches[i + 1] : guard.last;
  return {facts.directives[guard.branches[i]].last, facts.directives[next].first};
}

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
             !text.starts_with("__CUDACC__") && text != "__NVCC__" && text != "CUDART_VERSION";
  }
  if (other) return Taken::Unknown;
  if (either && !negated) return greater && !less ? Taken::No : Taken::Unknown;
  if (either) return Taken::Yes;
  if (negated) return both ? Taken::Unknown : Taken::Yes;
  if (tests) return Taken::No;
  if (greater && !less) return Taken::No;
  return less && !greater && !both ? Taken::Yes : Taken::Unknown;
}

namespace {
/// Nobody writes a fallback this long that only fails; looking no further keeps deep nests of guards linear.
constexpr TokenIndex longestFallback = 1024;
}  // namespace

bool hasStatements(const SourceFacts& facts, TokenRange range) {
  if (range.end - range.begin > longestFallback) return true;
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    if (!facts.tokens[t].directive && facts.is(t, ";")) return true;
  }
  return false;
}

namespace {

bool isStop(std::string_view word) {
  return word == "assert" || word == "__trap" || word == "abort" || word == "printf" || word == "NO_DEVICE_CODE" ||
         containsIgnoreCase(word, "not_implemented") || containsIgnoreCase(word, "not_supported") ||
         containsIgnoreCase(word, "unsupported") || containsIgnoreCase(word, "unreachable");
}

/// `(void)x;`, `return;`, `return 0.0f;`
bool doesNothing(const SourceFacts& facts, TokenRange statement) {
  if (facts.is(statement.begin, "(") && facts.is(statement.begin + 1, "void")) return true;
  return facts.is(statement.begin, "return") && statement.end - statement.begin <= 2;
}

}  // namespace

bool isFailingFallback(const SourceFacts& facts, TokenRange range) {
  if (!hasStatements(facts, range)) return true;
  if (range.end - range.begin > longestFallback) return false;
  std::size_t statements = 0, working = 0;
  bool stops = false, stopsHere = false;
  TokenIndex begin = range.begin;
  for (TokenIndex t = range.begin; t < range.end; ++t) {
    stopsHere = stopsHere || isStop(facts.at(t));
    bool ends = facts.is(t, ";");
    if (!ends && !facts.is(t, "{") && !facts.is(t, "}")) continue;
    if (ends) {
      ++statements;
      stops = stops || stopsHere;
      working += !stopsHere && !doesNothing(facts, {begin, t}) ? 1 : 0;
    }
    begin = t + 1;
    stopsHere = false;
  }
  return stops && (statements <= 4 || working == 0);
}

ArchArms::ArchArms(const SourceFacts& facts) {
  if (!facts.named("__CUDA_ARCH__").empty() || !facts.named("CUDART_VERSION").empty()) {
    for (const Guard& guard : guardsOf(facts)) addGuard(facts, guard);
  }
  addTargetMacros(facts);
  vanishing_.close();
  replaced_.close();
  host_.close();
  runtime_.close();
}

ArchArm ArchArms::of(TokenIndex token) const {
  if (replaced_.contain(token)) return ArchArm::Replaced;
  return vanishing_.contain(token) ? ArchArm::Vanishes : ArchArm::Compiled;
}

void ArchArms::addGuard(const SourceFacts& facts, const Guard& guard) {
  const Directive& opening = facts.directives[guard.first];
  bool arch = directiveNames(facts, opening, "__CUDA_ARCH__");
  if (!arch && !directiveNames(facts, opening, "CUDART_VERSION")) return;
  std::size_t own = 0;  // the arm that AMD compiles
  for (; own < guard.branches.size(); ++own) {
    const Directive& directive = facts.directives[guard.branches[own]];
    Taken taken = directive.name == "else" ? Taken::Yes : takenWithoutArch(facts, directive);
    if (taken == Taken::Unknown) return;
    if (taken == Taken::Yes) break;
  }
  bool none = own == guard.branches.size();
  bool complete = !none && !isFailingFallback(facts, branchTokens(facts, guard, own));
  for (std::size_t i = 0; i < guard.branches.size(); ++i) {
    if (i == own) continue;
    if (complete) (arch ? replaced_ : runtime_).add(branchTokens(facts, guard, i));
    if (none && arch) vanishing_.add(branchTokens(facts, guard, i));
  }
  if (arch && !none && guard.branches.size() <= 2 && isPassTest(facts, opening))
    host_.add(branchTokens(facts, guard, own));
}

void ArchArms::addTargetMacros(const SourceFacts& facts) {
  for (const scan::Call& call : facts.calls({"NV_IF_TARGET", "NV_IF_ELSE_TARGET"})) {
    if (call.arguments.size() < 2 || facts.tokens[call.name].directive) continue;
    std::string_view query = facts.at(call.arguments[0].begin);
    bool single = call.arguments[0].end - call.arguments[0].begin == 1, hasElse = call.arguments.size() > 2;
    if (single && query == "NV_IS_HOST") host_.add(call.arguments[1]);
    if (single && query == "NV_IS_DEVICE" && hasElse) host_.add(call.arguments[2]);
    if (!single || !startsWithAny(query, {"NV_PROVIDES_SM_", "NV_HAS_FEATURE_SM_", "NV_IS_EXACTLY_SM_"})) continue;
    if (hasElse && !isFailingFallback(facts, call.arguments[2])) replaced_.add(call.arguments[1]);
    if (!hasElse) vanishing_.add(call.arguments[1]);
  }
}

}  // namespace unwarp::audit
