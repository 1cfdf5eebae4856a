// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the effort model can be believed: predictions of finished ports whose whole project was left out of what
// calibrates, beside two baselines on the same folds: COCOMO 81 organic on the same size, and the geometric mean of the
// route class. Everything that depends on data, class means and intervals among it, is fitted again in each fold.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cost/backtest/scores.h"
#include "cost/effort/reference_class.h"

namespace unwarp::cost {

enum class Predictor : std::uint8_t { Ours, CocomoOrganic, RouteClassMean };
inline constexpr std::array<std::string_view, 3> predictorNames{"ours", "cocomo_organic", "route_class"};

struct BacktestCase {
  PortCase port;
  std::string routeClass;
  std::array<PortPrediction, 3> predictions;  ///< by Predictor
};

struct Backtest {
  std::string scheme;               ///< how training and scoring were kept apart, for readers
  std::size_t trainedOn = 0;        ///< rows with an exact effort
  std::size_t bounds = 0;           ///< rows with a lower bound of it
  std::vector<std::string> notes;   ///< rows that stand twice, scored rows of trained projects
  std::vector<BacktestCase> cases;  ///< in the order of the rows
  std::array<Scores, 3> scores;     ///< by Predictor, over cases with an exact effort
  std::array<ScoreIntervals, 3> intervals;
};

/// 2.4 * KSLOC^1.05 person-months (Boehm 1981) of 152 hours, in weeks of 40.
double cocomoOrganicWeeks(double lines);

/// Each project predicted from all others. Cases without an effort train nothing and are left out.
Result<Backtest> leaveProjectsOut(std::span<const PortCase> cases, const RouteClasses& classes, const PortModel& model);
/// `score` predicted from `train` and nothing else.
Result<Backtest> trainAndScore(std::span<const PortCase> train, std::span<const PortCase> score,
                               const RouteClasses& classes, const PortModel& model);

std::string backtestJson(const Backtest& backtest);
std::string backtestText(const Backtest& backtest);

}  // namespace unwarp::cost
