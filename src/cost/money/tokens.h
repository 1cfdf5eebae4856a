// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens per unit of money and money per million tokens, from a measured rate and a price per GPU hour:
//     cost per million = price x (1 + overhead) / (3600 x rate per GPU x utilisation x 1e-6)
// Every figure is a range, because prices are; where the ranges of two figures overlap there is no winner, and when the
// winner changes with the price basis, the answer is "depends on price basis", with both.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cost/money/compare.h"
#include "cost/money/prices.h"

namespace unwarp::cost::money {

enum class Counted : std::uint8_t { Output, Total, Input };
inline constexpr std::array<std::string_view, 3> countedNames{"output", "total", "input"};

struct CostOptions {
  std::string currency = "USD";
  std::vector<std::string> bases;  ///< empty: all that the prices have
  Counted counted = Counted::Output;
  double utilisation = 1;  ///< share of a rented hour that serves, in (0, 1]
  double spread = 0;       ///< half width of a single run's rate, as a share
  Terms terms;
};

/// Cost of a million tokens in the currency of `pricePerGpuHour`.
double costPerMillion(double pricePerGpuHour, double tokensPerSPerGpu, double utilisation);

/// One run at one price basis.
struct TokenCost {
  const Measurement* run = nullptr;
  PriceRange price;
  double ratePerGpu = 0;                 ///< of the tokens that count, per second
  double low = 0, middle = 0, high = 0;  ///< money per million tokens
  double tokensPerUnit = 0;              ///< tokens for one unit of the currency, at `middle`
};

/// What is cheapest among runs that may be compared, on one basis.
struct Winner {
  std::string basis;
  std::optional<std::size_t> cost;  ///< index into `costs`; nothing: no winner
  std::string why;
};

struct CostGroup {
  std::string title;             ///< model, workload, precision, round
  std::vector<TokenCost> costs;  ///< by basis, then cheapest first
  std::vector<Winner> winners;   ///< one per basis
  std::vector<std::string> marks;
  bool dependsOnBasis = false;
};

struct CostTable {
  std::vector<CostGroup> groups;
  std::vector<std::string> notes;  ///< runs without count, rate or price
};

/// Per GPU of a group the best run counts.
Result<CostTable> tokenCosts(std::span<const Measurement> runs, const PriceTable& prices, const Rates& rates,
                             const CostOptions& options);

}  // namespace unwarp::cost::money
