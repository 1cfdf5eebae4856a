// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/launch_calls.h"

#include <algorithm>

#include "audit/rules/patterns.h"

namespace unwarp::audit {

namespace {

using scan::Call;
using scan::Function;
using scan::isAny;
using scan::noToken;
using scan::SourceFacts;
using scan::TokenIndex;
using scan::TokenRange;

/// The members of one configuration as they stand at a launch.
class Configuration {
 public:
  Configuration(const SourceFacts& facts, std::string_view name, TokenIndex launch)
      : facts_(facts), name_(name), launch_(launch), function_(facts.enclosing(launch)) {}

  /// The value of `member`; `place` is where it stands in a list of initialisers.
  TokenRange member(std::string_view member, std::size_t place) const {
    if (name_.empty() || function_ == nullptr) return {};
    constexpr int maxMentions = 64;
    auto mentions = facts_.named(name_);
    auto last = std::lower_bound(mentions.begin(), mentions.end(), launch_);
    for (int steps = 0; last != mentions.begin() && steps < maxMentions; ++steps) {
      TokenIndex t = *--last;
      if (!function_->body.contains(t)) return {};
      bool sets =
          isAny(facts_.at(t + 1), {".", "->"}) && facts_.is(t + 2, member) && isAny(facts_.at(t + 3), {"=", ".", "{"});
      if (sets) return isCertain(t) && facts_.is(t + 3, "=") ? initialiserOf(facts_, t + 2) : TokenRange{};
      bool declares = facts_.isIdentifier(t - 1) && !isAny(facts_.at(t - 1), {"return", "else", "case"});
      if (declares) return initialised(t, member, place);
    }
    return {};
  }

 private:
  /// The block of the setting is still open at the launch: no branch that may not have been taken.
  bool isCertain(TokenIndex t) const {
    TokenIndex block = facts_.block[t];
    return block == noToken || facts_.match[block] == noToken || facts_.match[block] > launch_;
  }
  /// `= {grid, block}`, `{.gridDim = grid}`.
  TokenRange initialised(TokenIndex declaration, std::string_view member, std::size_t place) const {
    TokenRange list = initialiserOf(facts_, declaration);
    if (facts_.is(list.begin, "{") && facts_.match[list.begin] == list.end - 1)
      list = {list.begin + 1, list.end - 1};
    else if (!facts_.is(declaration + 1, "{"))
      return {};
    std::vector<TokenRange> values = facts_.splitArguments(list);
    for (TokenRange value : values) {
      bool named = facts_.is(value.begin, ".") && facts_.is(value.begin + 1, member);
      if (named) return {value.begin + (facts_.is(value.begin + 2, "=") ? 3u : 2u), value.end};
    }
    bool positional = place < values.size() && !facts_.is(values[0].begin, ".");
    return positional ? values[place] : TokenRange{};
  }

  const SourceFacts& facts_;
  std::string_view name_;
  TokenIndex launch_;
  const Function* function_;
};

/// `attribute.val.cooperative = 1`, beside an attribute of that kind.
bool setsCooperative(const SourceFacts& facts, TokenIndex launch) {
  const Function* function = facts.enclosing(launch);
  if (function == nullptr ||
      !occursIn(facts, function->body, {"cudaLaunchAttributeCooperative", "CU_LAUNCH_ATTRIBUTE_COOPERATIVE"}))
    return false;
  constexpr int maxMentions = 16;
  auto mentions = facts.named("cooperative");
  auto last = std::lower_bound(mentions.begin(), mentions.end(), launch);
  for (int steps = 0; last != mentions.begin() && steps < maxMentions; ++steps) {
    TokenIndex t = *--last;
    if (!function->body.contains(t)) return false;
    if (!facts.is(t + 1, "=")) continue;
    if (facts.is(t + 2, "true") || constantOf(facts, initialiserOf(facts, t)).value_or(0) != 0) return true;
  }
  return false;
}

/// The product of three dimensions that are arguments of their own.
std::optional<BlockShape> blockOf(const SourceFacts& facts, TokenRange x, TokenRange y, TokenRange z) {
  BlockShape shape;
  for (TokenRange extent : {x, y, z}) {
    auto value = extent.empty() ? std::nullopt : constantOf(facts, extent);
    if (!value || *value <= 0 || *value > 65536) return std::nullopt;
    if (extent.begin == x.begin) shape.x = *value;
    shape.total *= *value;
  }
  return shape;
}

LaunchCall byConfiguration(const SourceFacts& facts, const Call& call) {
  Configuration configuration(facts, namedVariable(facts, call.arguments[0]), call.name);
  LaunchCall launch{call.name, namedVariable(facts, call.arguments[1]), {}, {}, setsCooperative(facts, call.name)};
  if (facts.at(call.name).starts_with("cuda")) {
    launch.grid = configuration.member("gridDim", 0);
    launch.block = blockShape(facts, configuration.member("blockDim", 1));
  } else {
    launch.grid = configuration.member("gridDimX", 0);
    launch.block = blockOf(facts, configuration.member("blockDimX", 3), configuration.member("blockDimY", 4),
                           configuration.member("blockDimZ", 5));
  }
  return launch;
}

LaunchCall byArguments(const SourceFacts& facts, const Call& call) {
  const auto& arguments = call.arguments;
  LaunchCall launch{call.name, namedVariable(facts, arguments[0]), arguments[1], {}, false};
  launch.cooperative = facts.at(call.name).find("Cooperative") != std::string_view::npos;
  if (facts.at(call.name).starts_with("cuda"))
    launch.block = blockShape(facts, arguments[2]);
  else if (arguments.size() > 6)
    launch.block = blockOf(facts, arguments[4], arguments[5], arguments[6]);
  return launch;
}

}  // namespace

std::vector<LaunchCall> launchCalls(const SourceFacts& facts) {
  std::vector<LaunchCall> result;
  for (const Call& call : facts.calls(
           {"cudaLaunchKernel", "cudaLaunchCooperativeKernel", "cuLaunchKernel", "cuLaunchCooperativeKernel"})) {
    if (call.arguments.size() >= 4 && !isDefinition(facts, call)) result.push_back(byArguments(facts, call));
  }
  for (const Call& call : facts.calls({"cudaLaunchKernelEx", "cudaLaunchKernelExC", "cuLaunchKernelEx"})) {
    if (call.arguments.size() >= 2 && !isDefinition(facts, call)) result.push_back(byConfiguration(facts, call));
  }
  std::sort(result.begin(), result.end(), [](const LaunchCall& a, const LaunchCall& b) { return a.name < b.name; });
  return result;
}

}  // namespace unwarp::audit
