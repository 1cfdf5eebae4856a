// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The back-test on tables of every awkward size, its baselines and scores on figures worked by hand, and what the
// built-in case studies must show.
#include "cost/backtest/backtest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cost/random.h"

namespace unwarp::cost {
namespace {

class BacktestTest : public ::testing::Test {
 protected:
  BacktestTest()
      : knowledge_(std::move(*knowledge::Knowledge::load(""))),
        classes_(*RouteClasses::load(*knowledge_)),
        model_(*PortModel::load(*knowledge_)) {}

  Result<std::vector<PortCase>> read(const std::string& rows) {
    return readPortCases("ports.tsv",
                         "project\tdirection\tloc_gpu\tkernels\teffort_person_weeks\teffort_basis\n" + rows, classes_);
  }
  std::vector<PortCase> cases(const std::string& rows) {
    auto result = read(rows);
    EXPECT_TRUE(result) << result.error();
    return result ? *result : std::vector<PortCase>();
  }
  Backtest run(const std::string& train, const std::string& score) {
    auto result = trainAndScore(cases(train), cases(score), classes_, model_);
    EXPECT_TRUE(result) << result.error();
    return result ? *result : Backtest();
  }

  std::unique_ptr<knowledge::Knowledge> knowledge_;
  RouteClasses classes_;
  PortModel model_;
};

const std::string three =
    "Alpha\tCUDA->HIP (hipify)\t10000\t50\t1\t\n"
    "Beta\tCUDA->SYCL\t10000\t50\t20\t\n"
    "Gamma\tCUDA->HIP (own backend)\t\t\t25\t\n";

TEST_F(BacktestTest, routeClassesComeFromTheWordsOfTheDirection) {
  auto classOf = [&](std::string_view text) { return classes_.nameOf(classes_.ofDirection(text)); };
  EXPECT_EQ(classOf("CUDA->HIP (macro shim header)"), "thin-shim");
  EXPECT_EQ(classOf("CUDA->HIP (hipify.sh at build)"), "thin-shim");
  EXPECT_EQ(classOf("CUDA->HIP (cuda2hip.sh + shared kernels)"), "hip-backend");
  EXPECT_EQ(classOf("CUDA/SYCL->HIP"), "hip-backend");
  EXPECT_EQ(classOf("CUDA\u2192HIP"), "hip-backend");
  EXPECT_EQ(classOf("CUDA/OpenCL->SYCL"), "portability-layer");
  EXPECT_EQ(classOf("CUDA->DPC++ (dpct)"), "portability-layer");
  EXPECT_EQ(classOf("CUDA->AMD via SCALE (no source change)"), "drop-in-compiler");
  EXPECT_EQ(classOf("CUDA->elsewhere"), "unknown");
  EXPECT_EQ(classOf(""), "unknown");
}

TEST_F(BacktestTest, aMechanicalPortFollowsItsSizeMoreThanABackEndDoes) {
  auto predicted = [&](const std::string& direction, int lines) {
    return run(three, "X\t" + direction + "\t" + std::to_string(lines) + "\t\t1\t\n")
        .cases[0]
        .predictions[0]
        .personWeeks;
  };
  double shim = predicted("CUDA->HIP (hipify)", 40000) / predicted("CUDA->HIP (hipify)", 10000);
  double sycl = predicted("CUDA->SYCL", 40000) / predicted("CUDA->SYCL", 10000);
  EXPECT_GT(shim, sycl);
  EXPECT_GT(sycl, 1);
}

TEST_F(BacktestTest, anUnknownDirectionIsPredictedFromAllClassesAndWider) {
  Backtest result = run(three, "X\tCUDA->SYCL\t10000\t\t\t\nY\tsomewhere\t10000\t\t\t\n");
  const auto &known = result.cases[0].predictions[0], &unknown = result.cases[1].predictions[0];
  EXPECT_EQ(result.cases[1].routeClass, "unknown");
  EXPECT_GT(unknown.high / unknown.low, known.high / known.low);
  EXPECT_GT(unknown.personWeeks, 1);
  EXPECT_LT(unknown.personWeeks, 25);
}

TEST_F(BacktestTest, oneRowIsEnoughAndNoneIsAnError) {
  Backtest one = run("Alpha\tCUDA->SYCL\t\t\t20\t\n", "X\tCUDA->SYCL\t\t\t\t\n");
  EXPECT_NEAR(one.cases[0].predictions[0].personWeeks, 20, 2);
  EXPECT_LT(one.cases[0].predictions[0].low, 10);
  for (const std::string& rows : {std::string(), std::string("Alpha\tCUDA->SYCL\t\t\t\t\n"),
                                  std::string("Alpha\tCUDA->SYCL\t\t\t3\tLOWER BOUND\n")}) {
    auto none = trainAndScore(cases(rows), cases(three), classes_, model_);
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().find("effort_person_weeks"), std::string::npos);
  }
}

TEST_F(BacktestTest, withoutAKnownSizeAmongTheTrainedOnesSizesSayNothing) {
  std::string train = "A\tCUDA->HIP\t\t\t2\t\nB\tCUDA->HIP\t\t\t3\t\n";
  Backtest sized = run(train, "C\tCUDA->HIP\t300000\t\t2.5\t\n");
  Backtest unsized = run(train, "C\tCUDA->HIP\t\t\t2.5\t\n");
  EXPECT_NEAR(sized.cases[0].predictions[0].personWeeks, unsized.cases[0].predictions[0].personWeeks, 1e-9);
  EXPECT_LT(sized.cases[0].predictions[0].personWeeks, 25);
}

TEST_F(BacktestTest, fortyRowsOfOneClassAreBelieved) {
  std::string rows;
  for (int i = 0; i < 40; ++i)
    rows += "P" + std::to_string(i) + "\tCUDA->SYCL\t10000\t\t" + std::to_string(90 + i % 20) + "\t\n";
  Backtest result = run(rows, "X\tCUDA->SYCL\t10000\t\t100\t\nY\tCUDA->HIP (own backend)\t10000\t\t100\t\n");
  EXPECT_NEAR(result.cases[0].predictions[0].personWeeks, 100, 3);
  EXPECT_GT(result.cases[1].predictions[0].high / result.cases[1].predictions[0].low,
            result.cases[0].predictions[0].high / result.cases[0].predictions[0].low);
}

TEST_F(BacktestTest, aLowerBoundOnlyRaises) {
  auto predicted = [&](const std::string& bound) {
    return run(three + "Delta\tCUDA->SYCL\t10000\t\t" + bound + "\n", "X\tCUDA->SYCL\t10000\t\t\t\n")
        .cases[0]
        .predictions[0]
        .personWeeks;
  };
  double without = run(three, "X\tCUDA->SYCL\t10000\t\t\t\n").cases[0].predictions[0].personWeeks;
  EXPECT_DOUBLE_EQ(predicted("2\tLOWER BOUND (squash merges)"), without);
  EXPECT_DOUBLE_EQ(predicted(">2\t"), without);
  EXPECT_GT(predicted("80\tLOWER BOUND"), without);
}

TEST_F(BacktestTest, aLowerBoundIsNoKnownEffortAndChangesNothingBelowTheLine) {
  // Of another size and class, so that whatever leaks through sizes, means or spreads shows.
  std::string bound = "Delta\tCUDA->HIP (hipify)\t900000\t7\t>0.01\t\n";
  Backtest with = run(three + bound, three), without = run(three, three);
  EXPECT_EQ(with.trainedOn, 3u);
  EXPECT_EQ(with.bounds, 1u);
  for (std::size_t i = 0; i < with.cases.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_DOUBLE_EQ(with.cases[i].predictions[k].personWeeks, without.cases[i].predictions[k].personWeeks) << k;
      EXPECT_DOUBLE_EQ(with.cases[i].predictions[k].high, without.cases[i].predictions[k].high) << k;
    }
}

TEST_F(BacktestTest, theOrderOfRowsChangesNoDigit) {
  auto all = readPortCases("x", knowledge_->costTable("knowledge/cost/case-studies.tsv").text, classes_);
  std::vector<PortCase> reversed(all->rbegin(), all->rend());
  Backtest a = *leaveProjectsOut(*all, classes_, model_), b = *leaveProjectsOut(reversed, classes_, model_);
  std::reverse(b.cases.begin(), b.cases.end());
  EXPECT_EQ(backtestJson(a), backtestJson(b));
  a = *trainAndScore(*all, *all, classes_, model_), b = *trainAndScore(reversed, reversed, classes_, model_);
  std::reverse(b.cases.begin(), b.cases.end());
  EXPECT_EQ(backtestJson(a), backtestJson(b));
}

TEST_F(BacktestTest, rowsThatAreTrainedAndScoredAreNamed) {
  Backtest result = run(three + three, "Alpha two\tCUDA->SYCL\t\t\t9\t\nNew\tCUDA->SYCL\t\t\t9\t\n");
  EXPECT_NE(result.scheme.find("1 of 2 scored rows are of trained projects"), std::string::npos) << result.scheme;
  std::string text = backtestText(result);
  EXPECT_NE(text.find("not out of sample, their projects are trained on (a project is its first word): Alpha two\n"),
            std::string::npos);
  EXPECT_NE(text.find("rows of --train and weighs as often: Alpha, Beta, Gamma"), std::string::npos) << text;
  EXPECT_TRUE(run(three, "New\tCUDA->SYCL\t\t\t9\t\n").notes.empty());
}

TEST_F(BacktestTest, extremeRowsKeepTheTableAndTheSchema) {
  std::string wild =
      "A\tCUDA->SYCL\t1000000000\t\t1000000\t\nB\tCUDA->HIP (hipify)\t1\t1\t0.001\t\n"
      "C\tCUDA->HIP (own backend)\t\t1000000000\t1000000\t\n";
  Backtest result =
      run(wild, wild + "D\x1b[31m \xe2\x82\xac\xe2\x82\xac a name that is much longer than its column\tx\t1\t\t5\t\n");
  auto json = nlohmann::json::parse(backtestJson(result));
  for (const auto& one : json["cases"])
    for (const char* key : {"predicted_pw", "low80", "high80"}) EXPECT_TRUE(one[key].is_number()) << one;
  std::string text = backtestText(result);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("D\\x1b[31m"), std::string::npos);
  for (const char* row :
       {"A\tCUDA->SYCL\t\t\t1e300\t\n", "A\tCUDA->SYCL\t\t\t1e-300\t\n", "A\tCUDA->SYCL\t1e308\t\t1\t\n"})
    EXPECT_FALSE(read(row)) << row;
}

