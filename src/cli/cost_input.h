// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the commands about money share: the tables, and the flags --price, --basis, --rate and --currency on top.
#pragma once

#include <memory>
#include <string>

#include "cli/arguments.h"
#include "cost/money/ingest.h"
#include "cost/money/tokens.h"

namespace unwarp::cli {

struct CostInput {
  std::unique_ptr<knowledge::Knowledge> knowledge;
  cost::money::GpuNames gpus;
  cost::money::Rates rates;
  cost::money::PriceTable prices;
  std::string currency;

  /// Loads the tables and applies --knowledge, --price, --rate and --currency.
  static Result<CostInput> load(const Arguments& arguments);
};

/// Fails when writing `file`, which `flag` names, would change one of `inputs`, a sidecar of one, or a folder among
/// them, however the paths are spelt.
Result<Done> sparesInputs(std::string_view flag, const std::string& file, const std::vector<std::string>& inputs);

/// The last value of a flag, or `fallback`.
std::string lastOf(const Arguments& arguments, std::string_view flag, std::string_view fallback);
/// A flag's share in [low, high]: "0.03" or "3%"; an error names the flag.
Result<double> shareOf(const Arguments& arguments, std::string_view flag, double fallback, double low, double high);

}  // namespace unwarp::cli
