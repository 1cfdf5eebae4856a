// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantiles against tables, and the promises of the intervals against simulated runs.
#include "cost/gate/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "cost/distribution.h"
#include "cost/random.h"

namespace unwarp::cost::gate {
namespace {

std::vector<double> drawn(Random& random, std::size_t count, double median, double sd) {
  std::vector<double> values(count);
  for (double& value : values) value = median * std::exp(sd * normalQuantile(random.uniform()));
  return values;
}

TEST(GateStatistics, studentQuantilesMatchTheTables) {
  EXPECT_NEAR(studentQuantile(1, 0.05), 12.7062, 1e-4);
  EXPECT_NEAR(studentQuantile(4, 0.05), 2.77645, 1e-5);
  EXPECT_NEAR(studentQuantile(10, 0.01), 3.16927, 1e-5);
  EXPECT_NEAR(studentQuantile(1000, 0.05), 1.96234, 1e-5);
}

TEST(GateStatistics, welchIntervalsMissAsOftenAsTheySay) {
  Random random(1);
  int misses = 0, trials = 4000;
  for (int i = 0; i < trials; ++i) {
    auto ratio = welch(drawn(random, 4, 100, 0.02), drawn(random, 6, 110, 0.05), 0.05);
    double truth = std::log(1.1);
    misses += ratio->low > truth || ratio->high < truth;
  }
  EXPECT_NEAR(misses / static_cast<double>(trials), 0.05, 0.012);
}

TEST(GateStatistics, aSingleRunBorrowsTheOtherSidesSpread) {
  std::vector<double> three{100, 101, 99}, two{100, 101}, one{90};
  EXPECT_TRUE(welch(three, one, 0.05));
  EXPECT_FALSE(welch(two, one, 0.05));
  EXPECT_FALSE(welch(one, one, 0.05));
  EXPECT_EQ(welch(three, one, 0.05)->freedom, 2);
}

TEST(GateStatistics, resampledRatiosCoverTheTruth) {
  Random random(2);
  int misses = 0, trials = 150;
  for (int i = 0; i < trials; ++i) {
    auto a = drawn(random, 150, 100, 0.3), b = drawn(random, 150, 100, 0.3);
    auto mean = [](const std::vector<double>& values) {
      return Resampled{values.size(), [&values](const std::vector<std::size_t>& requests) {
                         double sum = 0;
                         for (std::size_t request : requests) sum += values[request];
                         return sum / static_cast<double>(requests.size());
                       }};
    };
    auto ratio = bootstrap(mean(a), mean(b), 0.1, 3);
    ASSERT_TRUE(ratio);
    misses += ratio->low > 0 || ratio->high < 0;
  }
  EXPECT_LT(misses / static_cast<double>(trials), 0.2);
}

TEST(GateStatistics, runsAndPowerAgree) {
  auto runs = runsFor(0.03, 0.02, 0.05);
  ASSERT_TRUE(runs);
  EXPECT_NEAR(static_cast<double>(*runs), 5, 1);
  EXPECT_LT(powerOf(0.05, 0.05, {3, 3}, 0.05), 0.5);
  EXPECT_GT(powerOf(0.05, 0.01, {5, 5}, 0.05), 0.95);
  EXPECT_FALSE(runsFor(1e-6, 1, 0.05));
}

}  // namespace
}  // namespace unwarp::cost::gate
