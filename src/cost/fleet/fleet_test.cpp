// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The worked cases, a brute-force oracle on random instances, the LP text read back by another reader, and what an
// infeasible plan says.
#include "cost/fleet/fleet.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <CbcModel.hpp>
#include <OsiClpSolverInterface.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "cost/random.h"

namespace unwarp::cost::fleet {
namespace {

Problem worked(std::int64_t capacity, double stack) {
  Problem p;
  p.pools = {{"B200", "", 2.90, 200, 0, 0, 0}, {"MI355X", "", 2.10, capacity, 0, 0, stack}};
  p.workloads = {{"chat", 900, 0, {}, {{true, 46.2, 0}, {true, 47.9, 15'000}}},
                 {"rag", 400, 0, {}, {{true, 46.2, 0}, {true, 47.9, 60'000}}},
                 {"trtllm", 600, 0, {}, {{true, 50, 0}, {false, 1, 400'000}}},
                 {"train", 300, 0, {}, {{true, 40, 0}, {true, 36, 500'000}}}};
  p.hours = 26'280;
  p.discountFactor = 0.87;
  p.utilisation = 0.6;
  return p;
}

std::string movedNames(const Problem& p, const Plan& plan) {
  std::string names;
  for (std::size_t w : plan.moves(p)) names += p.workloads[w].name + std::to_string(plan.gpus[w]) + " ";
  return names;
}

TEST(Fleet, theWorkedCasesComeOutToTheUnit) {
  Problem p = worked(48, 90'000);
  auto plan = solve(p);
  ASSERT_TRUE(plan) << plan.error();
  EXPECT_EQ(std::lround(plan->cost()), 4'561'670);
  EXPECT_EQ(movedNames(p, *plan), "chat32 rag14 ");
  EXPECT_EQ(plan->gpus[2], 20);
  EXPECT_EQ(plan->gpus[3], 13);
  plan = solve(worked(20, 90'000));
  EXPECT_EQ(std::lround(plan->cost()), 5'198'283);
  EXPECT_EQ(movedNames(p, *plan), "rag14 ");
  plan = solve(worked(48, 900'000));
  EXPECT_EQ(std::lround(plan->cost()), 5'370'660);
  EXPECT_EQ(movedNames(p, *plan), "");
  plan = solve(worked(0, 90'000));
  EXPECT_EQ(std::lround(plan->cost()), 5'370'660);
  EXPECT_EQ(movedNames(p, *plan), "");
}

Problem randomProblem(Random& random) {
  Problem p;
  std::size_t pools = 1 + random.below(3), workloads = 1 + random.below(pools == 3 ? 8 : 12);
  for (std::size_t g = 0; g < pools; ++g)
    p.pools.push_back({"pool" + std::to_string(g), random.below(2) ? "in" : "us", 1 + 3 * random.uniform(),
                       static_cast<std::int64_t>(random.below(120)), 0,
                       static_cast<std::int64_t>(random.below(4) ? 0 : random.below(30)),
                       random.below(2) ? 1e5 * random.uniform() : 0});
  for (Pool& pool : p.pools)
    if (random.below(4) == 0)
      pool.committed = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(pool.capacity) + 1));
  for (std::size_t w = 0; w < workloads; ++w) {
    Workload workload{"w" + std::to_string(w), 500 * random.uniform(), random.below(pools), {}, {}};
    if (random.below(5) == 0) workload.regions = {"in"};
    for (std::size_t g = 0; g < pools; ++g)
      workload.places.push_back(
          {random.below(8) != 0, 20 + 40 * random.uniform(), g == workload.home ? 0 : 4e5 * random.uniform()});
    p.workloads.push_back(workload);
  }
  if (random.below(4) == 0 && workloads > 1) p.together = {{0, workloads - 1}};
  if (random.below(4) == 0 && workloads > 2) p.apart = {{0, 1}};
  if (random.below(4) == 0) p.portBudget = 3e5 * random.uniform();
  if (random.below(6) == 0) p.totalBudget = 1e7 * random.uniform();
  p.hours = 8760;
  p.discountFactor = 0.9;
  p.utilisation = 0.5 + 0.5 * random.uniform();
  return p;
}

std::optional<Plan> bruteForce(const Problem& p) {
  std::optional<Plan> best;
  std::vector<std::size_t> pool(p.workloads.size(), 0);
  while (true) {
    auto plan = planOf(p, pool);
    if (plan && (!best || plan->cost() < best->cost())) best = plan;
    std::size_t w = 0;
    while (w < pool.size() && ++pool[w] == p.pools.size()) pool[w++] = 0;
    if (w == pool.size()) return best;
  }
}

TEST(Fleet, randomInstancesAgreeWithBruteForce) {
  Random random(11);
  int feasible = 0;
  for (int i = 0; i < 150; ++i) {
    Problem p = randomProblem(random);
    auto plan = solve(p);
    auto oracle = bruteForce(p);
    ASSERT_EQ(static_cast<bool>(plan), oracle.has_value()) << i << ": " << (plan ? "" : plan.error());
    if (!oracle) continue;
    ++feasible;
    EXPECT_NEAR(plan->cost(), oracle->cost(), 0.02) << i;
  }
  EXPECT_GT(feasible, 50);
}

TEST(Fleet, theLpTextHasTheSameOptimum) {
  std::string folder = ::testing::TempDir() + "unwarp-fleet-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::string file = folder + "/fleet.lp";
  Problem p = worked(48, 90'000);
  p.workloads[0].name = "chat bot, 2nd";
  p.portBudget = 1e6;
  EXPECT_EQ(lpText(p), lpText(p));
  std::ofstream(file) << lpText(p);
  OsiClpSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  ASSERT_EQ(solver.readLp(file.c_str()), 0);
  CbcModel model(solver);
  model.setLogLevel(0);
  model.branchAndBound();
  EXPECT_NEAR(model.getObjValue(), 4'561'670, 1);
  std::filesystem::remove_all(folder);
}

TEST(Fleet, infeasiblePlansSayWhatIsLacking) {
  Problem p = worked(48, 90'000);
  p.pools[0].capacity = 10;
  EXPECT_NE(solve(p).error().find("not enough GPUs"), std::string::npos) << solve(p).error();
  p = worked(48, 90'000);
  p.workloads[2].places[0].allowed = false;
  EXPECT_NE(solve(p).error().find("trtllm may run on no pool"), std::string::npos) << solve(p).error();
  p = worked(48, 90'000);
  p.totalBudget = 1e6;
  EXPECT_NE(solve(p).error().find("the cheapest plan costs 4561670"), std::string::npos) << solve(p).error();
  p = worked(0, 0);
  p.apart = {{0, 1}};
  EXPECT_NE(solve(p).error().find("together and apart"), std::string::npos) << solve(p).error();
}

TEST(Fleet, residencyAffinityAndCommitmentBind) {
  Problem p = worked(48, 90'000);
  p.pools[0].region = "in";
  p.workloads[0].regions = {"in"};
  EXPECT_EQ(movedNames(p, *solve(p)), "rag14 ");
  p = worked(48, 90'000);
  p.together = {{1, 2}};
  EXPECT_EQ(movedNames(p, *solve(p)), "chat32 ");
  p = worked(48, 90'000);
  p.pools[0].committed = 79;  // paid anyway: leaving saves nothing
  EXPECT_EQ(movedNames(p, *solve(p)), "");
}

TEST(Fleet, robustMovesAppearInEveryScenario) {
  std::vector<Problem> scenarios{worked(48, 90'000), worked(48, 90'000), worked(48, 90'000)};
  scenarios[2].workloads[1].places[1].portCost = 900'000;
  auto robust = solveRobust(scenarios);
  ASSERT_TRUE(robust) << robust.error();
  EXPECT_EQ(robust->moves, (std::vector<std::size_t>{0}));
  EXPECT_EQ(robust->plan.pool, (std::vector<std::size_t>{1, 0, 0, 0}));
}

TEST(Fleet, scenariosThatDisagreeGiveThePlanWithTheLeastRegret) {
  // Home has no room for both: each scenario moves another one, so that no move is common and staying is impossible.
  Problem p;
  p.hours = 1;
  p.pools = {{"old", "", 1, 10, 0, 0, 0}, {"new", "", 1, 10, 0, 0, 0}};
  for (const char* name : {"a", "b"}) p.workloads.push_back({name, 10, 0, {}, {{true, 1, 0}, {true, 1, 0}}});
  std::vector<Problem> scenarios{p, p, p};
  const double costs[3][2] = {{5, 10}, {20, 25}, {60, 40}};
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t w = 0; w < 2; ++w) scenarios[s].workloads[w].places[1].portCost = costs[s][w];
  auto robust = solveRobust(scenarios);
  ASSERT_TRUE(robust) << robust.error();
  EXPECT_TRUE(robust->moves.empty());
  EXPECT_EQ(robust->differs, (std::vector<std::size_t>{0, 1}));
  EXPECT_FALSE(robust->commonMovesOnly);
  EXPECT_EQ(robust->plan.pool, (std::vector<std::size_t>{0, 1}));  // moving b regrets 5, moving a 20
  EXPECT_DOUBLE_EQ(robust->regret, 5);
  EXPECT_DOUBLE_EQ(robust->plan.portCost, 40);
}

TEST(Fleet, impossibleInputsAreNamed) {
  Problem p = worked(48, 0);
  p.pools[1].pricePerHour = -1;
  EXPECT_NE(solve(p).error().find("price of MI355X"), std::string::npos);
  p = worked(48, 0);
  p.utilisation = 0;
  EXPECT_NE(solve(p).error().find("utilisation"), std::string::npos);
  p = worked(48, 0);
  p.discountFactor = 1.08;
  EXPECT_NE(solve(p).error().find("discount_factor must be at most 1"), std::string::npos);
  p = worked(48, 0);
  p.apart = {{1, 1}};
  EXPECT_NE(solve(p).error().find("with itself"), std::string::npos);
  p = worked(48, 0);
  p.workloads[1].name = "chat";
  EXPECT_NE(solve(p).error().find("two workloads are called chat"), std::string::npos);
}

}  // namespace
}  // namespace unwarp::cost::fleet
