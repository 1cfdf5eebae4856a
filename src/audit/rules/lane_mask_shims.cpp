// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shims live where code is compiled for AMD, so only AMD branches and files that include HIP are looked at; the same
// macro under a CUDA version test serves old CUDA and is none of our business. A shuffle shim that hands the width on
// is harmless: HIP's shuffles ignore the mask anyway.
#include "audit/rules/lane_mask_shims.h"

#include <algorithm>

#include "audit/rules/patterns.h"
#include "base/text.h"

namespace unwarp::audit {

namespace {

using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

bool servesAmd(const SourceFacts& facts, TokenIndex t) {
  return facts.branch[t] == scan::Branch::HipOnly || (facts.includesHip && facts.branch[t] == scan::Branch::Plain);
}

struct Shim {
  TokenIndex name = noToken;
  TokenRange parameters;
  TokenRange body;
};

std::vector<Shim> shims(const SourceFacts& facts) {
  std::vector<Shim> result;
  for (const scan::Directive& directive : facts.directives) {
    TokenIndex name = directive.first + 2;
    if (directive.name != "define" || name >= directive.last || !facts.at(name).starts_with("__") ||
        !servesAmd(facts, name))
      continue;
    TokenIndex open = name + 1;
    bool functionLike = open < directive.last && facts.is(open, "(") &&
                        facts.tokens[open].offset == facts.tokens[name].offset + facts.tokens[name].length;
    if (!functionLike) {
      if (facts.is(name, "__syncwarp")) result.push_back({name, {}, {open, directive.last}});
      continue;
    }
    TokenIndex close = open;
    while (close < directive.last && !facts.is(close, ")")) ++close;
    result.push_back({name, {open + 1, close}, {std::min(close + 1, directive.last), directive.last}});
  }
  for (const scan::Function& function : facts.functions) {
    if (!function.name.starts_with("__") || function.nameToken >= facts.tokens.size()) continue;
    bool defined = function.body.begin > function.parameters.end && function.body.begin != 0;
    if (defined && servesAmd(facts, function.nameToken))
      result.push_back({function.nameToken, function.parameters, function.body});
  }
  return result;
}

/// Name of the first parameter: last identifier before the first comma.
std::string_view firstParameter(const SourceFacts& facts, TokenRange parameters) {
  std::vector<TokenRange> all = facts.splitArguments(parameters);
  if (all.empty() || all[0].empty()) return {};
  for (TokenIndex t = all[0].end; t > all[0].begin; --t) {
    if (facts.isIdentifier(t - 1)) return facts.at(t - 1);
  }
  return {};
}

bool mentionsNarrowCast(const SourceFacts& facts, TokenRange body) {
  for (TokenIndex t = body.begin; t < body.end; ++t) {
    std::string_view word = facts.at(t);
    bool narrow = word == "unsigned" || word == "uint32_t" || word == "int";
    if (narrow && (facts.is(t + 1, ")") || facts.is(t + 1, "(") || facts.is(t + 1, ">") || facts.is(t + 1, "int")))
      return true;
  }
  return false;
}

}  // namespace

void detectShim(const SourceFacts& facts, Hits& hits) {
  for (const Shim& shim : shims(facts)) {
    std::string_view name = facts.at(shim.name);
    if (!patterns::isCollectiveName(name) || name == "__syncwarp" || name == "__activemask") continue;
    bool shuffle = name.starts_with("__shfl");
    std::string_view mask = firstParameter(facts, shim.parameters);
    bool dropped = name.ends_with("_sync") && !mask.empty() && !patterns::usesName(facts, shim.body, mask);
    bool shifted = false;
    for (TokenIndex t = shim.body.begin; t < shim.body.end; ++t) shifted |= facts.is(t, ">>");
    bool narrowed = name.starts_with("__ballot") && !shifted && mentionsNarrowCast(facts, shim.body);
    bool passesAll = patterns::usesName(facts, shim.body, "__VA_ARGS__");  // (mask, ...): the width is among the rest
    for (TokenIndex t = shim.parameters.begin + 1; t < shim.parameters.end && !passesAll; ++t)  // (mask, rest...)
      passesAll =
          facts.is(t, ".") && facts.isIdentifier(t - 1) && patterns::usesName(facts, shim.body, facts.at(t - 1));
    bool passesWidth = passesAll || facts.splitArguments(shim.parameters).size() >= 4;
    if (shuffle ? (dropped && !passesWidth) : ((dropped && !shifted) || narrowed)) {
      hits.add(shim.name, "shim of " + std::string(name) +
                              (narrowed ? " narrows the mask to 32 bits" : " drops the mask") +
                              ": lanes outside the caller's group take part");
    }
  }
}

void detectEmptySync(const SourceFacts& facts, Hits& hits) {
  for (const Shim& shim : shims(facts)) {
    if (!facts.is(shim.name, "__syncwarp")) continue;
    bool empty = true;
    for (TokenIndex t = shim.body.begin; t < shim.body.end; ++t) {
      std::string_view word = facts.at(t);
      empty &= word == "(" || word == ")" || word == "void" || word == "0" || word == ";" || word == "do" ||
               word == "while" || word == "{" || word == "}";
    }
    if (empty)
      hits.add(shim.name, "__syncwarp defined to nothing: it was the only ordering between lanes that share memory");
  }
}

}  // namespace unwarp::audit
