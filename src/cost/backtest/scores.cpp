// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/backtest/scores.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

#include "cost/random.h"

namespace unwarp::cost {

namespace {

constexpr int resamples = 2000;
constexpr std::uint64_t seed = 20261201;

/// Scores of resamples, of which each is a count per case: what needs an order is ordered once, so that a resample is
/// only walked through.
class Sampler {
 public:
  explicit Sampler(std::span<const ScoredCase> cases) : cases_(cases.begin(), cases.end()) {
    // Sums round by their order; rows in another order must not.
    std::sort(cases_.begin(), cases_.end(), [](const ScoredCase& a, const ScoredCase& b) {
      return std::tie(a.actual, a.predicted, a.low, a.high) < std::tie(b.actual, b.predicted, b.low, b.high);
    });
    for (const ScoredCase& one : cases_) {
      relative_.values.push_back(std::abs(one.predicted - one.actual) / one.actual);
      widths_.values.push_back(one.high / one.low);
      logRatios_.push_back(std::log(one.predicted / one.actual));
    }
    for (Ordered* ordered : {&relative_, &widths_}) {
      ordered->order.resize(cases_.size());
      std::iota(ordered->order.begin(), ordered->order.end(), std::size_t(0));
      std::sort(ordered->order.begin(), ordered->order.end(),
                [&](std::size_t a, std::size_t b) { return ordered->values[a] < ordered->values[b]; });
    }
  }

  std::size_t size() const { return cases_.size(); }

  /// `counts`: how often each case was drawn, at least one in all.
  Scores scoresOf(const std::vector<std::uint32_t>& counts) const {
    double total = 0, within = 0, covered = 0;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const ScoredCase& one = cases_[i];
      total += counts[i];
      within += std::abs(logRatios_[i]) <= std::log(2.0) ? counts[i] : 0;
      covered += one.low <= one.actual && one.actual <= one.high ? counts[i] : 0;
    }
    return {medianOf(relative_, counts, total),  within / total,  sampleSd(counts, total),
            standardisedAccuracy(counts, total), covered / total, medianOf(widths_, counts, total)};
  }

 private:
  struct Ordered {
    std::vector<double> values;
    std::vector<std::size_t> order;
  };

  /// The middle of the drawn values, or the mean of the two in the middle.
  static double medianOf(const Ordered& ordered, const std::vector<std::uint32_t>& counts, double total) {
    double lower = std::ceil(total / 2), upper = std::floor(total / 2) + 1, seen = 0, sum = 0;
    for (std::size_t index : ordered.order) {
      double before = seen;
      seen += counts[index];
      if (before < lower && seen >= lower) sum += ordered.values[index];
      if (before < upper && seen >= upper) return (sum + ordered.values[index]) / 2;
    }
    return sum;
  }

  std::optional<double> sampleSd(const std::vector<std::uint32_t>& counts, double total) const {
    if (total < 2) return std::nullopt;
    double mean = 0, squares = 0;
    for (std::size_t i = 0; i < cases_.size(); ++i) mean += counts[i] * logRatios_[i] / total;
    for (std::size_t i = 0; i < cases_.size(); ++i) squares += counts[i] * std::pow(logRatios_[i] - mean, 2);
    return std::sqrt(squares / (total - 1));
  }

  /// 1 - mean absolute error over the mean distance between two different cases' actuals. Actuals are ascending, so the
  /// distances of one to all below it are a multiple less a running sum.
  std::optional<double> standardisedAccuracy(const std::vector<std::uint32_t>& counts, double total) const {
    double error = 0, guess = 0, below = 0, sumBelow = 0;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const ScoredCase& one = cases_[i];
      error += counts[i] * std::abs(one.predicted - one.actual);
      guess += 2.0 * counts[i] * (below * one.actual - sumBelow);
      below += counts[i];
      sumBelow += counts[i] * one.actual;
    }
    if (guess <= 0) return std::nullopt;
    return 1 - error / (guess / (total - 1));
  }

  std::vector<ScoredCase> cases_;
  Ordered relative_, widths_;
  std::vector<double> logRatios_;
};

}  // namespace

std::array<std::optional<double>, 6> valuesOf(const Scores& scores) {
  return {scores.mdmre, scores.within2x, scores.sdLogRatio, scores.sa, scores.coverage80, scores.medianWidth};
}

Scores scoresOf(std::span<const ScoredCase> cases) {
  if (cases.empty()) return {};
  return Sampler(cases).scoresOf(std::vector<std::uint32_t>(cases.size(), 1));
}

ScoreIntervals bootstrap(std::span<const ScoredCase> cases) {
  ScoreIntervals result;
  if (cases.size() < 2) return result;
  const Sampler sampler(cases);
  Random random(seed);
  std::array<std::vector<double>, 6> samples;
  for (int i = 0; i < resamples; ++i) {
    std::vector<std::uint32_t> counts(sampler.size());
    for (std::size_t draw = 0; draw < sampler.size(); ++draw) ++counts[random.below(sampler.size())];
    auto values = valuesOf(sampler.scoresOf(counts));
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
