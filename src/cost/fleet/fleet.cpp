// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/fleet/fleet.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "cost/fleet/cbc.h"
#include "cost/quantity.h"

namespace unwarp::cost::fleet {

namespace {

bool isAmount(double value) {
  return std::isfinite(value) && value >= 0;
}

std::string checkPool(const Pool& pool) {
  if (!isAmount(pool.pricePerHour)) return "price of " + pool.name + " must be at least 0";
  if (!isAmount(pool.stackCost)) return "stack cost of " + pool.name + " must be at least 0";
  if (pool.capacity < 0 || pool.committed < 0 || pool.minimumOrder < 0)
    return "counts of GPUs of " + pool.name + " must be at least 0";
  if (pool.committed > pool.capacity)
    return pool.name + " has " + std::to_string(pool.committed) + " GPUs committed but a capacity of " +
           std::to_string(pool.capacity) + "; raise the capacity or lower the commitment";
  return {};
}

std::string checkWorkload(const Problem& problem, const Workload& workload) {
  if (!isAmount(workload.demandPerHour)) return "demand of " + workload.name + " must be at least 0";
  if (workload.places.size() != problem.pools.size())
    return workload.name + " says nothing about some pools: one place per pool is needed";
  if (workload.home >= problem.pools.size()) return "home of " + workload.name + " is no pool";
  for (const Place& place : workload.places)
    if (!isAmount(place.ratePerHour) || !isAmount(place.portCost))
      return "rates and port costs of " + workload.name + " must be at least 0";
  return {};
}

template <class Named>
std::string checkNames(const std::vector<Named>& items, const std::string& what) {
  std::set<std::string> seen;
  for (const Named& item : items) {
    if (item.name.empty()) return "a " + what + " has no name";
    if (!seen.insert(item.name).second) return "two " + what + "s are called " + item.name;
  }
  return {};
}

/// Why there is no plan; the relaxations are tried from the narrowest cause to the widest.
std::string explain(const Problem& problem) {
  for (std::size_t w = 0; w < problem.workloads.size(); ++w) {
    bool any = false;
    for (std::size_t g = 0; g < problem.pools.size(); ++g) any = any || gpusNeeded(problem, w, g).has_value();
    if (!any)
      return problem.workloads[w].name + " may run on no pool; allow one, or give its rate or a region where it may be";
  }
  Problem relaxed = problem;
  relaxed.portBudget = relaxed.totalBudget = std::nullopt;
  if (auto plan = runCbc(relaxed))
    return "the budget does not suffice: the cheapest plan costs " + significant(plan->cost(), 7) + ", of which " +
           significant(plan->portCost, 7) + " is porting; raise the budget";
  relaxed.together.clear();
  relaxed.apart.clear();
  if (runCbc(relaxed)) return "the rules of what runs together and apart contradict the capacities; drop one of them";
  std::string lacking;
  if (auto plan = runCbc(withoutCapacity(relaxed)))
    for (std::size_t g = 0; g < problem.pools.size(); ++g)
      if (plan->poolGpus[g] > problem.pools[g].capacity)
        lacking += (lacking.empty() ? "" : ", ") + problem.pools[g].name + " lacks " +
                   std::to_string(plan->poolGpus[g] - problem.pools[g].capacity) + " GPUs";
  return "there are not enough GPUs: " + lacking + "; raise the capacity or lower the demand";
}

/// By how much an assignment costs more than the best of a scenario, at most; nothing when it breaks a rule in one.
std::optional<double> regretOf(const std::vector<std::size_t>& pool, std::span<const Problem> scenarios,
                               const std::vector<Plan>& best) {
  double most = 0;
  for (std::size_t s = 0; s < scenarios.size(); ++s) {
    auto plan = planOf(scenarios[s], pool);
    if (!plan) return std::nullopt;
    most = std::max(most, plan->cost() - best[s].cost());
  }
  return most;
}

}  // namespace

std::vector<std::size_t> Plan::moves(const Problem& problem) const {
  std::vector<std::size_t> moved;
  for (std::size_t w = 0; w < pool.size(); ++w)
    if (pool[w] != problem.workloads[w].home) moved.push_back(w);
  return moved;
}

std::string check(const Problem& problem) {
  if (problem.pools.empty() || problem.workloads.empty()) return "there must be a pool and a workload";
  if (std::string why = checkNames(problem.pools, "pool"); !why.empty()) return why;
  if (std::string why = checkNames(problem.workloads, "workload"); !why.empty()) return why;
  if (!isAmount(problem.hours) || !isAmount(problem.discountFactor)) return "hours and discount must be at least 0";
  if (problem.discountFactor > 1)
    return "discount_factor must be at most 1: the mean factor over the horizon, 0.87 for 8 % over 3 years";
  if (!(problem.utilisation > 0 && problem.utilisation <= 1)) return "utilisation must lie above 0 and at most at 1";
  for (const Pool& pool : problem.pools)
    if (std::string why = checkPool(pool); !why.empty()) return why;
  for (const Workload& workload : problem.workloads)
    if (std::string why = checkWorkload(problem, workload); !why.empty()) return why;
  for (const auto* pairs : {&problem.together, &problem.apart})
    for (auto [a, b] : *pairs)
      if (a >= problem.workloads.size() || b >= problem.workloads.size())
        return "a rule names a workload that is not there";
      else if (a == b)
        return "a rule pairs " + problem.workloads[a].name + " with itself; name two workloads";
  for (const auto& budget : {problem.portBudget, problem.totalBudget})
    if (budget && !isAmount(*budget)) return "a budget must be at least 0";
  return {};
}

std::optional<std::int64_t> gpusNeeded(const Problem& problem, std::size_t workload, std::size_t pool) {
  const Workload& w = problem.workloads[workload];
  const Place& place = w.places[pool];
  const std::string& region = problem.pools[pool].region;
  bool resident = w.regions.empty() || std::find(w.regions.begin(), w.regions.end(), region) != w.regions.end();
  if (!place.allowed || !resident || place.ratePerHour <= 0) return std::nullopt;
  double exact = w.demandPerHour / (place.ratePerHour * problem.utilisation);
  if (exact > 1e9) return std::nullopt;
  return static_cast<std::int64_t>(std::ceil(exact - 1e-9));  // 12.000000000001 is rounding, not a thirteenth GPU
}

std::optional<Plan> planOf(const Problem& problem, const std::vector<std::size_t>& pool) {
  Plan plan;
  plan.pool = pool;
  std::vector<bool> used(problem.pools.size());
  plan.poolGpus.assign(problem.pools.size(), 0);
  for (std::size_t w = 0; w < pool.size(); ++w) {
    auto gpus = gpusNeeded(problem, w, pool[w]);
    if (!gpus) return std::nullopt;
    plan.gpus.push_back(*gpus);
    plan.poolGpus[pool[w]] += *gpus;
    plan.portCost += problem.workloads[w].places[pool[w]].portCost;
    used[pool[w]] = true;
  }
  for (std::size_t g = 0; g < problem.pools.size(); ++g) {
    const Pool& p = problem.pools[g];
    plan.poolGpus[g] = std::max({plan.poolGpus[g], p.committed, used[g] ? p.minimumOrder : 0});
    if (plan.poolGpus[g] > p.capacity) return std::nullopt;
    plan.runCost += problem.discountFactor * problem.hours * p.pricePerHour * static_cast<double>(plan.poolGpus[g]);
    if (used[g]) plan.stackCost += p.stackCost;
  }
  for (auto [a, b] : problem.together)
    if (pool[a] != pool[b]) return std::nullopt;
  for (auto [a, b] : problem.apart)
    if (pool[a] == pool[b]) return std::nullopt;
  constexpr double rounding = 1e-6;
  if (problem.portBudget && plan.portCost > *problem.portBudget + rounding) return std::nullopt;
  if (problem.totalBudget && plan.cost() > *problem.totalBudget + rounding) return std::nullopt;
  return plan;
}

Result<Plan> solve(const Problem& problem) {
  if (std::string why = check(problem); !why.empty()) return Error{"fleet: " + why};
  if (auto plan = runCbc(problem)) return *plan;
  return Error{"fleet: no plan: " + explain(problem)};
}

Result<Robust> solveRobust(std::span<const Problem> scenarios) {
  if (scenarios.empty()) return Error{"fleet: no scenario"};
  Robust robust;
  for (const Problem& scenario : scenarios) {
    if (scenario.workloads.size() != scenarios[0].workloads.size())
      return Error{"fleet: scenarios differ in workloads"};
    auto plan = solve(scenario);
    if (!plan) return Error{plan.error()};
    robust.scenarios.push_back(std::move(*plan));
  }
  const Problem& last = scenarios.back();
  Problem fixed = last;
  for (std::size_t w = 0; w < last.workloads.size(); ++w) {
    std::size_t place = robust.scenarios[0].pool[w];
    bool same = std::all_of(robust.scenarios.begin(), robust.scenarios.end(),
                            [&](const Plan& plan) { return plan.pool[w] == place; });
    if (!same) {
      place = last.workloads[w].home;
      robust.differs.push_back(w);
    }
    if (same && place != last.workloads[w].home) robust.moves.push_back(w);
    for (std::size_t g = 0; g < fixed.pools.size(); ++g) fixed.workloads[w].places[g].allowed &= g == place;
  }
  if (auto plan = runCbc(fixed)) {
    robust.plan = std::move(*plan);
    robust.regret = regretOf(robust.plan.pool, scenarios, robust.scenarios).value_or(0);
    return robust;
  }
  robust.commonMovesOnly = false;
  std::optional<double> least;
  for (const Plan& plan : robust.scenarios) {
    auto regret = regretOf(plan.pool, scenarios, robust.scenarios);
    if (!regret || (least && *regret >= *least)) continue;
    least = regret;
    robust.plan = *planOf(last, plan.pool);
  }
  if (!least)
    return Error{"fleet: no plan: no scenario's plan stays within the budget in all of them; raise the budget to " +
                 significant(robust.scenarios.back().cost(), 7) + " or drop it"};
  robust.regret = *least;
  return robust;
}

}  // namespace unwarp::cost::fleet
