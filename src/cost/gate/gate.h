// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is the candidate slower than the base? Runs of both sides are grouped by what they measured, groups that may be
// compared are paired, and each metric of a pair gets a ratio with an interval and an outcome:
//   equal         the interval of two one-sided tests lies within the metric's margin around 1
//   slower        else, the interval of the ratio lies wholly on the worse side of 1
//   faster        wholly on the better side
//   equal         also: shown not to be worse by more than the margin, while better is not shown
//   inconclusive  none of these; the number of further runs that would settle it is told
// The intervals of the ratios hold together over all metrics of a gate (each has level alpha / number of metrics), so
// that many metrics do not make false alarms; equality needs no such share, since the whole is equal only when every
// metric is. The whole is slower when any metric is; else not comparable when the candidate lacks something that the
// base has (a workload, a figure, or runs that went wrong), because what is not there cannot pass; else inconclusive
// when any metric is, else faster when any is, else equal.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cost/gate/statistics.h"
#include "cost/money/measurement.h"

namespace unwarp::cost::gate {

/// NotComparable is an outcome of the whole alone.
enum class Outcome : std::uint8_t { Equal, Faster, Slower, Inconclusive, NotComparable };
inline constexpr std::array<std::string_view, 5> outcomeNames{"equal", "faster", "slower", "inconclusive",
                                                              "not comparable"};

/// What Options::metrics may name.
inline constexpr std::array<std::string_view, 8> metricNames{"throughput", "ttft_p50", "ttft_p99", "tpot_p50",
                                                             "tpot_p99",   "e2el_p50", "e2el_p99", "cost"};

struct Options {
  double margin = 0.03;         ///< differences of rates and costs up to this share do not matter
  double latencyMargin = 0.05;  ///< the same for the middle of latencies
  double tailMargin = 0.1;      ///< and for their 99 % point
  double alpha = 0.05;          ///< chance of a false alarm of the whole gate
  double effect = 0.05;         ///< the slowdown that `power` is told for
  /// Money per GPU and hour of a run, for cost per token; where a run has none there is no such metric.
  std::function<std::optional<double>(const money::Measurement&)> price;
  /// Metrics to judge by name (throughput, ttft_p50, ..., cost); empty: all that both sides have.
  std::vector<std::string> metrics;
};

struct Metric {
  std::string name;  ///< throughput, ttft_p99, cost
  std::string unit;
  double margin = 0;               ///< of this metric
  double base = 0, candidate = 0;  ///< geometric means of the runs
  std::optional<LogRatio> ratio;   ///< of candidate / base; nothing: no spread is known
  Outcome outcome = Outcome::Inconclusive;
  std::optional<double> power;  ///< to find a slowdown of Options::effect with as many runs; nothing: unknown
  std::optional<std::size_t> furtherRuns;  ///< per side, to settle an inconclusive one; nothing: not by runs
  std::string note;
};

/// What was compared with what.
struct Pair {
  std::string title;
  std::size_t baseRuns = 0, candidateRuns = 0;
  std::vector<Metric> metrics;
  std::vector<std::string> marks;
};

struct Report {
  Outcome outcome = Outcome::Inconclusive;
  std::vector<Pair> pairs;
  std::vector<std::string> missing;    ///< what the base has and the candidate lacks: no pass in spite of it
  std::vector<std::string> unmatched;  ///< runs without counterpart, and why
  std::string candidateDate;           ///< of the newest run
  Options options;
};

/// Fails when no run of one side may be compared with one of the other; the message holds the reasons.
/// `broken`: files of the candidate that are results cut short, which counts as a run that went wrong.
Result<Report> judge(std::span<const money::Measurement> base, std::span<const money::Measurement> candidate,
                     const Options& options, std::span<const std::string> broken = {});

/// 0 equal or faster, 1 slower, 2 not comparable, 3 inconclusive.
int exitStatus(Outcome outcome);

std::string terminalText(const Report& report);
/// One JSON object without line break (docs/schema/gate.schema.json): the result for programs and a line of a history.
std::string jsonText(const Report& report);

}  // namespace unwarp::cost::gate
