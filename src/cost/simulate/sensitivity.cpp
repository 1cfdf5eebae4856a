// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/simulate/sensitivity.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "cost/simulate/order.h"

namespace unwarp::cost::simulate {

namespace {

constexpr std::size_t slices = 20;
/// Options beyond these hardly ever win.
constexpr std::size_t contenders = 8;
/// A swing between two medians of the same trials needs fewer of them than a tail does.
constexpr std::size_t tornadoTrials = 2000;

double median(const Column& values) {
  const std::size_t rank = (values.size() - 1) / 2;
  return orderStatistics(values, std::span(&rank, 1))[0];
}

std::vector<std::size_t> bestOptions(const std::vector<Column>& npv) {
  std::vector<double> sums;
  for (const Column& column : npv) sums.push_back(std::accumulate(column.begin(), column.end(), 0.0));
  std::vector<std::size_t> order(npv.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
  order.resize(std::min(order.size(), contenders));
  return order;
}

std::vector<std::uint8_t> slicesOf(const Column& uniform) {
  std::vector<std::uint8_t> slice(uniform.size());
  for (std::size_t i = 0; i < uniform.size(); ++i)
    slice[i] =
        static_cast<std::uint8_t>(std::min(uniform[i] * static_cast<double>(slices), static_cast<double>(slices - 1)));
  return slice;
}

/// First-order index from the trials at hand: the variance of the means over slices of one input, of the whole
/// variance, less what slices of nothing would show.
double firstOrderOf(const Column& uniform, const Column& npv) {
  const std::vector<std::uint8_t> slice = slicesOf(uniform);
  const auto count = static_cast<double>(npv.size());
  const double mean = std::accumulate(npv.begin(), npv.end(), 0.0) / count;
  std::array<double, slices> sums{}, counts{};
  double total = 0, between = 0;
  for (std::size_t i = 0; i < npv.size(); ++i) {
    sums[slice[i]] += npv[i] - mean;
    ++counts[slice[i]];
    total += (npv[i] - mean) * (npv[i] - mean);
  }
  for (std::size_t s = 0; s < slices; ++s) between += counts[s] > 0 ? sums[s] * sums[s] / counts[s] : 0;
  if (total <= 0) return 0;
  return std::max(0.0, between / total - static_cast<double>(slices - 1) / count);
}

/// Mean over slices of the best option's sum, per trial.
double valueKnowing(const Column& uniform, const std::vector<std::size_t>& options, const std::vector<Column>& npv) {
  const std::vector<std::uint8_t> slice = slicesOf(uniform);
  std::array<double, slices> best{};  // staying: 0
  for (std::size_t option : options) {
    std::array<double, slices> sums{};
    for (std::size_t i = 0; i < slice.size(); ++i) sums[slice[i]] += npv[option][i];
    for (std::size_t s = 0; s < slices; ++s) best[s] = std::max(best[s], sums[s]);
  }
  return std::accumulate(best.begin(), best.end(), 0.0) / static_cast<double>(uniform.size());
}

}  // namespace

std::vector<Sensitivity> sensitivitiesOf(WorkloadRun& run, std::size_t best, const std::vector<Column>& npv) {
  std::vector<std::size_t> options = bestOptions(npv);
  double placebo = valueKnowing(uniforms(0, "placebo", npv[best].size()), options, npv);
  std::vector<double> ranks = ranksOf(npv[best]);
  std::vector<Sensitivity> found;
  OptionTrials trials;
  std::size_t count = std::min(npv[best].size(), tornadoTrials);
  run.evaluate(best, count, trials);
  double unmoved = median(trials.npv);
  for (const std::string& key : run.keys()) {
    Sensitivity one;
    one.name = run.variable(key).shown;
    bool matters = std::any_of(options.begin(), options.end(), [&](std::size_t o) { return run.uses(o, key); });
    if (matters) one.informationValue = std::max(0.0, valueKnowing(run.variable(key).uniform, options, npv) - placebo);
    one.npvAtP10 = one.npvAtP90 = unmoved;
    if (run.uses(best, key)) {
      one.rankCorrelation = rankCorrelation(run.variable(key).uniform, ranks);
      one.firstOrder = firstOrderOf(run.variable(key).uniform, npv[best]);
      for (auto [p, at] : {std::pair{0.1, &one.npvAtP10}, {0.9, &one.npvAtP90}}) {
        run.hold(key, p);
        run.evaluate(best, count, trials);
        run.release();
        *at = median(trials.npv);
      }
    }
    found.push_back(std::move(one));
  }
  std::stable_sort(found.begin(), found.end(), [](const Sensitivity& a, const Sensitivity& b) {
    return a.swing() != b.swing() ? a.swing() > b.swing() : a.name < b.name;
  });
  return found;
}

std::vector<std::string> worthMeasuring(const std::vector<Sensitivity>& sensitivities, std::size_t count) {
  std::vector<const Sensitivity*> order;
  for (const Sensitivity& one : sensitivities)
    if (one.swing() > 0 || one.informationValue > 0) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(), [](const Sensitivity* a, const Sensitivity* b) {
    return a->informationValue > b->informationValue;  // equal ones stay in order of their swing
  });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i) names.push_back(order[i]->name);
  return names;
}

}  // namespace unwarp::cost::simulate
