// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effort, money and payback of every route to every target as distributions. One trial draws each uncertain number
// once: what a workload has in common (its demand, the luck of a port) is the same draw under every route and target,
// and three latent factors (skill, maturity of the toolchain, organisation) move all efforts together; so differences
// between routes are differences of routes. Draws are functions of (seed, variable, trial): the number of threads
// cannot be seen in a result.
//
// Money of a month t, in the buyer's currency: demand x (current cost - target cost) x growth and price drift to the
// t-th power, minus the second stack; discounted, from the month in which the port is done. The one-off cost comes
// first. Break-even is the first month at whose end the discounted sum is not negative.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cost/quantity.h"

namespace unwarp::cost::simulate {

/// Factors with median 1 that all efforts of a trial share.
enum class Latent : std::uint8_t { Skill, Toolchain, Organisation };
inline constexpr std::array<std::string_view, 3> latentNames{"skill", "toolchain", "organisation"};

/// Hours of one class of work. Parts of one name share their luck over routes and targets.
struct EffortPart {
  std::string name;  ///< "porting"
  Quantity hours;
  std::array<bool, 3> moves{};  ///< which latent factors multiply it
};

struct Route {
  std::string name;
  bool feasible = true;  ///< an infeasible route is left out
  std::vector<EffortPart> parts;
  Quantity oneOffMoney;  ///< pilot hours, licences, double running
  Quantity yearlyHours;  ///< upkeep of a copied code base
};

struct Target {
  std::string name;
  Quantity price;          ///< per GPU and hour
  Quantity rate;           ///< units of demand per GPU and hour at full use
  Quantity stackPerMonth;  ///< money for keeping a second stack
  std::vector<Route> routes;
};

struct Workload {
  std::string name;
  Quantity demandPerMonth;  ///< units
  Quantity growthPerYear;   ///< share: 0.2 is 20 %
  Quantity utilisation;     ///< share of a paid hour that serves, on both sides
  Quantity currentPrice, currentRate;
  std::vector<Target> targets;
};

struct Inputs {
  std::uint64_t seed = 1;
  std::size_t trials = 10'000;
  unsigned threads = 2;
  int horizonMonths = 36;
  double discountPerYear = 0.08;
  double teamHoursPerMonth = 160;   ///< what the team gives to the port; decides when savings begin
  Quantity moneyPerHour;            ///< of an engineer
  Quantity overhead;                ///< share on GPU prices
  Quantity driftPerYear;            ///< of GPU prices: -0.15 is 15 % cheaper each year
  std::array<Quantity, 3> latents;  ///< by Latent
  std::vector<Workload> workloads;
};

struct Quantiles {
  double p10 = 0, p20 = 0, p50 = 0, p80 = 0, p90 = 0, mean = 0;
};

struct RouteOutcome {
  std::string name;
  bool feasible = true;  ///< all else is 0 where it is not
  Quantiles hours, oneOff, npv;
  /// Month of break-even such that 10, 50, 80, 90 % of the trials have paid by it; nothing: not within the horizon.
  std::optional<int> breakEvenP10, breakEvenP50, breakEvenP80, breakEvenP90;
  double probabilityNever = 0;     ///< not within the horizon
  double probabilityPositive = 0;  ///< NPV above 0
  double regret = 0;               ///< mean of what the best option of each trial has more
};

struct TargetOutcome {
  std::string name;
  std::vector<RouteOutcome> routes;
};

/// How one input moves the NPV of the best option.
struct Sensitivity {
  std::string name;
  double npvAtP10 = 0, npvAtP90 = 0;  ///< median NPV with the input at its 10 % and 90 % point
  double rankCorrelation = 0;         ///< of input and NPV (Spearman)
  double firstOrder = 0;              ///< share of the NPV's variance that it explains alone (Sobol)
  double informationValue = 0;        ///< what knowing it before the decision is worth on average
  double swing() const { return npvAtP90 > npvAtP10 ? npvAtP90 - npvAtP10 : npvAtP10 - npvAtP90; }
};

struct Option {
  std::size_t target = 0, route = 0;
};

struct WorkloadOutcome {
  std::string name;
  std::vector<TargetOutcome> targets;
  double regretOfStay = 0;
  std::optional<Option> best;              ///< highest mean NPV among the feasible ones; nothing when none is
  std::vector<Sensitivity> sensitivities;  ///< of `best`, largest swing first
  std::vector<std::string> measureFirst;   ///< up to three inputs whose knowledge is worth most
};

/// Fails on inputs that no trial can use: no trials, a horizon outside 1..600 months, a rate or utilisation that can be
/// 0, negative prices.
Result<std::vector<WorkloadOutcome>> simulate(const Inputs& inputs);

}  // namespace unwarp::cost::simulate
