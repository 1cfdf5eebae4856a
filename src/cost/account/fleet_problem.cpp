// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An account as a problem of `unwarp cost fleet`: one pool for the GPU in use today and one per target, one workload
// per workload of the manifest, on the first price basis. What has no way to a target may not run there; what only
// lacks the money may, since prices are what the fleet decides by.
#include <cmath>

#include "base/json_writer.h"
#include "cost/account/account.h"

namespace unwarp::cost {

namespace {

constexpr double hoursPerYear = 8760, hoursPerMonth = hoursPerYear / 12;

/// Mean of the monthly discount factors over the horizon.
double meanDiscount(const AccountTerms& terms) {
  double sum = 0;
  int months = std::max(1, static_cast<int>(std::lround(terms.horizonYears * 12)));
  for (int month = 1; month <= months; ++month) sum += std::pow(1 + terms.discountPerYear, -month / 12.0);
  return sum / months;
}

/// Why no problem can be written, or empty.
std::string whatIsMissing(const Account& account) {
  for (const WorkloadAccount& workload : account.workloads)
    for (const TargetAccount& target : workload.targets) {
      if (target.money.empty())
        return workload.name + " on " + (target.gpu.empty() ? target.target : target.gpu) +
               ": a fleet needs money, and there is none; missing: " + target.moneyMissing;
      for (const std::string& gpu : {target.money.front().now.gpu, target.gpu})
        if (!account.terms.capacity.contains(gpu))
          return account.manifestFile + ": cost.capacity." + gpu + ": is missing; write how many can be had";
    }
  return {};
}

void writePool(JsonWriter& json, const Account& account, const money::PriceRange& price, double stackPerMonth) {
  json.beginObject();
  json.member("name", price.gpu);
  json.member("price_per_hour", price.middle);
  json.member("capacity", account.terms.capacity.at(price.gpu));
  json.member("stack_cost", stackPerMonth * 12 * account.terms.horizonYears);
  json.endObject();
}

void writeWorkload(JsonWriter& json, const WorkloadAccount& workload) {
  const MoneyCase& first = workload.targets.front().money.front();
  json.beginObject();
  json.member("name", workload.name);
  json.member("demand_per_hour", first.demandPerMonth / hoursPerMonth);
  json.member("home", first.now.gpu);
  json.key("rate_per_hour");
  json.beginObject();
  json.member(first.now.gpu, first.rateNow);
  for (const TargetAccount& target : workload.targets) json.member(target.gpu, target.money.front().rateThen);
  json.endObject();
  json.key("port_cost");
  json.beginObject();
  for (const TargetAccount& target : workload.targets) {
    const simulate::Quantiles& oneOff = target.money.front().outcome.oneOff;
    json.key(target.gpu);
    json.beginArray();
    for (double amount : {oneOff.p20, oneOff.p50, oneOff.p80}) json.value(amount);
    json.endArray();
  }
  json.endObject();
  json.key("not_on");
  json.beginArray();
  for (const TargetAccount& target : workload.targets)
    if (!isPositive(target.verdict.answer()) && !target.verdict.forNow) json.value(target.gpu);
  json.endArray();
  json.endObject();
}

}  // namespace

Result<std::string> accountFleet(const Account& account) {
  if (std::string why = whatIsMissing(account); !why.empty()) return Error{why};
  std::string out;
  JsonWriter json(out);
  json.beginObject();
  json.member("hours", account.terms.horizonYears * hoursPerYear);
  json.member("discount_factor", meanDiscount(account.terms));
  json.member("utilisation", account.terms.utilisation);
  json.key("pools");
  json.beginArray();
  const WorkloadAccount& any = account.workloads.front();
  writePool(json, account, any.targets.front().money.front().now, 0);
  for (const TargetAccount& target : any.targets)
    writePool(json, account, target.money.front().then, target.money.front().stackPerMonth);
  json.endArray();
  json.key("workloads");
  json.beginArray();
  for (const WorkloadAccount& workload : account.workloads) writeWorkload(json, workload);
  json.endArray();
  json.endObject();
  return out;
}

}  // namespace unwarp::cost
