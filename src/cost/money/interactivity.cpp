// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/money/interactivity.h"

#include <algorithm>
#include <cmath>

#include "cost/money/compare.h"
#include "cost/quantity.h"

namespace unwarp::cost::money {

namespace {

/// Slope of the curve at a point by Steffen: that of the parabola through three points, held so that no overshoot can
/// come of it; at the ends the slope of the line.
double slopeAt(const std::vector<FrontPoint>& front, std::size_t i) {
  auto line = [&](std::size_t k) {
    return (front[k + 1].rate - front[k].rate) / (front[k + 1].interactivity - front[k].interactivity);
  };
  if (i == 0) return line(0);
  if (i + 1 == front.size()) return line(i - 1);
  double before = line(i - 1), behind = line(i);
  double left = front[i].interactivity - front[i - 1].interactivity;
  double right = front[i + 1].interactivity - front[i].interactivity;
  double parabola = (before * right + behind * left) / (left + right);
  double sign = (before > 0 ? 1 : -1) + (behind > 0 ? 1 : -1);
  return sign * std::min({std::abs(before), std::abs(behind), std::abs(parabola) / 2});
}

/// Milliseconds per token of the middle request, else the mean.
std::optional<double> timePerToken(const Measurement& run) {
  const Latency& tpot = run.of(LatencyKind::Tpot);
  return tpot.p50Ms ? tpot.p50Ms : tpot.meanMs;
}

/// The same but for load and how the GPUs are divided up: points of one sweep.
bool ofOneSweep(const Measurement& a, const Measurement& b) {
  Measurement x = a, y = b;
  for (Measurement* m : {&x, &y}) m->concurrency = m->requestRatePerS = std::nullopt;
  return a.gpu == b.gpu && a.precision == b.precision && a.engine == b.engine && compare(x, y).allowed();
}

Measurement interpolated(const std::vector<const Measurement*>& sweep, double rate, double target) {
  auto distance = [&](const Measurement* run) { return std::abs(1000 / *timePerToken(*run) - target); };
  const Measurement& near = **std::min_element(sweep.begin(), sweep.end(),
                                               [&](const auto* a, const auto* b) { return distance(a) < distance(b); });
  Measurement at = near;
  at.concurrency = at.requestRatePerS = std::nullopt;
  at.latency = {};
  at.requestOutputTokens.clear();
  double gpus = *near.gpus, before = *near.outputTokensPerS;
  at.outputTokensPerS = rate * gpus;
  if (near.inputTokensPerS) at.inputTokensPerS = *near.inputTokensPerS * rate * gpus / before;
  at.workload += (at.workload.empty() ? "" : ", ") + ("at " + significant(target, 3) + " tokens/s per user");
  if (sweep.size() > 1) at.source += " and " + std::to_string(sweep.size() - 1) + " more of its sweep";
  at.marks.push_back(at.gpu + ": read from a sweep of " + std::to_string(sweep.size()) +
                     (sweep.size() == 1 ? " run: no trade-off is known" : " runs"));
  return at;
}

}  // namespace

std::vector<FrontPoint> frontOf(std::vector<FrontPoint> points) {
  std::sort(points.begin(), points.end(), [](const FrontPoint& a, const FrontPoint& b) {
    return a.interactivity != b.interactivity ? a.interactivity > b.interactivity : a.rate > b.rate;
  });
  std::vector<FrontPoint> front;
  for (const FrontPoint& point : points)
    if (front.empty() || point.rate > front.back().rate) front.push_back(point);
  std::reverse(front.begin(), front.end());
  return front;
}

double rateAt(const std::vector<FrontPoint>& front, double interactivity) {
  if (front.empty() || interactivity > front.back().interactivity) return 0;
  if (interactivity <= front.front().interactivity) return front.front().rate;
  std::size_t i = 1;
  while (front[i].interactivity < interactivity) ++i;
  const FrontPoint &a = front[i - 1], &b = front[i];
  double width = b.interactivity - a.interactivity, x = interactivity - a.interactivity;
  double line = (b.rate - a.rate) / width, start = slopeAt(front, i - 1), end = slopeAt(front, i);
  double cubic = (start + end - 2 * line) / (width * width), square = (3 * line - 2 * start - end) / width;
  return std::max(0.0, ((cubic * x + square) * x + start) * x + a.rate);
}

std::vector<Measurement> atInteractivity(std::span<const Measurement> runs, double target,
                                         std::vector<std::string>& notes) {
  std::vector<std::vector<const Measurement*>> sweeps;
  for (const Measurement& run : runs) {
    auto time = timePerToken(run);
    if (!run.unfit.empty() || !run.outputTokensPerSPerGpu() || !time || *time <= 0) {
      notes.push_back(run.source + ": left out: " +
                      (run.unfit.empty() ? "no count of GPUs, token rate or time per output token" : run.unfit));
      continue;
    }
    auto sweep =
        std::find_if(sweeps.begin(), sweeps.end(), [&](const auto& one) { return ofOneSweep(*one.front(), run); });
    if (sweep == sweeps.end())
      sweeps.push_back({&run});
    else
      sweep->push_back(&run);
  }
  std::vector<Measurement> result;
  for (const auto& sweep : sweeps) {
    std::vector<FrontPoint> points;
    for (const Measurement* run : sweep) points.push_back({1000 / *timePerToken(*run), *run->outputTokensPerSPerGpu()});
    std::vector<FrontPoint> front = frontOf(std::move(points));
    double rate = rateAt(front, target);
    if (rate > 0)
      result.push_back(interpolated(sweep, rate, target));
    else
      notes.push_back(titleOf(*sweep.front()) + " on " + sweep.front()->gpu + ": left out: reaches " +
                      significant(front.back().interactivity, 3) + " tokens/s per user at most");
  }
  return result;
}

}  // namespace unwarp::cost::money
