// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/simulate/order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace unwarp::cost::simulate {

namespace {

constexpr std::size_t binCount = 1024;
constexpr std::size_t sampleSize = 200;

/// Monotone map of values to bins; what lies outside the sample's range falls into the first or last bin.
struct Bins {
  double low = 0, scale = 0;

  explicit Bins(std::span<const double> values) {
    std::size_t step = std::max<std::size_t>(1, values.size() / sampleSize);
    double high = low = values[0];
    for (std::size_t i = 0; i < values.size(); i += step) {
      low = std::min(low, values[i]);
      high = std::max(high, values[i]);
    }
    scale = high > low ? static_cast<double>(binCount - 2) / (high - low) : 0;
  }
  std::uint16_t of(double value) const {
    double at = std::clamp((value - low) * scale + 1, 0.0, static_cast<double>(binCount - 1));
    return static_cast<std::uint16_t>(at);
  }
};

}  // namespace

std::vector<double> orderStatistics(std::span<const double> values, std::span<const std::size_t> ranks) {
  std::vector<double> found;
  if (values.empty()) return found;
  Bins bins(values);
  std::vector<std::uint16_t> bin(values.size());
  std::array<std::uint32_t, binCount> counts{};
  for (std::size_t i = 0; i < values.size(); ++i) bin[i] = bins.of(values[i]);
  for (std::uint16_t b : bin) ++counts[b];
  // The members of every bin that holds an asked rank, gathered in one pass.
  std::array<std::uint8_t, binCount> wantedBin{};
  std::vector<std::pair<std::size_t, std::size_t>> places;  // bin and rank inside it
  std::size_t below = 0, current = 0;
  for (std::size_t rank : ranks) {
    while (below + counts[current] <= rank) below += counts[current++];
    places.emplace_back(current, rank - below);
    if (wantedBin[current] == 0) wantedBin[current] = static_cast<std::uint8_t>(places.size());
  }
  std::vector<std::vector<double>> members(ranks.size() + 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::uint8_t slot = wantedBin[bin[i]]; slot != 0) members[slot].push_back(values[i]);
  for (auto [place, inside] : places) {
    std::vector<double>& in = members[wantedBin[place]];
    std::nth_element(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(inside), in.end());
    found.push_back(in[inside]);
  }
  return found;
}

Quantiles quantilesOf(std::span<const double> values) {
  if (values.empty()) return {};
  std::array<std::size_t, 5> ranks;
  constexpr std::array<double, 5> shares{0.1, 0.2, 0.5, 0.8, 0.9};
  for (std::size_t i = 0; i < shares.size(); ++i)
    ranks[i] = static_cast<std::size_t>(std::ceil(shares[i] * static_cast<double>(values.size()))) - 1;
  std::vector<double> at = orderStatistics(values, ranks);
  double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  return {at[0], at[1], at[2], at[3], at[4], mean};
}

std::vector<double> ranksOf(std::span<const double> values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return values[a] != values[b] ? values[a] < values[b] : a < b; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<double>(i);
  return ranks;
}

double rankCorrelation(std::span<const double> uniform, std::span<const double> ranks) {
  // Uniform draws are their own ranks up to a scale.
  double n = static_cast<double>(uniform.size());
  double meanU = std::accumulate(uniform.begin(), uniform.end(), 0.0) / n;
  double meanR = std::accumulate(ranks.begin(), ranks.end(), 0.0) / n;
  double both = 0, squareU = 0, squareR = 0;
  for (std::size_t i = 0; i < uniform.size(); ++i) {
    double u = uniform[i] - meanU, r = ranks[i] - meanR;
    both += u * r;
    squareU += u * u;
    squareR += r * r;
  }
  return squareU > 0 && squareR > 0 ? both / std::sqrt(squareU * squareR) : 0;
}

}  // namespace unwarp::cost::simulate
