// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tokens are already ported? A chain `#if ... #elif ... #else ... #endif` that mentions HIP or ROCm has an AMD branch and a CUDA branch;
// code in either is handled and is counted apart. Conditions are judged by shape, not evaluated: `A || HIP` holds on both sides and says
// nothing, `HIP && x` is AMD only, `!HIP` is CUDA only, and `#else` is the opposite of a condition that is only about HIP.
#include <algorithm>

#include "base/text.h"
#include "scan/source_facts.h"

namespace unwarp::scan {

namespace {

enum class Verdict : std::uint8_t { Plain, Hip, NotHip, Dead, Alive };

struct Condition {
  Verdict verdict = Verdict::Plain;
  bool exact = false;  ///< nothing but HIP in it, so that #else is the opposite
};

/// Reads a condition's tokens [first, last). Depth of `!` is followed through parentheses by counting.
Condition judge(const SourceFacts& facts, TokenIndex first, TokenIndex last) {
  if (last == first + 1 && facts.is(first, "0")) return {Verdict::Dead, true};
  if (last == first + 1 && facts.is(first, "1")) return {Verdict::Alive, true};
  bool hip = false, notHip = false, disjunction = false, other = false;
  std::vector<bool> negated{false};
  bool pending = false;
  for (TokenIndex t = first; t < last; ++t) {
    std::string_view word = facts.at(t);
    if (word == "!") {
      pending = !pending;
    } else if (word == "(") {
      negated.push_back(negated.back() != pending);
      pending = false;
    } else if (word == ")") {
      if (negated.size() > 1) negated.pop_back();
      pending = false;
    } else if (word == "||") {
      disjunction = true;
      pending = false;
    } else if (facts.isIdentifier(t) && word != "defined" && word != "__has_include") {
      bool negative = negated.back() != pending;
      if (facts.is(t + 1, "==") && t + 2 < last && facts.is(t + 2, "0")) negative = !negative;
      if (isHipMacro(word)) (negative ? notHip : hip) = true;
      else other = true;
      pending = false;
    } else if (word != "defined") {
      pending = pending && word == "defined";
    }
  }
  if (hip == notHip) return {};
  if (disjunction && other) return {};
  return {hip ? Verdict::Hip : Verdict::NotHip, !other};
}

Condition judgeDirective(const SourceFacts& facts, const Directive& directive) {
  TokenIndex first = directive.first + 2;
  if (directive.name == "if" || directive.name == "elif") return judge(facts, first, directive.last);
  if (first >= directive.last || !isHipMacro(facts.at(first))) return {};
  if (directive.name == "ifdef" || directive.name == "elifdef") return {Verdict::Hip, true};
  return {Verdict::NotHip, true};
}

struct Chain {
  std::vector<std::size_t> directives;  ///< the opening one, #elif, #else, #endif
};

Branch toBranch(Verdict verdict) {
  switch (verdict) {
    case Verdict::Hip: return Branch::HipOnly;
    case Verdict::NotHip: return Branch::CudaOnly;
    case Verdict::Dead: return Branch::Dead;
    default: return Branch::Plain;
  }
}

/// The branch of each arm of one chain.
std::vector<Branch> judgeChain(const SourceFacts& facts, const Chain& chain) {
  std::vector<Condition> conditions;
  bool anyHip = false, exactHip = false, exactNotHip = false, alive = false;
  for (std::size_t d : chain.directives) {
    const Directive& directive = facts.directives[d];
    if (directive.name == "endif" || directive.name == "else") continue;
    Condition condition = judgeDirective(facts, directive);
    anyHip |= condition.verdict == Verdict::Hip;
    exactHip |= condition.verdict == Verdict::Hip && condition.exact;
    exactNotHip |= condition.verdict == Verdict::NotHip && condition.exact;
    alive |= condition.verdict == Verdict::Alive;
    conditions.push_back(condition);
  }
  std::vector<Branch> arms;
  for (std::size_t i = 0; i < chain.directives.size(); ++i) {
    const Directive& directive = facts.directives[chain.directives[i]];
    if (directive.name == "endif") break;
    if (directive.name == "else") {
      arms.push_back(exactHip ? Branch::CudaOnly : exactNotHip ? Branch::HipOnly : alive ? Branch::Dead : Branch::Plain);
      continue;
    }
    Branch own = toBranch(conditions[i].verdict);
    // `#ifdef USE_CUDA ... #elif USE_HIP`: the first arm has its AMD sibling.
    if (own == Branch::Plain && anyHip && conditions[i].verdict != Verdict::Alive) own = Branch::CudaOnly;
    arms.push_back(own);
  }
  return arms;
}

std::vector<Chain> collectChains(const SourceFacts& facts) {
  std::vector<Chain> chains;
  std::vector<std::size_t> open;
  for (std::size_t d = 0; d < facts.directives.size(); ++d) {
    std::string_view name = facts.directives[d].name;
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      open.push_back(chains.size());
      chains.push_back({{d}});
    } else if (!open.empty() && (name.starts_with("elif") || name == "else" || name == "endif")) {
      chains[open.back()].directives.push_back(d);
      if (name == "endif") open.pop_back();
    }
  }
  return chains;
}

/// A whole-file include guard (`#ifndef X_H / #define X_H`) is no condition, even when its name holds "HIP".
bool isIncludeGuard(const SourceFacts& facts, const Chain& chain) {
  std::size_t d = chain.directives.front();
  if (facts.directives[d].name != "ifndef" || d + 1 >= facts.directives.size()) return false;
  const Directive& next = facts.directives[d + 1];
  TokenIndex own = facts.directives[d].first + 2;
  return next.name == "define" && next.first + 2 < next.last && facts.at(next.first + 2) == facts.at(own);
}

}  // namespace

bool isHipMacro(std::string_view identifier) {
  if (identifier == "__AMDGCN__" || identifier == "__AMDGPU__" || identifier == "__AMDGCN_WAVEFRONT_SIZE" || identifier == "GPU_AMD") return true;
  for (std::string_view part : split(identifier, '_')) {
    if (part == "HIP" || part == "ROCM" || part == "HIPCC" || part == "hip" || part == "rocm" || part == "HIPBLAS" || part == "USEHIP") return true;
  }
  return false;
}

void SourceFacts::judgeBranches() {
  branch.assign(tokens.size(), Branch::Plain);
  // Chains come in order of their opening, so an inner chain overwrites what an outer one wrote, unless the outer one already decided.
  for (const Chain& chain : collectChains(*this)) {
    if (isIncludeGuard(*this, chain)) continue;
    std::vector<Branch> arms = judgeChain(*this, chain);
    for (std::size_t i = 0; i < arms.size(); ++i) {
      if (arms[i] == Branch::Plain) continue;
      TokenIndex from = directives[chain.directives[i]].last;
      TokenIndex to = i + 1 < chain.directives.size() ? directives[chain.directives[i + 1]].first : static_cast<TokenIndex>(tokens.size());
      // An arm lies wholly inside one outer arm: its first token tells whether that one has decided (keeps deep nesting linear).
      if (from >= to || branch[from] != Branch::Plain) continue;
      std::fill(branch.begin() + from, branch.begin() + to, arms[i]);
    }
  }
}

}  // namespace unwarp::scan
