// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sweeps at equal interactivity: the front, the curve through it, and runs that may not be mixed.
#include "cost/money/interactivity.h"

#include <cmath>

#include "cost/money/tokens.h"
#include "cost/random.h"
#include "money_fixture.h"

namespace unwarp::cost::money {
namespace {

Measurement run(std::string gpu, double concurrency, double perUser, double perGpu) {
  Measurement m;
  m.source = gpu + std::to_string(concurrency);
  m.model = "m";
  m.precision = "fp8";
  m.engine = "vllm";
  m.gpu = std::move(gpu);
  m.gpus = 8;
  m.concurrency = concurrency;
  m.of(LatencyKind::Tpot).p50Ms = 1000 / perUser;
  m.outputTokensPerS = 8 * perGpu;
  m.inputTokensPerS = 16 * perGpu;
  return m;
}

TEST(Interactivity, aFrontHoldsWhatNothingBeatsInBoth) {
  auto front = frontOf({{50, 400}, {20, 900}, {30, 350}, {100, 100}, {20, 800}});
  ASSERT_EQ(front.size(), 3u);
  EXPECT_EQ(front[0].rate, 900);
  EXPECT_EQ(front[1].interactivity, 50);
  EXPECT_EQ(front[2].rate, 100);
}

TEST(Interactivity, theCurveMeetsItsPointsAndNeverOvershoots) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    std::vector<FrontPoint> points;
    for (std::uint64_t k = 1 + random.below(6); k > 0; --k)
      points.push_back({1 + 200 * random.uniform(), 1 + 3000 * random.uniform()});
    auto front = frontOf(points);
    for (const FrontPoint& point : front) ASSERT_NEAR(rateAt(front, point.interactivity), point.rate, 1e-6);
    double before = front.front().rate;
    for (double x = front.front().interactivity; x <= front.back().interactivity; x += 0.5) {
      ASSERT_LE(rateAt(front, x), before + 1e-6);  // more for each user is never more for all
      before = rateAt(front, x);
    }
    EXPECT_EQ(rateAt(front, front.back().interactivity + 1), 0);
    EXPECT_EQ(rateAt(front, 0.5), front.front().rate);
  }
  // Halfway on a straight front lies half of it.
  EXPECT_NEAR(rateAt({{10, 300}, {20, 200}, {30, 100}}, 15), 250, 1e-9);
}

TEST(Interactivity, sweepsAreComparedWhereTheirLinesMayCross) {
  std::vector<Measurement> runs{run("B200", 256, 20, 3000),  run("B200", 16, 100, 600),  run("MI355X", 256, 20, 3600),
                                run("MI355X", 16, 100, 300), run("H100", 256, 10, 1500), run("H100", 64, 40, 500)};
  auto winnerAt = [&](double target, std::vector<std::string>& notes) {
    std::vector<Measurement> at = atInteractivity(runs, target, notes);
    CostOptions options;
    options.bases = {"given"};
    PriceTable prices;
    for (const char* price : {"B200=2", "MI355X=2", "H100=2"}) EXPECT_TRUE(prices.set(price, gpuNames()));
    auto table = tokenCosts(at, prices, *Rates::load(builtIn()), options);
    EXPECT_TRUE(table);
    EXPECT_EQ(table->groups.size(), 1u);
    return table->groups[0].costs[0].run->gpu;
  };
  std::vector<std::string> notes;
  EXPECT_EQ(winnerAt(25, notes), "MI355X");
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(winnerAt(90, notes), "B200");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("H100: left out: reaches 40.0 tokens/s per user at most"), std::string::npos) << notes[0];
}

TEST(Interactivity, whatIsNoPointOfASweepIsTold) {
  std::vector<std::string> notes;
  Measurement bare = run("B200", 1, 10, 10);
  bare.latency = {};
  EXPECT_TRUE(atInteractivity(std::vector{bare}, 5, notes).empty());
  EXPECT_NE(notes[0].find("time per output token"), std::string::npos);
  Measurement other = run("B200", 1, 10, 10);
  other.precision = "fp4";
  EXPECT_EQ(atInteractivity(std::vector{run("B200", 2, 20, 5), other}, 5, notes).size(), 2u);
}

}  // namespace
}  // namespace unwarp::cost::money
