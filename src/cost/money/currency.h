// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchange rates as dated inputs. A rate is units of a currency per US dollar. The table keeps what pages disagree
// about; without a rate of the user's the middle value counts and its range is told, because a swing of 13 % is as
// large as many a saving.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "knowledge/knowledge.h"

namespace unwarp::cost::money {

struct Rate {
  std::string currency;
  double perUsd = 1, low = 1, high = 1;  ///< low and high: the range of the sources
  std::string asOf, source;
  bool given = false;  ///< by the user
};

class Rates {
 public:
  /// Reads knowledge/cost/rates.tsv.
  static Result<Rates> load(const knowledge::Knowledge& knowledge);
  /// A user's rate, "INR=93.8@2026-03-17": replaces the table's.
  Result<Done> set(std::string_view text);
  /// Fails for a currency without rate, and says how to give one.
  Result<Rate> find(std::string_view currency) const;
  /// `amount` of `from` in `to`, at the middle rates.
  Result<double> convert(double amount, std::string_view from, std::string_view to) const;
  const std::vector<Rate>& all() const { return rates_; }

 private:
  std::vector<Rate> rates_;
};

}  // namespace unwarp::cost::money
