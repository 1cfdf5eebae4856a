// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The account of a project: for each workload and target the routes with their effort, the verdict, and, where prices,
// demand and a benchmark are known, money and payback. Values only; print.cpp and the formats beside it spell them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cost/money/prices.h"
#include "cost/simulate/simulate.h"
#include "cost/verdict/verdict.h"
#include "knowledge/knowledge.h"
#include "result/audit_result.h"

namespace unwarp::cost {

struct RouteAccount {
  RouteFit fit;
  std::vector<EffortLine> lines;  ///< none when the route does not fit
  EffortSummary effort;
};

/// Money on one price basis, for the chosen route.
struct MoneyCase {
  std::string basis;
  money::PriceRange now, then;
  simulate::RouteOutcome outcome;
  std::vector<std::string> measureFirst;
  std::vector<simulate::Sensitivity> sensitivities;
  double monthlyNow = 0, monthlyThen = 0;  ///< medians, overheads included
  /// What the split fleet asks for: units per month, units per GPU and hour, a second stack's money per month.
  double demandPerMonth = 0, rateNow = 0, rateThen = 0, stackPerMonth = 0;
};

struct TargetAccount {
  std::string gpu, target;  ///< MI300X, gfx942
  Project project;
  std::vector<RouteAccount> routes;
  std::size_t chosen = 0;  ///< index into routes
  Verdict verdict;
  std::vector<MoneyCase> money;
  std::string moneyMissing;  ///< why there is none
  bool dependsOnBasis = false;
};

struct WorkloadAccount {
  std::string name;
  std::vector<TargetAccount> targets;
};

struct PricedMitigation {
  std::string title, benefit, tradeOff;
  double hoursP50 = 0, hoursP90 = 0;
};

struct MigrationStep {
  std::string step, what, exitTest;
};

/// What of the manifest the formats need beside the results.
struct AccountTerms {
  std::string asOf;  ///< day of the answers: month 0
  double horizonYears = 0, discountPerYear = 0, utilisation = 0;
  std::map<std::string, double> capacity;  ///< by GPU
};

struct Account {
  std::string root, factsDate, currency, manifestFile;
  AccountTerms terms;
  std::vector<WorkloadAccount> workloads;
  std::vector<PricedMitigation> mitigations;
  std::vector<MigrationStep> steps;
  std::vector<std::string> claims;
  std::vector<std::string> notes;     ///< constraints that a reader must weigh: supply, lock-in, sovereignty, parity
  std::vector<Quantity> assumptions;  ///< every number that was asked for, by name
  double cocomoWeeks = 0;             ///< COCOMO organic on the GPU lines, for comparison
};

/// One GPU in question: its name in knowledge/cost/gpus.tsv (may be empty) and its LLVM name.
struct GpuTarget {
  std::string gpu, target;
};

/// All tables that an account needs.
class Accountant {
 public:
  static Result<std::unique_ptr<Accountant>> load(const knowledge::Knowledge& knowledge);
  /// `audit` must have been made for the targets.
  Result<Account> account(const result::AuditResult& audit, const Manifest& manifest,
                          const std::vector<GpuTarget>& targets, const TranslatorResults& translated);
  const money::GpuNames& gpus() const { return *gpus_; }
  const money::Rates& rates() const { return *rates_; }
  const Defaults& defaults() const { return *defaults_; }

 private:
  explicit Accountant(const knowledge::Knowledge& knowledge) : knowledge_(knowledge) {}
  TargetAccount accountTarget(const Manifest& manifest, const Workload& workload, Project project,
                              const TranslatorResults& translated);
  Result<Done> addMoney(TargetAccount& account, const Manifest& manifest, const Workload& workload);
  Result<std::optional<MoneyCase>> moneyOn(const std::string& basis, const TargetAccount& account,
                                           const Manifest& manifest, const Workload& workload);
  Result<std::optional<money::PriceRange>> priceOf(const std::string& gpu, const std::string& basis,
                                                   const Manifest& manifest) const;
  Result<Done> addTexts(Account& account, const Manifest& manifest);
  AccountTerms termsOf(const Manifest& manifest);

  const knowledge::Knowledge& knowledge_;
  std::optional<money::GpuNames> gpus_;
  std::optional<money::Rates> rates_;
  std::optional<money::PriceTable> prices_;
  std::optional<Defaults> defaults_;
  std::optional<Remediations> remediations_;
  std::vector<Route> routes_;
  std::optional<RouteClasses> classes_;
  std::optional<ReferenceClass> reference_;
};

/// "2028-02": `months` after a date; empty without one.
std::string dateAfter(const std::string& date, int months);

std::string accountText(const Account& account);
std::string accountMarkdown(const Account& account);
std::string accountJson(const Account& account);
std::string accountCsv(const Account& account);
/// The problem of `unwarp cost fleet` as far as the account knows it: pools with the capacities of [cost.capacity],
/// port costs at P20, P50, P80. Fails when a workload has no money or a GPU no capacity, and says which.
Result<std::string> accountFleet(const Account& account);
/// Expected monthly charges now and after, as rows of FOCUS 1.2.
std::string accountFocus(const Account& account);
std::string compareText(const Account& a, const Account& b);
/// "portable with effort (confidence medium, facts of 2026-11-30)": the first line of an assessment.
std::string verdictLine(const Account& account);

}  // namespace unwarp::cost
