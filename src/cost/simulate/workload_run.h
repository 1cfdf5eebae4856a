// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All trials of one workload: its variables as columns, and the evaluation of one option (route to a target) over them.
// Kept as arrays per variable, because a trial of an option is a handful of multiplications and everything that options
// share (demand, price drift, the luck of a class of work) is computed once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cost/simulate/draws.h"
#include "cost/simulate/simulate.h"

namespace unwarp::cost::simulate {

/// One uncertain number. Two with the same key share their draws.
struct Variable {
  std::string key;
  std::string shown;
  Distribution distribution;
  Column uniform, values;
};

/// Results of one option, a value per trial; month 0 of `breakEven` means never.
struct OptionTrials {
  Column hours, oneOff, npv;
  std::vector<std::uint16_t> breakEven;
};

class WorkloadRun {
 public:
  WorkloadRun(const Inputs& inputs, const Workload& workload);

  std::size_t options() const { return options_.size(); }
  Option option(std::size_t index) const { return options_[index].option; }
  /// The first `trials` trials of an option.
  void evaluate(std::size_t index, std::size_t trials, OptionTrials& out) const;

  /// The variables' keys, each once.
  std::vector<std::string> keys() const;
  const Variable& variable(std::string_view key) const;
  bool uses(std::size_t option, std::string_view key) const;
  /// Holds every variable of that key at its quantile `p` until `release`; one key at a time.
  void hold(std::string_view key, double p);
  void release();

 private:
  struct Term {
    std::size_t variable;
    double scale;
  };
  /// Work moved by the same latent factors.
  struct Effort {
    std::array<bool, 3> moves{};
    std::vector<Term> terms;
  };
  struct OptionData {
    Option option;
    std::vector<Effort> efforts;
    std::size_t price, rate;
    Term stack, oneOffMoney, yearlyHours;
  };
  std::size_t add(const std::string& key, const Quantity& quantity);
  Term addScaled(const std::string& key, Quantity quantity);
  void addOption(std::size_t target, std::size_t route);
  void shareFactors();
  void shareGrowth();
  /// What depends on the variables that are held.
  void shareAgain();
  void sumHours(const OptionData& option, std::size_t trials, Column& hours) const;
  const Column& at(std::size_t variable) const { return variables_[variable].values; }

  const Inputs& inputs_;
  const Workload& workload_;
  std::vector<Variable> variables_;
  std::vector<OptionData> options_;
  std::size_t demand_, growth_, utilisation_, currentPrice_, currentRate_, money_, overhead_, drift_;
  std::array<std::size_t, 3> latents_;
  /// What options share, per trial: units x overhead / utilisation, current cost per unit, sums of growth and drift.
  Column factor_, currentCost_, growthSums_;
  std::vector<double> discountSums_;  ///< by month
  std::vector<std::pair<std::size_t, Column>> held_;
};

}  // namespace unwarp::cost::simulate
