// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One sum per function and instantiation. A variable that two arms of an `#if` declare counts once, with its larger
// size; sums that overflow stay at the largest number.
#include "audit/rules/shared_memory.h"

#include <algorithm>
#include <optional>
#include <set>

#include "audit/rules/token_queries.h"

namespace unwarp::audit {

namespace {

using scan::Bindings;
using scan::Function;
using scan::noToken;
using scan::SharedVariable;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

std::optional<std::int64_t> bytesOf(const SourceFacts& facts, const SharedVariable& variable,
                                    const Bindings& bindings) {
  const auto layout = facts.layoutOf(variable.type, {&bindings});
  if (!layout) return std::nullopt;
  std::int64_t bytes = layout->bytes;
  for (TokenRange extent : variable.extents) {
    auto count = facts.evaluate(extent, {&bindings});
    if (!count) count = constantOf(facts, extent);
    if (!count || *count <= 0 || *count > (1 << 24)) return std::nullopt;
    if (__builtin_mul_overflow(bytes, *count, &bytes)) return std::nullopt;
  }
  return bytes;
}

class Summing {
 public:
  explicit Summing(const SourceFacts& facts) : facts_(facts) {
    for (const SharedVariable& variable : facts.sharedVariables) {
      if (variable.isExtern || !isLive(facts, variable.nameToken)) continue;
      const std::uint32_t function = facts.functionOf[variable.nameToken];
      if (function != noToken) {
        variables_[function].push_back(&variable);
        continue;
      }
      auto [users, isNew] = users_.emplace(facts.at(variable.nameToken), std::set<std::uint32_t>());
      if (isNew) users->second = usersOf(variable);
      for (std::uint32_t user : users->second) variables_[user].push_back(&variable);
    }
  }

  std::map<std::uint32_t, StaticShared> run() const {
    std::map<std::uint32_t, StaticShared> sums;
    for (const auto& [function, variables] : variables_) sums[function] = sumOf(function, variables);
    return sums;
  }

 private:
  using Variables = std::vector<const SharedVariable*>;

  /// Functions that name a variable of the file; it counts by itself when none does.
  std::set<std::uint32_t> usersOf(const SharedVariable& variable) const {
    std::set<std::uint32_t> users;
    for (TokenIndex t : facts_.named(facts_.at(variable.nameToken))) {
      const std::uint32_t f = facts_.functionOf[t];
      if (f != noToken && facts_.functions[f].isDevice) users.insert(f);
    }
    if (users.empty()) users.insert(noToken);
    return users;
  }

  /// The sum under the given arguments; `larger` when several are known.
  StaticShared sumOf(std::uint32_t function, const Variables& variables) const {
    if (function == noToken) return sum(variables, Bindings());
    StaticShared largest;
    bool first = true;
    for (const std::vector<TokenRange>& arguments : instantiations(facts_.functions[function])) {
      Bindings bindings;
      if (!facts_.bind(facts_.functions[function].qualifiers, arguments, nullptr, bindings)) continue;
      const StaticShared one = sum(variables, bindings);
      const TokenIndex unknown = one.unknown != noToken ? one.unknown : largest.unknown;
      if (first || one.total > largest.total) largest = one;
      largest.unknown = unknown;
      first = false;
    }
    return largest;
  }

  StaticShared sum(const Variables& variables, const Bindings& bindings) const {
    StaticShared result;
    std::map<std::pair<std::string_view, TokenIndex>, std::int64_t> byPlace;  // name and block: arms of an `#if`
    for (const SharedVariable* variable : variables) {
      const auto bytes = bytesOf(facts_, *variable, bindings);
      if (!bytes) {
        if (result.unknown == noToken) result.unknown = variable->nameToken;
        continue;
      }
      std::int64_t& place = byPlace[{facts_.at(variable->nameToken), facts_.block[variable->nameToken]}];
      const std::int64_t more = std::max<std::int64_t>(*bytes - place, 0);
      place += more;
      if (__builtin_add_overflow(result.total, more, &result.total)) result.total = INT64_MAX;
      if (*bytes <= result.largest) continue;
      result.largest = *bytes;
      result.token = variable->nameToken;
    }
    return result;
  }

  /// Template arguments that this file gives a function: `k<128><<<...>>>`, `template void k<64>(int*)`; none stands
  /// for the defaults.
  std::vector<std::vector<TokenRange>> instantiations(const Function& function) const {
    constexpr std::size_t mostMentions = 256, most = 32;
    std::vector<std::vector<TokenRange>> result;
    std::set<std::string_view> seen;
    auto mentions = facts_.named(function.name);
    for (TokenIndex t : mentions.first(std::min(mentions.size(), mostMentions))) {
      if (t == function.nameToken || facts_.tokens[t].directive || result.size() >= most) continue;
      std::vector<TokenRange> arguments = facts_.templateArguments(t);
      if (arguments.empty()) continue;
      if (seen.insert(facts_.textOf({arguments.front().begin, arguments.back().end})).second)
        result.push_back(std::move(arguments));
    }
    if (result.empty()) result.emplace_back();
    return result;
  }

  const SourceFacts& facts_;
  std::map<std::string_view, std::set<std::uint32_t>> users_;  ///< of variables at file scope
  std::map<std::uint32_t, Variables> variables_;
};

}  // namespace

std::map<std::uint32_t, StaticShared> staticShared(const SourceFacts& facts) {
  return Summing(facts).run();
}

SharedDemand sharedDemand(const SourceFacts& facts) {
  SharedDemand demand;
  for (const auto& [function, sum] : staticShared(facts)) {
    demand.bytes = std::max(demand.bytes, sum.total);
    demand.unknowns += sum.unknown != noToken ? 1 : 0;
  }
  return demand;
}

}  // namespace unwarp::audit
