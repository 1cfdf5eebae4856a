// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The metrics of a gate as series of numbers: one value per run and side, and where each side has a single run with
// per-request values, a statistic that can be resampled.
#pragma once

#include <string>
#include <vector>

#include "cost/gate/gate.h"

namespace unwarp::cost::gate {

struct MetricSeries {
  std::string name, unit;
  bool moreIsBetter = false;
  std::vector<double> base, candidate;
  bool resampled = false;
  Resampled baseRequests, candidateRequests;
};

struct Series {
  std::vector<MetricSeries> series;
  std::vector<std::string> marks;    ///< what is not judged, and why
  std::vector<std::string> missing;  ///< metrics that the base has and the candidate lacks
};

/// Every metric that all runs of both sides have; those of Options::metrics only when it names some.
Series seriesOf(const std::vector<const money::Measurement*>& base,
                const std::vector<const money::Measurement*>& candidate, const Options& options);

double geometricMean(const std::vector<double>& values);

}  // namespace unwarp::cost::gate
