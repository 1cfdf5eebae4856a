// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/gate/statistics.h"

#include <algorithm>
#include <cmath>

#include "cost/distribution.h"
#include "cost/random.h"

namespace unwarp::cost::gate {

namespace {

constexpr std::size_t resamples = 2000;

struct Moments {
  double count = 0, mean = 0, variance = 0;
};

Moments ofLogs(std::span<const double> values) {
  Moments m;
  m.count = static_cast<double>(values.size());
  for (double value : values) m.mean += std::log(value) / m.count;
  for (double value : values) m.variance += std::pow(std::log(value) - m.mean, 2);
  m.variance = values.size() > 1 ? m.variance / (m.count - 1) : 0;
  return m;
}

/// Indexes drawn as whole blocks of neighbours, as many as there are requests.
void drawBlocks(std::size_t requests, Random& random, std::vector<std::size_t>& drawn) {
  std::size_t block = std::max<std::size_t>(1, static_cast<std::size_t>(std::cbrt(static_cast<double>(requests))));
  drawn.clear();
  while (drawn.size() < requests) {
    std::size_t start = random.below(requests);
    for (std::size_t i = 0; i < block && drawn.size() < requests; ++i) drawn.push_back((start + i) % requests);
  }
}

double wholeStatistic(const Resampled& side) {
  std::vector<std::size_t> all(side.requests);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return side.statistic(all);
}

}  // namespace

double studentQuantile(double freedom, double alpha) {
  // T^2 / (freedom + T^2) is Beta(1/2, freedom/2); the upper tail of |T| is the lower tail of its complement.
  double x = Distribution::beta(freedom / 2, 0.5).quantile(alpha);
  return std::sqrt(freedom * (1 - x) / x);
}

std::optional<LogRatio> welch(std::span<const double> base, std::span<const double> candidate, double alpha) {
  Moments a = ofLogs(base), b = ofLogs(candidate);
  if (a.count < 1 || b.count < 1) return std::nullopt;
  LogRatio ratio;
  ratio.estimate = b.mean - a.mean;
  double squared = 0;
  if (a.count > 1 && b.count > 1) {
    double sa = a.variance / a.count, sb = b.variance / b.count;
    squared = sa + sb;
    double below = sa * sa / (a.count - 1) + sb * sb / (b.count - 1);
    ratio.freedom = below > 0 ? squared * squared / below : a.count + b.count - 2;
    ratio.sd = std::sqrt(((a.count - 1) * a.variance + (b.count - 1) * b.variance) / (a.count + b.count - 2));
  } else if (std::max(a.count, b.count) >= 3) {
    const Moments& known = a.count > b.count ? a : b;
    squared = known.variance * (1 + 1 / known.count);
    ratio.freedom = known.count - 1;
    ratio.sd = std::sqrt(known.variance);
  } else {
    return std::nullopt;
  }
  double half = squared > 0 ? studentQuantile(ratio.freedom, alpha) * std::sqrt(squared) : 0;
  ratio.low = ratio.estimate - half;
  ratio.high = ratio.estimate + half;
  return ratio;
}

std::optional<LogRatio> bootstrap(const Resampled& base, const Resampled& candidate, double alpha, std::uint64_t seed) {
  if (base.requests < leastRequests || candidate.requests < leastRequests) return std::nullopt;
  double whole = std::log(wholeStatistic(candidate) / wholeStatistic(base));
  if (!std::isfinite(whole)) return std::nullopt;
  Random random(seed);
  std::vector<double> drawn;
  std::vector<std::size_t> a, b;
  for (std::size_t i = 0; i < resamples; ++i) {
    drawBlocks(base.requests, random, a);
    drawBlocks(candidate.requests, random, b);
    double value = std::log(candidate.statistic(b) / base.statistic(a));
    if (std::isfinite(value)) drawn.push_back(value);
  }
  if (drawn.size() < resamples / 2) return std::nullopt;
  std::sort(drawn.begin(), drawn.end());
  auto at = [&](double share) {
    return drawn[static_cast<std::size_t>(share * static_cast<double>(drawn.size() - 1))];
  };
  return LogRatio{whole, at(alpha / 2), at(1 - alpha / 2), 0, 0};
}

double powerOf(double effect, double sd, std::array<std::size_t, 2> runs, double alpha) {
  auto [fewer, more] = std::minmax(runs[0], runs[1]);
  if (fewer < 1 || more < 2) return 0;
  if (sd <= 0) return 1;
  double error = sd * std::sqrt(1.0 / static_cast<double>(fewer) + 1.0 / static_cast<double>(more));
  auto freedom = static_cast<double>(fewer > 1 ? fewer + more - 2 : more - 1);
  return normalCdf(std::abs(effect) / error - studentQuantile(freedom, alpha));
}

std::optional<std::size_t> runsFor(double halfWidth, double sd, double alpha) {
  if (sd <= 0) return 2;
  auto enough = [&](std::size_t runs) {
    double count = static_cast<double>(runs);
    return studentQuantile(2 * count - 2, alpha) * sd * std::sqrt(2 / count) <= halfWidth;
  };
  std::size_t high = 2;
  while (!enough(high)) {
    high *= 2;
    if (high > 10'000) return std::nullopt;
  }
  std::size_t low = high == 2 ? 2 : high / 2 + 1;
  while (low < high) {
    std::size_t middle = (low + high) / 2;
    if (enough(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return high;
}

}  // namespace unwarp::cost::gate
