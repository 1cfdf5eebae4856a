// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantiles of many long columns without sorting them: values are counted into bins whose range is guessed from a
// sample, and only the bins that hold an asked rank are ordered. The result is the exact order statistic.
#pragma once

#include <span>
#include <vector>

#include "cost/simulate/simulate.h"

namespace unwarp::cost::simulate {

/// Order statistics at the given ranks (from 0, ascending, at most 255) of `values`.
std::vector<double> orderStatistics(std::span<const double> values, std::span<const std::size_t> ranks);

/// P10 ... P90 (nearest rank) and the mean.
Quantiles quantilesOf(std::span<const double> values);

/// Spearman's correlation of uniform draws with `values`; 0 when the values do not vary.
double rankCorrelation(std::span<const double> uniform, std::span<const double> ranks);
/// Ranks from 0 of `values`, equal ones by position.
std::vector<double> ranksOf(std::span<const double> values);

}  // namespace unwarp::cost::simulate