TEST_F(BacktestTest, thousandsOfCasesAreScoredAtOnce) {
  std::vector<ScoredCase> many;
  Random random(1);
  for (int i = 0; i < 4000; ++i) {
    double actual = 1 + 50 * random.uniform(), predicted = actual * (0.3 + 2 * random.uniform());
    many.push_back({predicted, predicted / 3, predicted * 3, actual});
  }
  ScoreIntervals intervals = bootstrap(many);  // quadratic or sorting once a resample this takes minutes
  Scores scores = scoresOf(many);
  auto values = valuesOf(scores);
  for (std::size_t k = 0; k < values.size(); ++k) {
    EXPECT_LE(*intervals.low[k], *values[k] + 1e-9);
    EXPECT_GE(*intervals.high[k], *values[k] - 1e-9);
  }
}

TEST_F(BacktestTest, rowsThatCannotBeReadNameFieldLineAndFix) {
  for (const auto& [row, field] : {std::pair("A\tCUDA->HIP\t-3\t\t1\t\n", "loc_gpu"),
                                   {"A\tCUDA->HIP\t\tmany\t1\t\n", "kernels"},
                                   {"A\tCUDA->HIP\t\t\t0\t\n", "effort_person_weeks"}}) {
    auto result = read(row);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().find("ports.tsv:2: " + std::string(field) + ": "), std::string::npos) << result.error();
  }
  auto headless = readPortCases("x.tsv", "project\tdirection\n", classes_);
  ASSERT_FALSE(headless);
  EXPECT_NE(headless.error().find("effort_person_weeks"), std::string::npos);
}

