// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simulation against closed forms, and properties that hold for any numbers: same seed same bytes on any number of
// threads, payback monotone in the price gap, routes that share their luck.
#include "cost/simulate/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cost/random.h"
#include "cost/simulate/order.h"

namespace unwarp::cost::simulate {
namespace {

Quantity fixed(double value) {
  return {"", "", Distribution::fixed(value), {}};
}
Quantity logNormal(double median, double sd) {
  return {"", "", Distribution::logNormal(median, sd), {}};
}

Inputs small(std::size_t workloads = 1, std::size_t targets = 1) {
  Inputs inputs;
  inputs.trials = 2000;
  inputs.moneyPerHour = fixed(80);
  inputs.overhead = {"overhead", "", Distribution::uniform(0.3, 0.5), {}};
  inputs.driftPerYear = {"drift", "", Distribution::normal(-0.15, 0.15), {}};
  inputs.latents = {logNormal(1, 0.3), logNormal(1, 0.2), logNormal(1, 0.2)};
  for (std::size_t w = 0; w < workloads; ++w) {
    Workload workload;
    workload.name = "w" + std::to_string(w);
    workload.demandPerMonth = logNormal(2e5, 0.2);
    workload.growthPerYear = fixed(0);
    workload.utilisation = {"", "", Distribution::beta(6, 4), {}};
    workload.currentPrice = {"price.h", "", Distribution::triangular(2.5, 3, 4), {}};
    workload.currentRate = fixed(46);
    for (std::size_t t = 0; t < targets; ++t) {
      Target target{"t" + std::to_string(t),
                    {"price." + std::to_string(t), "", Distribution::triangular(1.8, 2.1, 2.6), {}},
                    logNormal(44, 0.15),
                    fixed(2000),
                    {}};
      for (std::string_view route : {"hipify", "triton"}) {
        Route r{std::string(route), true, {}, fixed(1000), fixed(20)};
        double scale = route == "triton" ? 1.5 : 1;
        r.parts = {{"porting", logNormal(400 * scale, 0.8), {true, true, false}},
                   {"numerics", logNormal(60, 0.6), {true, false, true}},
                   {"ci", logNormal(40, 0.5), {true, false, false}}};
        target.routes.push_back(std::move(r));
      }
      workload.targets.push_back(std::move(target));
    }
    inputs.workloads.push_back(std::move(workload));
  }
  return inputs;
}

/// Every number of an outcome in hexadecimal, so that one bit shows.
std::string bytes(const std::vector<WorkloadOutcome>& outcomes) {
  std::string text;
  auto add = [&](double value) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%a ", value);
    text += buffer;
  };
  for (const WorkloadOutcome& w : outcomes) {
    for (const TargetOutcome& t : w.targets)
      for (const RouteOutcome& r : t.routes) {
        for (const Quantiles* q : {&r.hours, &r.oneOff, &r.npv})
          for (double value : {q->p10, q->p50, q->p80, q->p90, q->mean}) add(value);
        for (double value : {r.probabilityNever, r.probabilityPositive, r.regret}) add(value);
      }
    for (const Sensitivity& s : w.sensitivities) {
      text += s.name;
      for (double value : {s.npvAtP10, s.npvAtP90, s.rankCorrelation, s.informationValue}) add(value);
    }
    for (const std::string& name : w.measureFirst) text += name;
  }
  return text;
}

TEST(Simulate, certainNumbersGiveTheClosedForm) {
  Inputs inputs = small();
  inputs.overhead = inputs.driftPerYear = fixed(0);
  inputs.latents = {fixed(1), fixed(1), fixed(1)};
  inputs.discountPerYear = 0;
  Workload& w = inputs.workloads[0];
  w.demandPerMonth = fixed(100'000);
  w.utilisation = fixed(0.5);
  w.currentPrice = fixed(4);
  w.currentRate = fixed(40);
  Target& t = w.targets[0];
  t.price = fixed(2);
  t.rate = fixed(40);
  t.stackPerMonth = fixed(1000);
  t.routes = {{"r", true, {{"porting", fixed(160), {}}}, fixed(0), fixed(0)}};
  auto outcome = simulate(inputs);
  ASSERT_TRUE(outcome) << outcome.error();
  const RouteOutcome& r = (*outcome)[0].targets[0].routes[0];
  // 100,000 units x (0.1 - 0.05) / 0.5 = 10,000 a month, minus 1,000; one month of port at 12,800.
  EXPECT_NEAR(r.npv.p50, 35 * 9000 - 12'800, 1e-6);
  EXPECT_EQ(r.breakEvenP50, 3);
  EXPECT_EQ(r.probabilityNever, 0);
  EXPECT_EQ((*outcome)[0].sensitivities.size(), 0u);
}

TEST(Simulate, sameSeedSameBytesOnAnyNumberOfThreads) {
  Inputs inputs = small(5, 3);
  inputs.threads = 1;
  std::string one = bytes(*simulate(inputs));
  for (unsigned threads : {2u, 3u, 8u}) {
    inputs.threads = threads;
    EXPECT_EQ(bytes(*simulate(inputs)), one);
  }
  inputs.seed = 2;
  EXPECT_NE(bytes(*simulate(inputs)), one);
}

TEST(SimulateProperty, paybackIsMonotoneInThePriceGap) {
  Random random(21);
  for (int round = 0; round < 30; ++round) {
    Inputs inputs = small();
    inputs.trials = 400;
    inputs.seed = static_cast<std::uint64_t>(round);
    Target& target = inputs.workloads[0].targets[0];
    double previousNever = -1, previousNpv = 1e300;
    int previousMonth = 0;
    double start = 0.5 + 2 * random.uniform();
    for (int step = 0; step < 4; ++step) {
      double low = start + 0.4 * step;
      target.price = {"price", "", Distribution::triangular(low, low + 0.2, low + 0.5), {}};
      auto outcome = simulate(inputs);
      ASSERT_TRUE(outcome);
      const RouteOutcome& r = (*outcome)[0].targets[0].routes[0];
      EXPECT_GE(r.probabilityNever, previousNever);
      EXPECT_LE(r.npv.p50, previousNpv);
      int month = r.breakEvenP50.value_or(1000);
      EXPECT_GE(month, previousMonth);
      previousNever = r.probabilityNever;
      previousNpv = r.npv.p50;
      previousMonth = month;
    }
  }
}

TEST(SimulateProperty, breakEvenIsTheFirstPaidMonth) {
  // Against a month-by-month account, with savings that shrink below the upkeep, grow above it, or do neither.
  Random random(22);
  for (int round = 0; round < 300; ++round) {
    Inputs inputs = small();
    inputs.trials = 10;
    inputs.horizonMonths = 1 + static_cast<int>(random.below(60));
    inputs.overhead = fixed(0);
    double drift = 1.6 * random.uniform() - 0.8, growth = random.uniform() - 0.3;
    inputs.driftPerYear = fixed(drift);
    inputs.latents = {fixed(1), fixed(1), fixed(1)};
    Workload& w = inputs.workloads[0];
    w.growthPerYear = fixed(growth);
    w.demandPerMonth = fixed(1e5);
    w.utilisation = fixed(1);
    w.currentPrice = fixed(3);
    w.currentRate = fixed(46);
    Target& t = w.targets[0];
    double price = 1 + 2.5 * random.uniform(), stack = 3000 * random.uniform(), hours = 300 * random.uniform();
    t.price = fixed(price);
    t.rate = fixed(46);
    t.stackPerMonth = fixed(stack);
    t.routes = {{"r", true, {{"porting", fixed(hours), {}}}, fixed(0), fixed(0)}};
    double sum = -hours * 80;
    int expected = 0;
    for (int m = 1; m <= inputs.horizonMonths; ++m) {
      if (m <= static_cast<int>(std::ceil(hours / 160))) continue;
      double saved = 1e5 * (3 - price) / 46 * std::pow((1 + drift) * (1 + growth), m / 12.0) - stack;
      sum += saved * std::pow(1.08, -m / 12.0);
      if (expected == 0 && sum >= 0 && saved > 0) expected = m;
    }
    auto outcome = simulate(inputs);
    const RouteOutcome& r = (*outcome)[0].targets[0].routes[0];
    EXPECT_EQ(r.breakEvenP50.value_or(0), expected) << round;
    EXPECT_NEAR(r.npv.p50, sum, 1e-6 * (std::abs(sum) + 1e4)) << round;
  }
}

TEST(Simulate, routesShareTheirLuck) {
  auto outcome = simulate(small());
  ASSERT_TRUE(outcome);
  const auto& routes = (*outcome)[0].targets[0].routes;
  // Triton's porting is the same draw times 1.5, so it is never cheaper at any quantile and never better in regret.
  EXPECT_GT(routes[1].hours.p10, routes[0].hours.p10);
  EXPECT_GT(routes[1].hours.p90, routes[0].hours.p90);
  EXPECT_GT(routes[1].regret, routes[0].regret);
  EXPECT_EQ((*outcome)[0].best->route, 0u);
}

TEST(Simulate, infeasibleRoutesAreLeftOut) {
  Inputs inputs = small();
  for (Route& route : inputs.workloads[0].targets[0].routes) route.feasible = false;
  auto outcome = simulate(inputs);
  ASSERT_TRUE(outcome);
  EXPECT_FALSE((*outcome)[0].best);
  EXPECT_EQ((*outcome)[0].regretOfStay, 0);
}

TEST(Simulate, whatMattersIsNamed) {
  Inputs inputs = small();
  inputs.workloads[0].demandPerMonth = logNormal(2e5, 1.5);
  auto outcome = simulate(inputs);
  ASSERT_TRUE(outcome);
  const WorkloadOutcome& w = (*outcome)[0];
  ASSERT_FALSE(w.sensitivities.empty());
  EXPECT_EQ(w.sensitivities[0].name, "w0/demand");
  EXPECT_EQ(w.measureFirst.size(), 3u);
  for (const Sensitivity& s : w.sensitivities) {
    EXPECT_LE(std::abs(s.rankCorrelation), 1);
    EXPECT_GE(s.informationValue, 0);
  }
}

TEST(Simulate, impossibleInputsAreNamed) {
  Inputs inputs = small();
  inputs.workloads[0].currentRate = fixed(0);
  EXPECT_NE(simulate(inputs).error().find("w0: the current rate"), std::string::npos);
  inputs = small();
  inputs.workloads[0].targets[0].price = fixed(-1);
  EXPECT_NE(simulate(inputs).error().find("price can be negative"), std::string::npos);
  inputs = small();
  inputs.horizonMonths = 0;
  EXPECT_FALSE(simulate(inputs));
}

TEST(SimulateOrder, orderStatisticsAreExact) {
  Random random(23);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> values(1 + random.below(500));
    double sd = 5 * random.uniform();
    for (double& value : values)
      value =
          random.below(4) == 0 ? std::floor(3 * random.uniform()) : std::exp(sd * normalQuantile(random.uniform())) - 1;
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> ranks{0, values.size() / 3, values.size() / 2, values.size() - 1};
    auto found = orderStatistics(values, ranks);
    for (std::size_t i = 0; i < ranks.size(); ++i) EXPECT_EQ(found[i], sorted[ranks[i]]);
  }
}

}  // namespace
}  // namespace unwarp::cost::simulate
