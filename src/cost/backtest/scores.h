// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far predictions were off. Several figures, because each alone flatters something: relative errors favour low
// guesses, shares within a factor hide the far ones, a spread hides a bias. SA compares with guessing another case's
// effort; with few cases every figure needs its bootstrap interval.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace unwarp::cost {

/// Person-weeks; `actual` is exact, lower bounds are not scored.
struct ScoredCase {
  double predicted = 0, low = 0, high = 0, actual = 0;
};

/// Median of |predicted - actual| / actual; share of cases within a factor of two; sample standard deviation of
/// ln(predicted/actual); 1 - mean absolute error / that of guessing a random other actual; share of actuals inside
/// their intervals; median of high/low. None where too few cases define it.
struct Scores {
  std::optional<double> mdmre, within2x, sdLogRatio, sa, coverage80, medianWidth;
};

inline constexpr std::array<std::string_view, 6> scoreNames{"mdmre", "within_2x",   "sd_log_ratio",
                                                            "sa",    "coverage_80", "median_width"};
std::array<std::optional<double>, 6> valuesOf(const Scores& scores);

Scores scoresOf(std::span<const ScoredCase> cases);

/// The middle 90 % of each score over 2,000 resamples of the cases, drawn from a fixed seed. Linear in the cases per
/// resample; the order of the cases cannot be seen in the result.
struct ScoreIntervals {
  std::array<std::optional<double>, 6> low, high;
};
ScoreIntervals bootstrap(std::span<const ScoredCase> cases);

}  // namespace unwarp::cost