TEST_F(BacktestTest, scoresEqualFiguresWorkedByHand) {
  ScoredCase cases[] = {{2, 1, 4, 1}, {10, 5, 20, 10}, {5, 1, 8, 20}};
  Scores scores = scoresOf(cases);
  EXPECT_NEAR(*scores.mdmre, 0.75, 1e-12);
  EXPECT_NEAR(*scores.within2x, 2.0 / 3, 1e-12);
  EXPECT_NEAR(*scores.sdLogRatio, 1.05880, 1e-5);
  EXPECT_NEAR(*scores.sa, 0.57895, 1e-5);  // mean absolute error 16/3 against (14 + 9.5 + 14.5)/3
  EXPECT_NEAR(*scores.coverage80, 2.0 / 3, 1e-12);
  EXPECT_NEAR(*scores.medianWidth, 4, 1e-12);
  EXPECT_FALSE(scoresOf({}).mdmre);
  EXPECT_FALSE(scoresOf({cases, 1}).sa);
  EXPECT_NEAR(cocomoOrganicWeeks(10000), 2.4 * 11.2202 * 3.8, 1e-3);
}

TEST_F(BacktestTest, theRouteClassBaselineEqualsTheOneMeasuredIndependently) {
  // Nine uncensored rows of the first case studies: MdMRE 0.56, within 2x 0.67, sd 1.37.
  auto all = readPortCases("x", knowledge_->costTable("knowledge/cost/case-studies.tsv").text, classes_);
  ASSERT_TRUE(all) << all.error();
  std::vector<PortCase> first;
  for (const PortCase& port : *all)
    for (std::string_view group : {"cholla", "cms", "amrex", "cupy", "gromacs", "ginkgo"})
      if (port.group == group) first.push_back(port);
  auto result = leaveProjectsOut(first, classes_, model_);
  ASSERT_TRUE(result) << result.error();
  const Scores& routeClass = result->scores[2];
  EXPECT_NEAR(*routeClass.mdmre, 0.56, 0.005);
  EXPECT_NEAR(*routeClass.within2x, 0.67, 0.005);
  EXPECT_NEAR(*routeClass.sdLogRatio, 1.37, 0.005);
  EXPECT_LT(*result->scores[0].mdmre, *routeClass.mdmre);
  EXPECT_GT(*result->scores[0].within2x, *routeClass.within2x);
  EXPECT_LT(*result->scores[0].sdLogRatio, *routeClass.sdLogRatio);
}

