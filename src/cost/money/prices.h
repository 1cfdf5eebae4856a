// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a GPU hour costs, by basis. Figures that sources disagree about stay beside each other; a figure of a basis is
// then the range of all of them, and says so.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cost/money/currency.h"
#include "cost/money/gpu_names.h"
#include "cost/money/measurement.h"
#include "knowledge/knowledge.h"

namespace unwarp::cost::money {

/// A price in one currency: what lies between the cheapest and the dearest source, and the middle of the sources.
struct PriceRange {
  std::string gpu, basis, currency;
  double low = 0, middle = 0, high = 0;
  std::size_t sources = 0;
  bool disputed = false, placeholder = false;
  std::string source, asOf;  ///< of the first
};

/// What the buyer's taxes and grants make of a price, as shares of 1.
struct Terms {
  double tax = 0;       ///< added to rented prices: GST
  double subsidy = 0;   ///< taken off before tax
  double overhead = 0;  ///< added for storage, network, egress
  double drift = 1;     ///< factor on rented prices: their mean over the horizon by today's
};

/// Mean over `months` of a price that changes by `perYear` (-0.15 is 15 % cheaper each year), by today's.
double meanDrift(double perYear, int months);

class PriceTable {
 public:
  /// Reads knowledge/cost/prices.tsv.
  static Result<PriceTable> load(const knowledge::Knowledge& knowledge);
  /// A user's price, "MI355X=2.10" or "MI355X=196INR": basis "given".
  Result<Done> set(std::string_view text, const GpuNames& gpus);
  void add(std::span<const Price> prices) { prices_.insert(prices_.end(), prices.begin(), prices.end()); }

  std::span<const Price> all() const { return prices_; }
  std::vector<std::string> bases() const;
  /// All sources of a GPU on a basis, in `currency` with `terms`; nothing when there is none. Fails without a rate.
  Result<std::optional<PriceRange>> find(std::string_view gpu, std::string_view basis, std::string_view currency,
                                         const Terms& terms, const Rates& rates) const;

 private:
  std::vector<Price> prices_;
};

/// The tax that the table of terms has for a currency, 0 when it has none.
Result<double> taxOf(const knowledge::Knowledge& knowledge, std::string_view currency);

/// What a bill paid per GPU hour: usage costs (effective, else billed) over GPU hours, by GPU and currency; basis
/// "billed".
std::vector<Price> paidPrices(std::span<const Charge> charges);

}  // namespace unwarp::cost::money
