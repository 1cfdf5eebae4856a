// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/gate/gate.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "cost/distribution.h"
#include "cost/gate/metrics.h"
#include "cost/money/compare.h"
#include "cost/quantity.h"

namespace unwarp::cost::gate {

namespace {

using money::Measurement;
using Runs = std::vector<const Measurement*>;

bool sameFigures(const Measurement& a, const Measurement& b) {
  auto same = [](const money::Latency& x, const money::Latency& y) {
    return x.meanMs == y.meanMs && x.p50Ms == y.p50Ms && x.p99Ms == y.p99Ms;
  };
  return a.durationS == b.durationS && a.outputTokensPerS == b.outputTokensPerS && a.requestsPerS == b.requestsPerS &&
         std::equal(a.latency.begin(), a.latency.end(), b.latency.begin(), same);
}

/// Groups of runs that may be compared with each other. A run whose every figure equals another's is a copy of it.
std::vector<Runs> grouped(std::span<const Measurement> runs, std::vector<std::string>& told) {
  std::vector<Runs> groups;
  for (const Measurement& run : runs) {
    if (!run.unfit.empty()) {
      told.push_back(run.source + ": " + run.unfit);
      continue;
    }
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Runs& g) {
      return g[0]->gpu == run.gpu && g[0]->gpus == run.gpus && money::compare(*g[0], run).allowed();
    });
    if (group == groups.end()) {
      groups.push_back({&run});
      continue;
    }
    auto copy = std::find_if(group->begin(), group->end(), [&](const Measurement* m) { return sameFigures(*m, run); });
    if (copy == group->end())
      group->push_back(&run);
    else
      told.push_back(run.source + ": has the very figures of " + (*copy)->source + " and counts once");
  }
  return groups;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

/// On whose side the interval lies. `sign` is 1 where more is better, -1 where less is; `equality` is the interval of
/// two one-sided tests.
Outcome outcomeOf(const LogRatio& ratio, const LogRatio& equality, double sign, double margin) {
  if (equality.low >= -margin && equality.high <= margin) return Outcome::Equal;
  double low = sign > 0 ? ratio.low : -ratio.high, high = sign > 0 ? ratio.high : -ratio.low;
  if (high < 0) return Outcome::Slower;
  if (low > 0) return Outcome::Faster;
  double worst = sign > 0 ? equality.low : -equality.high;
  return worst >= -margin ? Outcome::Equal : Outcome::Inconclusive;  // not worse by more than the margin
}

std::optional<LogRatio> intervalOf(const MetricSeries& series, double alpha) {
  auto ratio = welch(series.base, series.candidate, alpha);
  return ratio || !series.resampled ? ratio : bootstrap(series.baseRequests, series.candidateRequests, alpha, 1);
}

double marginOf(const MetricSeries& series, const Options& options) {
  if (series.name.ends_with("_p99")) return options.tailMargin;
  return series.name.ends_with("_p50") ? options.latencyMargin : options.margin;
}

/// Sets power, and for an open outcome the runs that would settle it: enough to tell a difference as large as the
/// estimate from none, or enough to show it equal, whichever is fewer.
void setPower(const LogRatio& equality, const Options& options, double alpha, std::array<std::size_t, 2> sides,
              Metric& metric) {
  const LogRatio& ratio = *metric.ratio;
  std::size_t runs = std::min(sides[0], sides[1]);
  double effect = std::log1p(options.effect), distance = std::abs(ratio.estimate);
  double room = std::log1p(metric.margin) - distance;
  std::optional<std::size_t> differ, equal;
  if (ratio.freedom > 0) {
    metric.power = powerOf(effect, ratio.sd, sides, alpha);
    if (distance > 0) differ = runsFor(distance, ratio.sd, alpha);
    if (room > 0) equal = runsFor(room, ratio.sd, 2 * options.alpha);
  } else {
    // An interval from one run's requests shrinks with the root of their number.
    auto times = [](double half, double target) -> std::optional<std::size_t> {
      double needed = std::pow(half / target, 2);
      return target > 0 && needed < 10'000 ? std::optional(static_cast<std::size_t>(std::ceil(needed))) : std::nullopt;
    };
    double half = (ratio.high - ratio.low) / 2, quantile = -normalQuantile(alpha / 2);
    metric.power = half > 0 ? normalCdf(effect * quantile / half - quantile) : 1;
    differ = times(half, distance);
    equal = times((equality.high - equality.low) / 2, room);
  }
  auto needed = differ && equal ? std::min(*differ, *equal) : differ ? differ : equal;
  if (metric.outcome == Outcome::Inconclusive && needed) metric.furtherRuns = std::max(*needed, runs + 1) - runs;
}

Metric judgeMetric(const MetricSeries& series, const Options& options, double alpha) {
  Metric metric;
  metric.name = series.name;
  metric.unit = series.unit;
  metric.margin = marginOf(series, options);
  metric.base = geometricMean(series.base);
  metric.candidate = geometricMean(series.candidate);
  metric.ratio = intervalOf(series, alpha);
  if (!metric.ratio) {
    metric.furtherRuns = 3 - std::min<std::size_t>(2, std::min(series.base.size(), series.candidate.size()));
    metric.note = "one run a side has no spread";
    return metric;
  }
  if (metric.ratio->freedom <= 0) metric.note = "from the requests of one run a side: how runs vary is not in it";
  // Two one-sided tests at `alpha` each: the whole is equal only when every metric is, so no share of it is spent.
  LogRatio equality = *intervalOf(series, 2 * options.alpha);
  metric.outcome = outcomeOf(*metric.ratio, equality, series.moreIsBetter ? 1 : -1, std::log1p(metric.margin));
  setPower(equality, options, alpha, {series.base.size(), series.candidate.size()}, metric);
  return metric;
}

struct Matched {
  Runs base, candidate;
  std::vector<MetricSeries> series;
  std::vector<std::string> marks;
};

/// The groups of the base that a group of the candidate is judged against: those on as many of the same GPUs, and
/// where there are none, all that may be compared. What was refused goes into `why`.
std::vector<const Runs*> counterparts(const std::vector<Runs>& base, const Measurement& run,
                                      std::vector<std::string>& why, std::set<const Runs*>& met) {
  std::vector<const Runs*> all, sameSystem;
  for (const Runs& b : base) {
    money::Comparability comparable = money::compare(*b[0], run);
    if (!comparable.allowed()) {
      why.push_back("with " + b[0]->source + ": " + joined(comparable.refusals));
      continue;
    }
    met.insert(&b);
    all.push_back(&b);
    if (b[0]->gpu == run.gpu && b[0]->gpus == run.gpus) sameSystem.push_back(&b);
  }
  return sameSystem.empty() ? all : sameSystem;
}

/// Metrics that are asked for by name, or that the base has, and that this pair does not judge.
void noteMissing(const Series& series, const std::string& title, const Options& options,
                 std::vector<std::string>& missing) {
  for (const std::string& name : series.missing)
    if (name != "cost" || !options.metrics.empty())  // no price of a GPU is no fault of the candidate
      missing.push_back(title + ": the candidate has no " + name +
                        ", or one of 0; --metric names what to judge instead");
  for (const std::string& name : options.metrics) {
    bool known = std::find(series.missing.begin(), series.missing.end(), name) != series.missing.end() ||
                 std::any_of(series.series.begin(), series.series.end(),
                             [&](const MetricSeries& one) { return one.name == name; });
    if (!known) missing.push_back(title + ": --metric " + name + " cannot be judged from these runs");
  }
}

std::vector<Matched> matched(const std::vector<Runs>& base, const std::vector<Runs>& candidate, const Options& options,
                             Report& report) {
  std::vector<Matched> pairs;
  std::set<const Runs*> met;
  for (const Runs& c : candidate) {
    std::vector<std::string> why;
    for (const Runs* b : counterparts(base, *c[0], why, met)) {
      std::vector<std::string> marks = money::compare(*(*b)[0], *c[0]).marks;
      if ((*b)[0]->gpu != c[0]->gpu) marks.push_back("the GPU differs: " + (*b)[0]->gpu + " and " + c[0]->gpu);
      Series series = seriesOf(*b, c, options);
      noteMissing(series, money::titleOf(*c[0]), options, report.missing);
      std::move(series.marks.begin(), series.marks.end(), std::back_inserter(marks));
      pairs.push_back({*b, c, std::move(series.series), std::move(marks)});
    }
    if (why.size() == base.size()) report.unmatched.push_back(c[0]->source + " cannot be compared " + joined(why));
  }
  for (const Runs& b : base)
    if (!met.contains(&b))
      report.missing.push_back(money::titleOf(*b[0]) + ": the base has it (" + b[0]->source +
                               "), the candidate has nothing to compare with it");
  return pairs;
}

/// Runs of the candidate that went wrong: left out they would hide what is slower than slow.
void noteFailed(std::span<const Measurement> candidate, std::span<const std::string> broken, Report& report) {
  for (const Measurement& run : candidate)
    if (run.failedRun) report.missing.push_back(run.source + ": a run of the candidate that went wrong: " + run.unfit);
  for (const std::string& file : broken) report.missing.push_back("a run of the candidate that went wrong: " + file);
}

Outcome whole(const Report& report) {
  bool slower = false, open = false, faster = false;
  for (const Pair& pair : report.pairs)
    for (const Metric& metric : pair.metrics) {
      slower |= metric.outcome == Outcome::Slower;
      open |= metric.outcome == Outcome::Inconclusive;
      faster |= metric.outcome == Outcome::Faster;
    }
  if (slower) return Outcome::Slower;
  if (!report.missing.empty()) return Outcome::NotComparable;
  if (open) return Outcome::Inconclusive;
  return faster ? Outcome::Faster : Outcome::Equal;
}

}  // namespace