TEST_F(BacktestTest, oursBeatsTheRouteClassOnTheBuiltInCases) {
  auto all = readPortCases("x", knowledge_->costTable("knowledge/cost/case-studies.tsv").text, classes_);
  auto result = leaveProjectsOut(*all, classes_, model_);
  ASSERT_TRUE(result) << result.error();
  const Scores &ours = result->scores[0], &routeClass = result->scores[2];
  EXPECT_LT(*ours.mdmre, *routeClass.mdmre);
  EXPECT_GT(*ours.within2x, *routeClass.within2x);
  EXPECT_LT(*ours.sdLogRatio, *routeClass.sdLogRatio);
  EXPECT_GE(*ours.coverage80, 0.7);
  EXPECT_LE(*ours.coverage80, 0.9);
}

TEST_F(BacktestTest, theJsonHasThePublishedKeys) {
  Backtest result = run(three, "X\tCUDA->SYCL\t10000\t\t22\t\nY\tCUDA->SYCL\t\t\t>3\t\nZ\tother\t\t\t\t\n");
  auto json = nlohmann::json::parse(backtestJson(result));
  ASSERT_EQ(json["cases"].size(), 3u);
  for (const char* key : {"project", "route_class", "predicted_pw", "low80", "high80", "actual_pw", "censored"})
    EXPECT_TRUE(json["cases"][0].contains(key)) << key;
  EXPECT_TRUE(json["cases"][1]["censored"]);
  EXPECT_TRUE(json["cases"][2]["actual_pw"].is_null());
  for (const auto* scores :
       {&json["scores"], &json["baselines"]["cocomo_organic"], &json["baselines"]["route_class"]}) {
    EXPECT_EQ(scores->size(), 5u);
    for (const char* key : {"mdmre", "within_2x", "sd_log_ratio", "sa", "coverage_80"})
      EXPECT_TRUE(scores->contains(key)) << key;
  }
  EXPECT_EQ(backtestJson(result), backtestJson(run(three,
                                                   "X\tCUDA->SYCL\t10000\t\t22\t\nY\tCUDA->SYCL\t\t\t>3\t\n"
                                                   "Z\tother\t\t\t\t\n")));
}

}  // namespace
}  // namespace unwarp::cost
