// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/gate/metrics.h"

#include <algorithm>
#include <cmath>

#include "cost/money/reading.h"
#include "cost/money/tokens.h"
#include "cost/quantity.h"

namespace unwarp::cost::gate {

namespace {

using money::Latency;
using money::LatencyKind;
using money::Measurement;
using Runs = std::vector<const Measurement*>;

/// A tail rests on at least this many requests, or it is not judged from one run.
constexpr double leastInTail = 5;

using Figure = std::function<std::optional<double>(const Measurement&)>;

bool collect(const Runs& runs, const Figure& figure, std::vector<double>& values) {
  for (const Measurement* run : runs) {
    auto value = figure(*run);
    if (!value || *value <= 0) return false;
    values.push_back(*value);
  }
  return true;
}

/// A quantile of some requests' values.
Resampled quantileOfRequests(const std::vector<double>& samples, double share) {
  return {samples.size(), [&samples, share](const std::vector<std::size_t>& requests) {
            std::vector<double> values;
            values.reserve(requests.size());
            for (std::size_t request : requests) values.push_back(samples[request]);
            std::sort(values.begin(), values.end());
            return money::quantileOf(values, share);
          }};
}

/// Tokens per millisecond in service: at equal concurrency the system's rate goes with it.
Resampled serviceRate(const Measurement& run, double sign) {
  const std::vector<double>&times = run.of(LatencyKind::E2e).samplesMs, &tokens = run.requestOutputTokens;
  return {times.size(), [&times, &tokens, sign](const std::vector<std::size_t>& requests) {
            double time = 0, count = 0;
            for (std::size_t request : requests) {
              time += times[request];
              count += tokens[request];
            }
            return std::pow(count / time, sign);
          }};
}

bool hasServiceTimes(const Measurement& run) {
  return !run.requestOutputTokens.empty() &&
         run.requestOutputTokens.size() == run.of(LatencyKind::E2e).samplesMs.size() && run.concurrency &&
         !run.requestRatePerS;
}

class Collector {
 public:
  Collector(const Runs& base, const Runs& candidate, const Options& options)
      : base_(base), candidate_(candidate), options_(options) {
    found.series.reserve(16);  // pointers to elements are kept while it grows
  }

  MetricSeries* add(std::string name, std::string unit, bool moreIsBetter, const Figure& figure) {
    const auto& wanted = options_.metrics;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) return nullptr;
    MetricSeries one;
    one.name = std::move(name);
    one.unit = std::move(unit);
    one.moreIsBetter = moreIsBetter;
    if (!collect(base_, figure, one.base)) return nullptr;
    if (!collect(candidate_, figure, one.candidate)) {
      found.missing.push_back(one.name);
      return nullptr;
    }
    found.series.push_back(std::move(one));
    return &found.series.back();
  }
  bool single() const { return base_.size() == 1 && candidate_.size() == 1; }

  void addLatency(LatencyKind kind, std::string_view statistic, double share) {
    auto member = statistic == "p50" ? &Latency::p50Ms : &Latency::p99Ms;
    std::string name = std::string(money::latencyNames[static_cast<std::size_t>(kind)]) + "_" + std::string(statistic);
    const auto &a = base_[0]->of(kind).samplesMs, &b = candidate_[0]->of(kind).samplesMs;
    bool resampled = single() && !a.empty() && !b.empty();
    double tail = (1 - share) * static_cast<double>(std::min(a.size(), b.size()));
    if (resampled && tail < leastInTail) {
      found.marks.push_back(name + " is not judged: in one run it rests on " + significant(tail, 2) + " requests");
      return;
    }
    MetricSeries* one = add(name, "ms", false, [&](const Measurement& run) { return run.of(kind).*member; });
    if (one == nullptr || !resampled) return;
    one->resampled = true;
    one->baseRequests = quantileOfRequests(a, share);
    one->candidateRequests = quantileOfRequests(b, share);
  }

  /// Of rates (sign 1) and of costs (sign -1).
  void resampleRate(MetricSeries* one, double sign) {
    if (one == nullptr || !single() || !hasServiceTimes(*base_[0]) || !hasServiceTimes(*candidate_[0])) return;
    one->resampled = true;
    one->baseRequests = serviceRate(*base_[0], sign);
    one->candidateRequests = serviceRate(*candidate_[0], sign);
  }

  Series found;

 private:
  const Runs &base_, &candidate_;
  const Options& options_;
};

}  // namespace

double geometricMean(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

Series seriesOf(const Runs& base, const Runs& candidate, const Options& options) {
  Collector collector(base, candidate, options);
  bool perGpu = base[0]->gpus && candidate[0]->gpus && *base[0]->gpus != *candidate[0]->gpus;
  auto divided = [perGpu](std::optional<double> rate, const Measurement& run) {
    return rate && perGpu ? std::optional(*rate / *run.gpus) : rate;
  };
  std::string per = perGpu ? "/s per GPU" : "/s";
  bool tokens = base[0]->outputTokensPerS && candidate[0]->outputTokensPerS;
  MetricSeries* rate = tokens
                           ? collector.add("throughput", "output tokens" + per, true,
                                           [&](const Measurement& run) { return divided(run.outputTokensPerS, run); })
                           : collector.add("throughput", "requests" + per, true,
                                           [&](const Measurement& run) { return divided(run.requestsPerS, run); });
  if (tokens) collector.resampleRate(rate, 1);
  for (LatencyKind kind : {LatencyKind::Ttft, LatencyKind::Tpot, LatencyKind::E2e}) {
    collector.addLatency(kind, "p50", 0.5);
    collector.addLatency(kind, "p99", 0.99);
  }
  if (!options.price) return std::move(collector.found);
  MetricSeries* cost = collector.add("cost", "per million output tokens", false, [&](const Measurement& run) {
    auto each = run.outputTokensPerSPerGpu(), price = options.price(run);
    return each && *each > 0 && price ? std::optional(money::costPerMillion(*price, *each, 1)) : std::nullopt;
  });
  collector.resampleRate(cost, -1);
  return std::move(collector.found);
}

}  // namespace unwarp::cost::gate
