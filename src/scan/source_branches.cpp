// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tokens are already ported? A chain `#if ... #elif ... #else ... #endif` that mentions HIP or ROCm has an AMD
// branch and a CUDA branch; code in either is handled and is counted apart. Each condition is evaluated twice, once in
// a build for AMD (HIP macros set) and once in a build for CUDA (HIP macros absent), with everything else unknown: an
// arm that only one of the two can reach belongs to it, `A || HIP` belongs to both. See conditions.h for the
// evaluation. Where no condition of a chain speaks for AMD, one arm that calls HIP next to one that calls CUDA does.
#include <algorithm>

#include "base/text.h"
#include "scan/conditions.h"
#include "scan/source_facts.h"

namespace unwarp::scan {

namespace {

struct Chain {
  std::vector<std::size_t> directives;  ///< the opening one, #elif, #else, #endif
};

/// What is known of a condition in the two builds.
struct Worlds {
  Truth amd = Truth::Unknown, cuda = Truth::Unknown;
};

Worlds judgeDirective(const SourceFacts& facts, const Directive& directive) {
  TokenRange condition{directive.first + 2, directive.last};
  if (directive.name == "if" || directive.name == "elif")
    return {evaluateCondition(facts, condition, Build::Amd), evaluateCondition(facts, condition, Build::Cuda)};
  if (condition.empty()) return {};
  Worlds defined{macroDefined(facts.at(condition.begin), Build::Amd),
                 macroDefined(facts.at(condition.begin), Build::Cuda)};
  if (directive.name == "ifdef" || directive.name == "elifdef") return defined;
  return {negate(defined.amd), negate(defined.cuda)};
}

Branch toBranch(Worlds arm) {
  if (arm.amd == Truth::False) return arm.cuda == Truth::False ? Branch::Dead : Branch::CudaOnly;
  return arm.cuda == Truth::False ? Branch::HipOnly : Branch::Plain;
}

/// The branch of each arm of one chain.
std::vector<Branch> judgeChain(const SourceFacts& facts, const Chain& chain) {
  std::vector<Branch> arms;
  Worlds before{Truth::False, Truth::False};  // whether an earlier arm was taken
  std::size_t hipArms = 0, lastHip = 0;
  for (std::size_t d : chain.directives) {
    const Directive& directive = facts.directives[d];
    if (directive.name == "endif") break;
    Worlds own{Truth::True, Truth::True};
    if (directive.name != "else") own = judgeDirective(facts, directive);
    Branch arm = toBranch({both(negate(before.amd), own.amd), both(negate(before.cuda), own.cuda)});
    // After an arm for both (`#if CUDA || HIP ... #else`) comes what is for neither.
    if (arm == Branch::CudaOnly && own.amd != Truth::False && !hipArms) arm = Branch::Plain;
    if (arm == Branch::HipOnly) ++hipArms;
    if (arm == Branch::HipOnly && directive.name != "else") lastHip = arms.size();
    arms.push_back(arm);
    before = {either(before.amd, own.amd), either(before.cuda, own.cuda)};
  }
  // `#ifdef USE_CUDA ... #elif USE_HIP`: what stands before the AMD arm has its sibling there.
  for (std::size_t i = 0; i < lastHip; ++i)
    if (arms[i] == Branch::Plain) arms[i] = Branch::CudaOnly;
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

/// Places of calls that only one of the two platforms has, sorted.
struct PlatformCalls {
  std::vector<TokenIndex> hip, cuda;

  explicit PlatformCalls(const SourceFacts& facts) {
    for (TokenIndex t = 0; t + 1 < facts.tokens.size(); ++t) {
      if (!facts.isIdentifier(t) || facts.tokens[t].directive || !facts.is(t + 1, "(")) continue;
      std::string_view word = facts.at(t);
      auto camel = [&](std::size_t prefix) {
        return word.size() > prefix && word[prefix] >= 'A' && word[prefix] <= 'Z';
      };
      if (word.starts_with("hiprtc") || (word.starts_with("hip") && camel(3))) hip.push_back(t);
      if (word.starts_with("nvrtc") || (word.starts_with("cuda") && camel(4)) || (word.starts_with("cu") && camel(2)))
        cuda.push_back(t);
    }
  }
  static bool any(const std::vector<TokenIndex>& calls, TokenRange range) {
    auto first = std::lower_bound(calls.begin(), calls.end(), range.begin);
    return first != calls.end() && *first < range.end;
  }
};

/// `#if BACKEND == 1 ... cudaX() ... #elif BACKEND == 2 ... hipX()`: where no macro speaks for AMD, the calls do.
void judgeByCalls(const SourceFacts& facts, const Chain& chain, const PlatformCalls& calls, std::vector<Branch>& arms) {
  if (arms.size() < 2 || calls.hip.empty()) return;
  std::vector<Branch> judged = arms;
  bool hasHip = false, hasCuda = false;
  for (std::size_t i = 0; i < arms.size() && i + 1 < chain.directives.size(); ++i) {
    if (arms[i] != Branch::Plain) return;
    TokenRange arm{facts.directives[chain.directives[i]].last, facts.directives[chain.directives[i + 1]].first};
    bool hip = PlatformCalls::any(calls.hip, arm), cuda = PlatformCalls::any(calls.cuda, arm);
    if (hip == cuda) continue;
    judged[i] = hip ? Branch::HipOnly : Branch::CudaOnly;
    (hip ? hasHip : hasCuda) = true;
  }
  if (hasHip && hasCuda) arms = judged;
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

void SourceFacts::judgeBranches() {
  branch.assign(tokens.size(), Branch::Plain);
  // Chains come in order of their opening, so an inner chain overwrites what an outer one wrote, unless the outer one
  // already decided.
  PlatformCalls calls(*this);
  for (const Chain& chain : collectChains(*this)) {
    if (isIncludeGuard(*this, chain)) continue;
    std::vector<Branch> arms = judgeChain(*this, chain);
    judgeByCalls(*this, chain, calls, arms);
    for (std::size_t i = 0; i < arms.size(); ++i) {
      if (arms[i] == Branch::Plain) continue;
      TokenIndex from = directives[chain.directives[i]].last;
      TokenIndex to = i + 1 < chain.directives.size() ? directives[chain.directives[i + 1]].first
                                                      : static_cast<TokenIndex>(tokens.size());
      // An arm lies wholly inside one outer arm: its first token tells whether that one has decided (keeps deep nesting
      // linear).
      if (from >= to || branch[from] == Branch::Dead) continue;
      if (branch[from] != Branch::Plain && arms[i] != Branch::Dead) continue;
      std::fill(branch.begin() + from, branch.begin() + to, arms[i]);
    }
  }
}

}  // namespace unwarp::scan
