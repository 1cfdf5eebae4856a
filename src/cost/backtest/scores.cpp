// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/backtest/scores.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cost/random.h"

namespace unwarp::cost {

namespace {

constexpr int resamples = 2000;
constexpr std::uint64_t seed = 20261201;

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::optional<double> sampleSd(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  double mean = 0, squares = 0;
  for (double value : values) mean += value / static_cast<double>(values.size());
  for (double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

/// 1 - mean absolute error over the mean distance between two different cases' actuals.
std::optional<double> standardisedAccuracy(std::span<const ScoredCase> cases) {
  double error = 0, guess = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    error += std::abs(cases[i].predicted - cases[i].actual);
    for (std::size_t j = 0; j < cases.size(); ++j) guess += std::abs(cases[j].actual - cases[i].actual);
  }
  if (guess == 0) return std::nullopt;
  return 1 - error / (guess / static_cast<double>(cases.size() - 1));
}

}  // namespace

std::array<std::optional<double>, 6> valuesOf(const Scores& scores) {
  return {scores.mdmre, scores.within2x, scores.sdLogRatio, scores.sa, scores.coverage80, scores.medianWidth};
}

Scores scoresOf(std::span<const ScoredCase> cases) {
  if (cases.empty()) return {};
  std::vector<double> relative, logRatios, widths;
  double within = 0, covered = 0;
  for (const ScoredCase& scored : cases) {
    relative.push_back(std::abs(scored.predicted - scored.actual) / scored.actual);
    logRatios.push_back(std::log(scored.predicted / scored.actual));
    widths.push_back(scored.high / scored.low);
    within += std::abs(logRatios.back()) <= std::log(2.0) ? 1 : 0;
    covered += scored.low <= scored.actual && scored.actual <= scored.high ? 1 : 0;
  }
  auto count = static_cast<double>(cases.size());
  return {medianOf(relative),          within / count,  sampleSd(logRatios),
          standardisedAccuracy(cases), covered / count, medianOf(widths)};
}

ScoreIntervals bootstrap(std::span<const ScoredCase> cases) {
  ScoreIntervals result;
  if (cases.size() < 2) return result;
  Random random(seed);
  std::array<std::vector<double>, 6> samples;
  std::vector<ScoredCase> drawn(cases.size());
  for (int i = 0; i < resamples; ++i) {
    for (ScoredCase& one : drawn) one = cases[random.below(cases.size())];
    auto values = valuesOf(scoresOf(drawn));
    for (std::size_t k = 0; k < values.size(); ++k)
      if (values[k]) samples[k].push_back(*values[k]);
  }
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (samples[k].empty()) continue;
    std::sort(samples[k].begin(), samples[k].end());
    result.low[k] = samples[k][samples[k].size() / 20];
    result.high[k] = samples[k][samples[k].size() - 1 - samples[k].size() / 20];
  }
  return result;
}

}  // namespace unwarp::cost
