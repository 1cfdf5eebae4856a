// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices, demand and benchmark of one workload on one target, handed to the simulation, once per price basis. Nothing
// is computed from what nobody stated: without demand or a rate on both GPUs the account says what is missing.
#include <algorithm>
#include <cmath>

#include "cost/account/account.h"

namespace unwarp::cost {

namespace {

constexpr double tokensPerMToken = 1e6, secondsPerHour = 3600;

Quantity given(std::string name, std::string unit, double value, const std::string& file) {
  return {std::move(name), std::move(unit), Distribution::fixed(value), {Basis::Given, file, ""}};
}

Quantity priceQuantity(std::string name, const money::PriceRange& price) {
  Distribution distribution = price.low == price.high ? Distribution::fixed(price.middle)
                                                      : Distribution::triangular(price.low, price.middle, price.high);
  return {std::move(name), price.currency + " per GPU-hour", distribution, {Basis::Read, price.source, price.asOf}};
}

struct Demand {
  double perMonth = 0, rateNow = 0, rateThen = 0;
  std::string missing;
};

/// Demand and rates in one unit: million tokens, or today's GPU hours.
Demand demandOf(const Workload& workload, const std::string& now, const std::string& then) {
  Demand demand;
  if (now.empty()) {
    demand.missing = "the GPU in use today ([cost.fleet] gpu)";
  } else if (workload.demandMTokensPerMonth) {
    auto rate = [&](const std::string& gpu) {
      auto found = workload.tokensPerSPerGpu.find(gpu);
      if (found == workload.tokensPerSPerGpu.end())
        demand.missing = "tokens_per_s_per_gpu of " + gpu + ", measured on your model";
      return found == workload.tokensPerSPerGpu.end() ? 0 : found->second * secondsPerHour / tokensPerMToken;
    };
    demand.perMonth = *workload.demandMTokensPerMonth;
    demand.rateThen = rate(then);
    demand.rateNow = rate(now);
  } else if (workload.gpuHoursPerMonth) {
    auto speed = workload.relativeSpeed.find(then);
    if (speed == workload.relativeSpeed.end()) demand.missing = "relative_speed of " + then + ", measured on your job";
    demand.perMonth = *workload.gpuHoursPerMonth;
    demand.rateNow = 1;
    demand.rateThen = speed == workload.relativeSpeed.end() ? 0 : speed->second;
  } else {
    demand.missing = "demand_mtokens_per_month or gpu_hours_per_month";
  }
  return demand;
}

double discountOf(const Manifest& manifest, Defaults& defaults) {
  return manifest.discountRate.value_or(
      defaults.median(manifest.currency == "INR" ? "discount.INR" : "discount.other"));
}

simulate::Route simulatedRoute(const RouteAccount& route, const Quantity& pilotHours, const Quantity& price,
                               const Quantity& drift) {
  simulate::Route simulated;
  simulated.name = route.fit.route.name;
  double port = 0;
  for (const EffortLine& line : route.lines) {
    bool porting = line.kind == EffortClass::Porting;
    port += porting ? line.hours.median() : 0;
    bool organised = line.kind == EffortClass::Organisation;
    simulated.parts.push_back({line.what, {line.what, "hours", line.hours, {}}, {porting, porting, organised}});
  }
  simulated.oneOffMoney = pilotHours;
  simulated.oneOffMoney.name = "pilot";
  simulated.oneOffMoney.distribution = Distribution::logNormal(
      pilotHours.distribution.median() * price.distribution.median(), pilotHours.distribution.b);
  simulated.yearlyHours = {"upkeep", "hours", Distribution::fixed(port * drift.distribution.median()), {}};
  return simulated;
}

}  // namespace

AccountTerms Accountant::termsOf(const Manifest& manifest) {
  return {manifest.asOf, manifest.horizonYears, discountOf(manifest, *defaults_), defaults_->median("utilisation"),
          manifest.capacity};
}

Result<std::optional<money::PriceRange>> Accountant::priceOf(const std::string& gpu, const std::string& basis,
                                                             const Manifest& manifest) const {
  if (auto own = manifest.pricePerGpuHour.find(gpu); own != manifest.pricePerGpuHour.end()) {
    money::PriceRange price;
    price.gpu = gpu, price.basis = "given", price.currency = manifest.currency, price.source = manifest.file;
    price.low = price.middle = price.high = own->second;
    price.sources = 1;
    return std::optional(price);
  }
  auto tax = money::taxOf(knowledge_, manifest.currency);
  if (!tax) return Error{tax.error()};
  return prices_->find(gpu, basis, manifest.currency, {manifest.tax.value_or(*tax), manifest.subsidy.value_or(0), 0},
                       *rates_);
}

Result<std::optional<MoneyCase>> Accountant::moneyOn(const std::string& basis, const TargetAccount& account,
                                                     const Manifest& manifest, const Workload& workload) {
  auto now = priceOf(manifest.fleetGpu, basis, manifest), then = priceOf(account.gpu, basis, manifest);
  if (!now) return Error{now.error()};
  if (!then) return Error{then.error()};
  if (!*now || !*then) return std::optional<MoneyCase>();
  Demand demand = demandOf(workload, manifest.fleetGpu, account.gpu);
  Defaults& d = *defaults_;
  auto hourUsd = d.get("rate.hour").distribution;
  auto fx = rates_->convert(1, "USD", manifest.currency);
  if (!fx) return Error{fx.error()};
  simulate::Inputs inputs;
  inputs.horizonMonths = static_cast<int>(std::lround(manifest.horizonYears * 12));
  inputs.discountPerYear = discountOf(manifest, d);
  inputs.moneyPerHour = d.get("rate.hour");
  inputs.moneyPerHour.distribution = manifest.hourlyRate
                                         ? Distribution::fixed(*manifest.hourlyRate)
                                         : Distribution::triangular(hourUsd.a * *fx, hourUsd.b * *fx, hourUsd.c * *fx);
  inputs.teamHoursPerMonth = 160 * manifest.engineers.value_or(d.median("retooling.engineers"));
  inputs.overhead = d.get("price.overhead");
  inputs.driftPerYear = d.get("price.drift");
  inputs.latents = {d.get("effort.skill"), given("toolchain", "factor", 1, ""), given("organisation", "factor", 1, "")};
  simulate::Workload one;
  one.name = workload.name;
  one.demandPerMonth = given("demand", "units per month", demand.perMonth, manifest.file);
  one.growthPerYear = given("growth", "per year", 0, manifest.file);
  one.utilisation = d.get("utilisation");
  one.currentPrice = priceQuantity("price " + manifest.fleetGpu, **now);
  one.currentRate = given("rate " + manifest.fleetGpu, "units per GPU-hour", demand.rateNow, manifest.file);
  simulate::Target target;
  target.name = account.gpu;
  target.price = priceQuantity("price " + account.gpu, **then);
  target.rate = given("rate " + account.gpu, "units per GPU-hour", demand.rateThen, manifest.file);
  Quantity stack = d.get("second_stack.year");
  target.stackPerMonth = stack;
  target.stackPerMonth.distribution = Distribution::logNormal(
      stack.distribution.median() * 40 / 12 * inputs.moneyPerHour.distribution.median(), stack.distribution.b);
  target.routes.push_back(simulatedRoute(account.routes[account.chosen], d.get("pilot.gpu_hours"), target.price,
                                         d.get("organisation.drift")));
  one.targets.push_back(std::move(target));
  inputs.workloads.push_back(std::move(one));
  auto outcome = simulate::simulate(inputs);
  if (!outcome) return Error{outcome.error()};
  const simulate::WorkloadOutcome& result = outcome->front();
  double stackPerMonth = inputs.workloads[0].targets[0].stackPerMonth.distribution.median();
  double served = d.median("utilisation"), overhead = 1 + d.median("price.overhead");
  auto monthly = [&](const money::PriceRange& price, double rate) {
    return demand.perMonth / (rate * served) * price.middle * overhead;
  };
  return std::optional(MoneyCase{(*now)->basis == (*then)->basis ? (*now)->basis : basis, **now, **then,
                                 result.targets[0].routes[0], result.measureFirst, result.sensitivities,
                                 monthly(**now, demand.rateNow), monthly(**then, demand.rateThen), demand.perMonth,
                                 demand.rateNow, demand.rateThen, stackPerMonth});
}

Result<Done> Accountant::addMoney(TargetAccount& account, const Manifest& manifest, const Workload& workload) {
  if (account.gpu.empty()) {
    account.moneyMissing = "a GPU by name: prices are of products, not of " + account.target;
    return Done{};
  }
  account.moneyMissing = demandOf(workload, manifest.fleetGpu, account.gpu).missing;
  if (!account.moneyMissing.empty()) return Done{};
  // What the buyer pays counts first; then what anybody can rent; then the rest, to see whether the answer turns.
  std::vector<std::string> bases{"on-demand"};
  for (const std::string& basis : prices_->bases())
    if (basis != "on-demand") bases.push_back(basis);
  for (const std::string& basis : bases) {
    auto one = moneyOn(basis, account, manifest, workload);
    if (!one) return Error{one.error()};
    if (!*one) continue;
    bool given = (*one)->now.basis == "given" && (*one)->then.basis == "given";
    account.money.push_back(std::move(**one));
    if (given) break;
  }
  if (account.money.empty())
    account.moneyMissing = "a price of " + manifest.fleetGpu + " and " + account.gpu + " on one basis ([cost.prices])";
  for (const MoneyCase& one : account.money)
    account.dependsOnBasis |= (one.outcome.npv.p50 < 0) != (account.money.front().outcome.npv.p50 < 0);
  return Done{};
}

}  // namespace unwarp::cost
