// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which workload runs on which pool of GPUs. A workload runs in one place, so the GPUs it needs there are a constant,
// need(w,g) = ceil(demand / (rate per GPU x utilisation)), and the program is
//     min  sum port(w,g) x(w,g) + discount x hours x sum price(g) n(g) + sum stack(g) y(g)
//     s.t. sum_g x(w,g) = 1           each workload has one place, only where it may run
//          n(g) >= sum_w need(w,g) x(w,g), n(g) >= committed(g), n(g) >= order(g) y(g), n(g) <= capacity(g)
//          x(w,g) <= y(g)             a pool in use costs its stack
// with x and y binary, and optionally: workloads kept together or apart, regions, a budget. Of plans that cost the same
// the one with fewest moves is taken. COIN-OR CBC solves it in this process.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace unwarp::cost::fleet {

/// GPUs of one kind in one place.
struct Pool {
  std::string name;
  std::string region;             ///< what residency refers to; empty: anywhere
  double pricePerHour = 0;        ///< per GPU
  std::int64_t capacity = 0;      ///< the most GPUs that can be had
  std::int64_t committed = 0;     ///< paid for whether used or not: a contract that runs
  std::int64_t minimumOrder = 0;  ///< the fewest GPUs once the pool is used
  double stackCost = 0;           ///< of keeping this software stack over the horizon, once the pool is used
};

/// A workload on a pool.
struct Place {
  bool allowed = true;
  double ratePerHour = 0;  ///< units per GPU and hour; 0: it does not run there
  double portCost = 0;     ///< to get it there
};

struct Workload {
  std::string name;
  double demandPerHour = 0;          ///< in the unit of the rates
  std::size_t home = 0;              ///< pool where it runs now
  std::vector<std::string> regions;  ///< residency; empty: any
  std::vector<Place> places;         ///< one per pool
};

struct Problem {
  std::vector<Pool> pools;
  std::vector<Workload> workloads;
  double hours = 0;           ///< of the horizon
  double discountFactor = 1;  ///< mean of the discount factors over the horizon
  double utilisation = 1;     ///< share of a GPU's rate that can be planned with, in (0, 1]
  std::vector<std::pair<std::size_t, std::size_t>> together, apart;  ///< workloads
  std::optional<double> portBudget, totalBudget;
};

struct Plan {
  std::vector<std::size_t> pool;       ///< of each workload
  std::vector<std::int64_t> gpus;      ///< of each workload
  std::vector<std::int64_t> poolGpus;  ///< paid for, of each pool
  double portCost = 0, runCost = 0, stackCost = 0;
  double cost() const { return portCost + runCost + stackCost; }
  /// Workloads that leave their home.
  std::vector<std::size_t> moves(const Problem& problem) const;
};

/// Empty, or what is wrong: names, shares, negative numbers, a home that does not exist.
std::string check(const Problem& problem);

/// GPUs a workload needs on a pool; nothing where it may not run.
std::optional<std::int64_t> gpusNeeded(const Problem& problem, std::size_t workload, std::size_t pool);

/// What an assignment costs; nothing when it breaks a constraint.
std::optional<Plan> planOf(const Problem& problem, const std::vector<std::size_t>& pool);

/// The cheapest plan. An error says what is wrong with the problem, or why no plan exists: a workload without place,
/// the pool that lacks GPUs and how many, a rule about neighbours, the budget and the cheapest plan without it.
Result<Plan> solve(const Problem& problem);

/// One solution per scenario (the same problem with other port costs: P20, P50, P80), and what holds in all of them.
struct Robust {
  std::vector<Plan> scenarios;
  std::vector<std::size_t> moves;    ///< that appear in every scenario, to the same pool
  std::vector<std::size_t> differs;  ///< workloads that the scenarios put into different pools
  Plan plan;                         ///< at the numbers of the last scenario
  /// The plan is these moves and no other. Where that breaks a capacity or a rule it is the scenario's plan with the
  /// least regret: the most, over the scenarios, by which it costs more than the best of that scenario.
  bool commonMovesOnly = true;
  double regret = 0;  ///< of `plan`
};
Result<Robust> solveRobust(std::span<const Problem> scenarios);

/// The program as CPLEX LP text, for any other solver: the same bytes for the same problem.
std::string lpText(const Problem& problem);

}  // namespace unwarp::cost::fleet
