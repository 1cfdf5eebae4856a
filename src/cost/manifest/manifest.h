// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only the buyer knows: workloads, demand, fleet, prices, team, horizon, constraints. Tables [cost...] and
// [workload.NAME] of unwarp.toml, or the same keys in a YAML file. Everything may be left out; what is, the table of
// defaults answers, or the account says that it cannot. A wrong answer is an error with field, file, line and fix:
// percent for shares, dollars per node for dollars per GPU and months for years are looked for by their size.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cost/defaults.h"
#include "cost/money/currency.h"
#include "cost/money/gpu_names.h"

namespace unwarp::cost {

/// How far a job spreads, from least to most binding.
enum class Spread : std::uint8_t { SingleGpu, OneNode, MultiNodeFramework, MultiNodeNccl, MixedVendor };
inline constexpr std::array<std::string_view, 5> spreadNames{"single-gpu", "one-node", "multi-node-framework",
                                                             "multi-node-nccl", "mixed-vendor"};

struct Workload {
  std::string name;
  std::string model, engine, precision;
  bool greenfield = false;
  Spread spread = Spread::SingleGpu;
  bool spreadGiven = false;
  std::vector<std::string> hotPath;  ///< libraries without which it does not run, by name as the audit shows them
  bool acceptsOtherEngine = false;
  double models = 1;
  std::optional<double> demandMTokensPerMonth, gpuHoursPerMonth;
  std::map<std::string, double> tokensPerSPerGpu;  ///< by GPU, measured by the buyer
  std::map<std::string, double> relativeSpeed;     ///< by GPU: GPU hours now over GPU hours there
};

struct Manifest {
  std::string file;  ///< empty: nothing was stated
  std::string currency = "USD", asOf;
  double horizonYears = 3;
  std::optional<double> discountRate;
  std::vector<std::string> targets;  ///< GPU names of knowledge/cost/gpus.tsv
  std::string teamMode = "tiger";    ///< or distributed
  std::optional<double> engineers, hourlyRate;
  std::optional<bool> harness;
  std::optional<double> testParity, supplyLeadWeeks, lockInMonths;
  std::string sovereignty;
  std::string fleetGpu;
  std::optional<double> fleetGpus;
  std::map<std::string, double> pricePerGpuHour;  ///< by GPU, in `currency`
  std::map<std::string, double> capacity;         ///< by GPU: how many can be had
  std::optional<double> tax, subsidy;             ///< shares on rented prices of the table; none: the currency's tax
  std::vector<std::string> rates;                 ///< the buyer's exchange rates, "EUR=0.92@2026-12-01"
  std::vector<std::pair<std::string, double>> assumed;
  std::vector<Workload> workloads;
};

/// Reads the two tables; `names` knows the defaults that [cost.assume] may replace.
Result<Manifest> readManifest(const std::string& file, std::string_view text, const money::GpuNames& gpus,
                              const money::Rates& rates, const Defaults& defaults);

/// A manifest with every question as a comment and what is already known filled in.
struct KnownFacts {
  std::vector<std::string> libraries;  ///< candidates of a hot path
  std::string spread;
  bool hasKernels = false;
};
std::string manifestTemplate(const KnownFacts& known);

}  // namespace unwarp::cost
