// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/account/account.h"

#include <algorithm>

#include "cost/backtest/backtest.h"
#include "cost/effort/port_case.h"
#include "knowledge/table.h"

namespace unwarp::cost {

namespace {

constexpr std::string_view caseTable = "knowledge/cost/case-studies.tsv";

/// Routes whose result is not wanted as the first choice: their tails are claims, not finished ports.
bool isUnproven(std::string_view route) {
  return route == "ai-assisted" || route == "scale" || route == "opencl" || route == "stay";
}

/// The cheapest at P80 of the routes that fit; proven ones first, `stay` last.
std::size_t chosenRoute(const std::vector<RouteAccount>& routes) {
  auto rank = [&](const RouteAccount& one) {
    bool stay = one.fit.route.name == "stay";
    return std::tuple(!one.fit.fits, stay, isUnproven(one.fit.route.name), one.effort.p80);
  };
  auto best = std::min_element(routes.begin(), routes.end(),
                               [&](const RouteAccount& a, const RouteAccount& b) { return rank(a) < rank(b); });
  return static_cast<std::size_t>(best - routes.begin());
}

Result<knowledge::Table> textTable(const knowledge::Knowledge& knowledge, std::string_view name,
                                   std::initializer_list<std::string_view> columns) {
  std::vector<knowledge::Column> all;
  for (std::string_view column : columns) all.push_back({column, true});
  return knowledge::Table::parse(name, knowledge.costTable(name).text, all);
}

}  // namespace

Result<std::unique_ptr<Accountant>> Accountant::load(const knowledge::Knowledge& knowledge) {
  std::unique_ptr<Accountant> accountant(new Accountant(knowledge));
  auto take = [](auto result, auto& place) -> std::string {
    if (!result) return result.error();
    place = std::move(*result);
    return {};
  };
  std::string error = take(money::GpuNames::load(knowledge), accountant->gpus_);
  if (error.empty()) error = take(money::Rates::load(knowledge), accountant->rates_);
  if (error.empty()) error = take(money::PriceTable::load(knowledge), accountant->prices_);
  if (error.empty()) error = take(Defaults::load(knowledge), accountant->defaults_);
  if (error.empty()) error = take(loadRemediations(knowledge), accountant->remediations_);
  if (error.empty()) error = take(loadRoutes(knowledge), accountant->routes_);
  if (error.empty()) error = take(RouteClasses::load(knowledge), accountant->classes_);
  if (!error.empty()) return Error{error};
  auto model = PortModel::load(knowledge);
  if (!model) return Error{model.error()};
  auto cases = readPortCases(caseTable, knowledge.costTable(caseTable).text, *accountant->classes_);
  if (!cases) return Error{cases.error()};
  error = take(ReferenceClass::fit(*cases, *accountant->classes_, *model), accountant->reference_);
  if (!error.empty()) return Error{error};
  return accountant;
}

TargetAccount Accountant::accountTarget(const Manifest& manifest, const Workload& workload, Project project,
                                        const TranslatorResults& translated) {
  TargetAccount account;
  account.project = std::move(project);
  Evidence evidence = evidenceOf(account.project, workload, manifest);
  EffortModel model(*defaults_, *remediations_, *classes_, *reference_);
  for (const RouteFit& fit : routeFits(routes_, account.project, evidence, manifest)) {
    RouteAccount route{fit, {}, {}};
    if (fit.fits) {  // what does not fit has no effort, and its assumptions are none of this account
      route.lines = model.lines({account.project, manifest, workload, fit.route, translated});
      route.effort = summarise(route.lines, *defaults_);
    }
    account.routes.push_back(std::move(route));
  }
  account.chosen = chosenRoute(account.routes);
  return account;
}

Result<Account> Accountant::account(const result::AuditResult& audit, const Manifest& manifest,
                                    const std::vector<GpuTarget>& targets, const TranslatorResults& translated) {
  for (const auto& [name, value] : manifest.assumed) defaults_->set(name, value, manifest.file + ", [cost.assume]");
  for (const std::string& rate : manifest.rates)
    if (auto set = rates_->set(rate); !set) return Error{manifest.file + ": " + set.error()};
  Account account;
  account.root = audit.root;
  account.factsDate = audit.factsDate;
  account.currency = manifest.currency;
  account.manifestFile = manifest.file;
  if (!manifest.fleetGpu.empty()) account.terms = termsOf(manifest);
  std::vector<Workload> workloads = manifest.workloads;
  if (workloads.empty()) workloads.emplace_back().name = "main";
  Limits limits{defaults_->median("verdict.port_weeks"), defaults_->median("verdict.coverage")};
  for (const Workload& workload : workloads) {
    WorkloadAccount one{workload.name, {}};
    for (const GpuTarget& target : targets) {
      Project project = projectOf(audit, knowledge_, target.target, defaults_->median("effort.bytes_per_line"));
      account.cocomoWeeks = cocomoOrganicWeeks(project.gpuLines);
      TargetAccount result = accountTarget(manifest, workload, std::move(project), translated);
      result.gpu = target.gpu;
      result.target = target.target;
      auto money = addMoney(result, manifest, workload);
      if (!money) return Error{money.error()};
      Evidence evidence = evidenceOf(result.project, workload, manifest);
      const RouteAccount& chosen = result.routes[result.chosen];
      evidence.portWeeks = chosen.effort.medians[static_cast<std::size_t>(EffortClass::Porting)];
      if (!result.money.empty()) {
        const MoneyCase& first = result.money.front();
        evidence.npvP50 = first.outcome.npv.p50;
        evidence.npvText = manifest.currency + " " + compact(first.outcome.npv.p50) + " over " +
                           compact(manifest.horizonYears) + " years on price basis " + first.basis;
        evidence.dependsOnBasis = result.dependsOnBasis;
      }
      result.verdict = verdictOf(evidence, limits);
      one.targets.push_back(std::move(result));
    }
    account.workloads.push_back(std::move(one));
  }
  auto texts = addTexts(account, manifest);
  if (!texts) return Error{texts.error()};
  account.assumptions = defaults_->used();
  return account;
}

Result<Done> Accountant::addTexts(Account& account, const Manifest& manifest) {
  const Project& project = account.workloads.front().targets.front().project;
  auto mitigations =
      textTable(knowledge_, "knowledge/cost/mitigations.tsv",
                {"mitigation", "title", "applies_when", "hours_quantity", "benefit", "trade_off", "source", "as_of"});
  if (!mitigations) return Error{mitigations.error()};
  for (std::size_t row = 0; row < mitigations->rows(); ++row) {
    std::string_view when = mitigations->cell(row, 2);
    bool applies = (when == "images" && project.images > 0) || (when == "kernels" && project.kernels > 0) ||
                   (when == "no-harness" && !manifest.harness.value_or(false)) ||
                   (when == "python" && project.usesPython) ||
                   (when == "several-workloads" && account.workloads.size() > 1);
    if (!applies) continue;
    const Quantity& hours = defaults_->get(mitigations->cell(row, 3));
    double count = when == "images" ? project.images : 1;
    double unit = hours.unit.starts_with("person-weeks") ? 40 * count : count;
    account.mitigations.push_back({std::string(mitigations->cell(row, 1)), std::string(mitigations->cell(row, 4)),
                                   std::string(mitigations->cell(row, 5)), unit * hours.quantile(0.5),
                                   unit * hours.quantile(0.9)});
  }
  auto steps =
      textTable(knowledge_, "knowledge/cost/migration-steps.tsv", {"step", "what", "exit_test", "source", "as_of"});
  if (!steps) return Error{steps.error()};
  for (std::size_t row = 0; row < steps->rows(); ++row)
    account.steps.push_back(
        {std::string(steps->cell(row, 0)), std::string(steps->cell(row, 1)), std::string(steps->cell(row, 2))});
  auto claims = textTable(knowledge_, "knowledge/cost/claims.tsv", {"claim", "who", "used_as", "source", "as_of"});
  if (!claims) return Error{claims.error()};
  for (std::size_t row = 0; row < claims->rows(); ++row)
    account.claims.push_back(std::string(claims->cell(row, 0)) + " (" + std::string(claims->cell(row, 1)) +
                             "): " + std::string(claims->cell(row, 2)));
  auto tax = money::taxOf(knowledge_, manifest.currency);
  if (!tax) return Error{tax.error()};
  if (double share = manifest.tax.value_or(*tax); share > 0 || manifest.subsidy)
    account.notes.push_back("prices of the table carry " + compact(100 * share) + " % tax" +
                            (manifest.tax ? " (stated)" : " (knowledge/cost/terms.tsv)") +
                            (manifest.subsidy
                                 ? " after a subsidy of " + compact(100 * *manifest.subsidy) + " % (stated)"
                                 : ", no subsidy") +
                            "; owning bases and prices that you state carry neither");
  if (manifest.testParity)
    account.notes.push_back(compact(100 * *manifest.testParity) +
                            " % of your tests pass on the other stack: the rest " +
                            "is a risk that no line above prices");
  if (manifest.supplyLeadWeeks)
    account.notes.push_back("supply takes " + compact(*manifest.supplyLeadWeeks) + " weeks: no saving begins before");
  if (manifest.lockInMonths)
    account.notes.push_back("the contract binds for " + compact(*manifest.lockInMonths) +
                            " months: what is committed is paid whether used or not");
  if (!manifest.sovereignty.empty())
    account.notes.push_back("sovereignty or regulation (flagged, no legal advice): " + manifest.sovereignty);
  return Done{};
}

}  // namespace unwarp::cost