Result<Report> judge(std::span<const Measurement> base, std::span<const Measurement> candidate, const Options& options,
                     std::span<const std::string> broken) {
  if (base.empty()) return Error{"the base holds no benchmark result"};
  if (candidate.empty()) return Error{"the candidate holds no benchmark result"};
  Report report;
  report.options = options;
  std::vector<Runs> baseGroups = grouped(base, report.unmatched);
  std::vector<Matched> pairs = matched(baseGroups, grouped(candidate, report.unmatched), options, report);
  noteFailed(candidate, broken, report);
  std::size_t metrics = 0;
  for (const Matched& pair : pairs) metrics += pair.series.size();
  if (pairs.empty()) return Error{"not comparable: " + joined(report.unmatched)};
  if (metrics == 0)
    return Error{"no metric that both sides have" + std::string(options.metrics.empty() ? "" : " and --metric names")};
  for (const Matched& matchedPair : pairs) {
    Pair pair{money::titleOf(*matchedPair.candidate[0]),
              matchedPair.base.size(),
              matchedPair.candidate.size(),
              {},
              matchedPair.marks};
    for (const MetricSeries& series : matchedPair.series)
      pair.metrics.push_back(judgeMetric(series, options, options.alpha / static_cast<double>(metrics)));
    for (const Measurement* run : matchedPair.candidate)
      report.candidateDate = std::max(report.candidateDate, run->date);
    report.pairs.push_back(std::move(pair));
  }
  report.outcome = whole(report);
  return report;
}

int exitStatus(Outcome outcome) {
  if (outcome == Outcome::NotComparable) return 2;
  return outcome == Outcome::Slower ? 1 : outcome == Outcome::Inconclusive ? 3 : 0;
}

}  // namespace unwarp::cost::gate
