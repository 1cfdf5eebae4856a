// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outcomes of the gate: what repeated runs say, what single runs can say, and how often it cries wolf.
#include "cost/gate/gate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cost/distribution.h"
#include "cost/random.h"
#include "schema_checker.h"

namespace unwarp::cost::gate {
namespace {

using money::LatencyKind;
using money::Measurement;

Measurement run(double rate, double ttft, std::string source) {
  Measurement m;
  m.source = std::move(source);
  m.model = "m";
  m.gpu = "H100";
  m.gpus = 8;
  m.outputTokensPerS = rate;
  m.of(LatencyKind::Ttft).p50Ms = ttft;
  m.of(LatencyKind::Ttft).p99Ms = 3 * ttft;
  return m;
}

std::vector<Measurement> runs(Random& random, std::size_t count, double rate, double sd) {
  std::vector<Measurement> all;
  for (std::size_t i = 0; i < count; ++i) {
    double noise = std::exp(sd * normalQuantile(random.uniform()));
    all.push_back(
        run(rate * noise, 100 / noise * std::exp(sd * normalQuantile(random.uniform())), "run" + std::to_string(i)));
  }
  return all;
}

Outcome outcome(const std::vector<Measurement>& base, const std::vector<Measurement>& candidate,
                const Options& options = {}) {
  auto report = judge(base, candidate, options);
  EXPECT_TRUE(report) << (report ? "" : report.error());
  return report ? report->outcome : Outcome::Inconclusive;
}

Options onlyMetric(std::string name) {
  Options options;
  options.metrics = {std::move(name)};
  return options;
}

Options withMargin(double margin) {
  Options options;
  options.margin = options.latencyMargin = options.tailMargin = margin;
  return options;
}

TEST(Gate, repeatedRunsAreFasterSlowerOrEqual) {
  Random random(3);
  auto base = runs(random, 6, 1000, 0.004);
  EXPECT_EQ(outcome(base, runs(random, 6, 900, 0.004)), Outcome::Slower);
  EXPECT_EQ(outcome(base, runs(random, 6, 1100, 0.004), onlyMetric("throughput")), Outcome::Faster);
  EXPECT_EQ(outcome(base, runs(random, 6, 1000, 0.004)), Outcome::Equal);
}

TEST(Gate, noisyRunsAreInconclusiveAndSayHowManyMoreAreNeeded) {
  Random random(4);
  auto report = judge(runs(random, 3, 1000, 0.1), runs(random, 3, 980, 0.1), {});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->outcome, Outcome::Inconclusive);
  EXPECT_GT(report->pairs[0].metrics[0].furtherRuns.value_or(0), 1u);
  EXPECT_LT(report->pairs[0].metrics[0].power.value_or(1), 0.5);
  EXPECT_EQ(exitStatus(report->outcome), 3);
}

TEST(Gate, oneRunASideIsInconclusiveWithoutRequests) {
  auto report = judge(std::vector{run(1000, 100, "a")}, std::vector{run(500, 200, "b")}, {});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->outcome, Outcome::Inconclusive);
  EXPECT_EQ(report->pairs[0].metrics[0].furtherRuns, 2u);
}

Measurement withRequests(Random& random, double scale, std::string source) {
  Measurement m = run(1000 / scale, 100 * scale, std::move(source));
  m.concurrency = 16;
  for (int i = 0; i < 1000; ++i) {
    double noise = scale * std::exp(0.1 * normalQuantile(random.uniform()));
    m.of(LatencyKind::Ttft).samplesMs.push_back(100 * noise);
    m.of(LatencyKind::E2e).samplesMs.push_back(1000 * noise);
    m.requestOutputTokens.push_back(100);
  }
  return m;
}

TEST(Gate, oneRunASideWithRequestsCanBeJudged) {
  Random random(5);
  std::vector base{withRequests(random, 1, "a")};
  auto slower = judge(base, std::vector{withRequests(random, 1.1, "b")}, {});
  ASSERT_TRUE(slower);
  EXPECT_EQ(slower->outcome, Outcome::Slower);
  EXPECT_GT(slower->pairs[0].metrics[0].power.value_or(0), 0.9);
  EXPECT_EQ(outcome(base, {withRequests(random, 0.9, "b")}), Outcome::Faster);
  EXPECT_EQ(outcome(base, {withRequests(random, 1, "b")}, withMargin(0.08)), Outcome::Equal);
}

TEST(Gate, copiesOfARunCountOnce) {
  Random random(6);
  Measurement one = run(1000, 100, "a");
  auto report = judge(std::vector{one, one, one}, std::vector{run(900, 100, "b"), run(900, 100, "c")}, {});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->pairs[0].baseRuns, 1u);
  EXPECT_EQ(report->outcome, Outcome::Inconclusive);
}

TEST(Gate, whatDiffersInKindIsNotComparable) {
  Measurement a = run(1000, 100, "a"), b = run(1000, 100, "b");
  b.model = "other";
  auto report = judge(std::vector{a}, std::vector{b}, {});
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().find("model differs: m and other"), std::string::npos);
  EXPECT_FALSE(judge(std::vector<Measurement>{}, std::vector{b}, {}));
}

TEST(Gate, costPerTokenFollowsThePrices) {
  Random random(7);
  Options options;
  options.metrics = {"cost"};
  options.price = [](const Measurement& m) { return std::optional(m.gpu == "H100" ? 2.0 : 1.0); };
  auto candidate = runs(random, 5, 900, 0.004);
  for (Measurement& m : candidate) m.gpu = "MI300X";
  EXPECT_EQ(outcome(runs(random, 5, 1000, 0.004), candidate, options), Outcome::Faster);
}

TEST(Gate, falseAlarmsStayBelowTheirLevel) {
  Random random(8);
  int alarms = 0, trials = 1000;
  for (int i = 0; i < trials; ++i)
    alarms += outcome(runs(random, 5, 1000, 0.05), runs(random, 5, 1000, 0.05)) == Outcome::Slower;
  EXPECT_LE(alarms, trials * 5 / 100 + 15);
}

TEST(Gate, reportsAreTheSameBytesAndFitTheirSchema) {
  Random random(9);
  auto noSpread = judge(std::vector{run(1000, 100, "a")}, std::vector{run(500, 200, "b")}, {});
  EXPECT_EQ(schema::faultsOf("gate.schema.json", jsonText(*noSpread)), std::vector<std::string>{});
  std::vector base{withRequests(random, 1, "a")}, candidate{withRequests(random, 1.02, "b")};
  EXPECT_EQ(jsonText(*judge(base, candidate, {})), jsonText(*judge(base, candidate, {})));
  EXPECT_EQ(schema::faultsOf("gate.schema.json", jsonText(*judge(base, candidate, {}))), std::vector<std::string>{});
}

}  // namespace
}  // namespace unwarp::cost::gate
