// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two sets of runs, one ratio. Rates and latencies are positive and their noise is proportional, so everything happens
// on logarithms: the estimate is the difference of mean logarithms, its interval Welch's (unequal variances, Welch
// 1947). A side with a single run borrows the other side's variance when that has at least three runs. With one run on
// each side only per-request values can say something; they are resampled in blocks of neighbours, since requests that
// are served together share their fate (Künsch 1989).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace unwarp::cost::gate {

/// The logarithm of candidate / base, and an interval for it.
struct LogRatio {
  double estimate = 0, low = 0, high = 0;
  double sd = 0;       ///< of the logarithm of one run, pooled; 0 when unknown
  double freedom = 0;  ///< degrees of freedom, 0 for resampling
};

/// Two-sided quantile of Student's t: P(|T| > value) = alpha.
double studentQuantile(double freedom, double alpha);

/// Values are positive. Nothing when the runs cannot say how much a run varies: fewer than two on both sides, or fewer
/// than three on the only side with several. `alpha`: share of intervals that may miss.
std::optional<LogRatio> welch(std::span<const double> base, std::span<const double> candidate, double alpha);

/// A statistic of requests (by index), such as their median.
using Statistic = std::function<double(const std::vector<std::size_t>& requests)>;
/// Interval of log(statistic of candidate / statistic of base) by a moving-block bootstrap of the requests of each
/// side; nothing for fewer than `leastRequests` on a side.
struct Resampled {
  std::size_t requests = 0;
  Statistic statistic;
};
inline constexpr std::size_t leastRequests = 20;
std::optional<LogRatio> bootstrap(const Resampled& base, const Resampled& candidate, double alpha, std::uint64_t seed);

/// The chance that an interval of level `alpha` lies wholly on one side of 0 when the true log ratio is `effect`, runs
/// have the standard deviation `sd`, and the sides have so many of them. A single run borrows the other side's `sd`, as
/// in `welch`; 0 when nothing tells a spread.
double powerOf(double effect, double sd, std::array<std::size_t, 2> runs, double alpha);
/// Runs per side after which the half width of the interval is at most `halfWidth`; nothing above 10,000.
std::optional<std::size_t> runsFor(double halfWidth, double sd, double alpha);

}  // namespace unwarp::cost::gate
