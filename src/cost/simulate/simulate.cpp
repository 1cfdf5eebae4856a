// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/simulate/simulate.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>

#include "cost/simulate/order.h"
#include "cost/simulate/sensitivity.h"
#include "cost/simulate/workload_run.h"

namespace unwarp::cost::simulate {

namespace {

double meanOf(const Column& column) {
  return std::accumulate(column.begin(), column.end(), 0.0) / static_cast<double>(column.size());
}

/// Months by which the given shares have paid, from counts by month (0: never).
void setBreakEven(const std::vector<std::uint16_t>& months, int horizon, RouteOutcome& outcome) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(horizon) + 1);
  for (std::uint16_t month : months) ++counts[month];
  outcome.probabilityNever = static_cast<double>(counts[0]) / static_cast<double>(months.size());
  auto by = [&](double share) -> std::optional<int> {
    double wanted = share * static_cast<double>(months.size()), sum = 0;
    for (std::size_t m = 1; m < counts.size(); ++m)
      if ((sum += static_cast<double>(counts[m])) >= wanted) return static_cast<int>(m);
    return std::nullopt;
  };
  outcome.breakEvenP10 = by(0.1);
  outcome.breakEvenP50 = by(0.5);
  outcome.breakEvenP80 = by(0.8);
  outcome.breakEvenP90 = by(0.9);
}

void setOutcome(const OptionTrials& trials, int horizon, RouteOutcome& outcome) {
  outcome.hours = quantilesOf(trials.hours);
  outcome.oneOff = quantilesOf(trials.oneOff);
  outcome.npv = quantilesOf(trials.npv);
  setBreakEven(trials.breakEven, horizon, outcome);
  auto positive = std::count_if(trials.npv.begin(), trials.npv.end(), [](double value) { return value > 0; });
  outcome.probabilityPositive = static_cast<double>(positive) / static_cast<double>(trials.npv.size());
}

WorkloadOutcome outcomeOf(const Inputs& inputs, const Workload& workload) {
  WorkloadOutcome outcome{workload.name, {}, 0, std::nullopt, {}, {}};
  for (const Target& target : workload.targets) {
    TargetOutcome& to = outcome.targets.emplace_back(TargetOutcome{target.name, {}});
    for (const Route& route : target.routes) {
      to.routes.emplace_back().name = route.name;
      to.routes.back().feasible = route.feasible;
    }
  }
  WorkloadRun run(inputs, workload);
  Column bestOfTrial(inputs.trials, 0.0);  // staying has an NPV of 0
  std::vector<Column> npv(run.options());
  OptionTrials trials;
  auto routeOf = [&](std::size_t i) -> RouteOutcome& {
    return outcome.targets[run.option(i).target].routes[run.option(i).route];
  };
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < run.options(); ++i) {
    run.evaluate(i, inputs.trials, trials);
    setOutcome(trials, inputs.horizonMonths, routeOf(i));
    for (std::size_t t = 0; t < inputs.trials; ++t) bestOfTrial[t] = std::max(bestOfTrial[t], trials.npv[t]);
    npv[i] = trials.npv;
    if (!best || routeOf(i).npv.mean > routeOf(*best).npv.mean) best = i;
  }
  outcome.regretOfStay = meanOf(bestOfTrial);
  for (std::size_t i = 0; i < run.options(); ++i) routeOf(i).regret = outcome.regretOfStay - routeOf(i).npv.mean;
  if (!best) return outcome;
  outcome.best = run.option(*best);
  outcome.sensitivities = sensitivitiesOf(run, *best, npv);
  outcome.measureFirst = worthMeasuring(outcome.sensitivities, 3);
  return outcome;
}

/// Whether a distribution can give values outside [low, infinity).
bool mayFallBelow(const Quantity& quantity, double low) {
  return quantity.quantile(1e-6) < low;
}

std::string checkWorkload(const Workload& workload) {
  auto positive = [](const Quantity& q) { return !mayFallBelow(q, 1e-12); };
  if (!positive(workload.utilisation) && workload.utilisation.distribution.shape != Shape::Beta)
    return workload.name + ": utilisation can be 0 or less; give a range above 0";
  if (!positive(workload.currentRate))
    return workload.name + ": the current rate can be 0 or less; give units per GPU and hour above 0";
  if (mayFallBelow(workload.currentPrice, 0) || mayFallBelow(workload.demandPerMonth, 0))
    return workload.name + ": the current price or the demand can be negative";
  for (const Target& target : workload.targets) {
    if (target.routes.empty()) continue;
    if (!positive(target.rate))
      return workload.name + " on " + target.name + ": the rate can be 0 or less; give units per GPU and hour above 0";
    if (mayFallBelow(target.price, 0)) return workload.name + " on " + target.name + ": the price can be negative";
  }
  return {};
}

std::string check(const Inputs& inputs) {
  if (inputs.trials < 10 || inputs.trials > 10'000'000) return "trials must be 10 to 10000000";
  if (inputs.horizonMonths < 1 || inputs.horizonMonths > 600) return "the horizon must be 1 to 600 months";
  if (!(inputs.teamHoursPerMonth > 0)) return "the team must give hours to the port: more than 0 a month";
  if (!(inputs.earliestMonth >= 0)) return "the earliest month must be at least 0";
  if (!(inputs.discountPerYear > -1)) return "the discount rate must lie above -100 %";
  for (const Workload& workload : inputs.workloads)
    if (std::string why = checkWorkload(workload); !why.empty()) return why;
  return {};
}

}  // namespace

Result<std::vector<WorkloadOutcome>> simulate(const Inputs& inputs) {
  if (std::string why = check(inputs); !why.empty()) return Error{"simulation: " + why};
  std::vector<WorkloadOutcome> outcomes(inputs.workloads.size());
  std::atomic<std::size_t> next{0};
  auto work = [&] {
    for (std::size_t i = next++; i < outcomes.size(); i = next++) outcomes[i] = outcomeOf(inputs, inputs.workloads[i]);
  };
  std::vector<std::thread> others;
  for (unsigned t = 1; t < std::min<std::size_t>(inputs.threads, outcomes.size()); ++t) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return outcomes;
}

}  // namespace unwarp::cost::simulate
