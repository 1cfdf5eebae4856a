// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sweep trades throughput for interactivity (tokens per second that one user sees: 1 / time per output token), so two
// GPUs are compared at equal interactivity or not at all. The runs of a GPU that measured one thing become its front,
// of which no run is beaten in both; between its points the throughput is interpolated by Steffen's monotone cubics
// (1990), which never leave the range of their neighbours. Nothing is extrapolated beyond the most interactive run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cost/money/measurement.h"

namespace unwarp::cost::money {

/// x ascending, y descending.
struct FrontPoint {
  double interactivity = 0, rate = 0;
};

/// The points that no other beats in both.
std::vector<FrontPoint> frontOf(std::vector<FrontPoint> points);
/// The rate at an interactivity: that of the first point below the front's range, 0 beyond it.
double rateAt(const std::vector<FrontPoint>& front, double interactivity);

/// One run per GPU, model, precision, engine and lengths: what its sweep gives at `target` tokens per second and user.
/// What has no time per token or does not get there becomes a note.
std::vector<Measurement> atInteractivity(std::span<const Measurement> runs, double target,
                                         std::vector<std::string>& notes);

}  // namespace unwarp::cost::money
