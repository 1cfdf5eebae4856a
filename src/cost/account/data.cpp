// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An account for programs: JSON (docs/schema/cost.schema.json), CSV of effort lines, FOCUS 1.2 rows of what a month
// costs now and after.
#include "base/json_writer.h"
#include "base/output_text.h"
#include "base/version.h"
#include "cost/account/account.h"

namespace unwarp::cost {

namespace {

std::string_view word(Answer answer) {
  return answerNames[static_cast<std::size_t>(answer)];
}

void writeQuantiles(JsonWriter& json, std::string_view name, const simulate::Quantiles& q) {
  json.key(name);
  json.beginObject();
  json.member("p10", q.p10);
  json.member("p50", q.p50);
  json.member("p80", q.p80);
  json.member("p90", q.p90);
  json.endObject();
}

void writeVerdict(JsonWriter& json, const Verdict& verdict) {
  json.key("verdict");
  json.beginObject();
  json.member("answer", word(verdict.answer()));
  json.member("rule", verdict.decision.rule);
  json.member("confidence", verdict.confidence);
  json.member("demoted_by_gate", verdict.demoted);
  json.member("for_now", verdict.forNow);
  json.key("evidence");
  json.beginArray();
  for (const std::string& line : verdict.reasons) json.value(line);
  json.endArray();
  json.member("runner_up", word(verdict.runnerUp));
  json.member("runner_up_when", verdict.runnerUpWhen);
  json.key("flips");
  json.beginArray();
  for (const Flip& flip : verdict.flips) {
    json.beginObject();
    json.member("change", flip.change);
    json.member("answer", word(flip.answer));
    json.endObject();
  }
  json.endArray();
  json.key("gates");
  json.beginArray();
  for (const VerdictGate& gate : verdict.gates) {
    json.beginObject();
    json.member("name", gate.name);
    json.member("state", gateStateNames[static_cast<std::size_t>(gate.state)]);
    json.member("note", gate.note);
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

void writeRoute(JsonWriter& json, const RouteAccount& route) {
  json.beginObject();
  json.member("route", route.fit.route.name);
  json.member("fits", route.fit.fits);
  json.member("why", route.fit.why);
  json.key("person_weeks");
  if (route.fit.fits) {
    json.beginObject();
    json.member("p10", route.effort.p10);
    json.member("p50", route.effort.p50);
    json.member("p80", route.effort.p80);
    json.member("p90", route.effort.p90);
    json.endObject();
  } else {
    json.null();
  }
  json.key("lines");
  json.beginArray();
  for (const EffortLine& line : route.lines) {
    json.beginObject();
    json.member("class", effortClassNames[static_cast<std::size_t>(line.kind)]);
    json.member("what", line.what);
    json.member("count", line.count);
    json.member("hours_p50", line.hours.median());
    json.member("hours_p10", line.hours.quantile(0.1));
    json.member("hours_p90", line.hours.quantile(0.9));
    json.member("how", line.how);
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

void writeSensitivities(JsonWriter& json, const std::vector<simulate::Sensitivity>& sensitivities) {
  json.key("sensitivities");
  json.beginArray();
  for (const simulate::Sensitivity& one : sensitivities) {
    json.beginObject();
    json.member("input", one.name);
    json.member("npv_at_p10", one.npvAtP10);
    json.member("npv_at_p90", one.npvAtP90);
    json.member("rank_correlation", one.rankCorrelation);
    json.member("first_order", one.firstOrder);
    json.endObject();
  }
  json.endArray();
}

void writeMoney(JsonWriter& json, const TargetAccount& target, const Account& account) {
  json.memberOrNull("money_missing", target.money.empty() ? target.moneyMissing : std::string());
  json.member("depends_on_price_basis", target.dependsOnBasis);
  json.key("money");
  json.beginArray();
  for (const MoneyCase& one : target.money) {
    json.beginObject();
    json.member("basis", one.basis);
    json.member("price_now", one.now.middle);
    json.member("price_then", one.then.middle);
    json.member("month_now", one.monthlyNow);
    json.member("month_then", one.monthlyThen);
    writeQuantiles(json, "one_off", one.outcome.oneOff);
    writeQuantiles(json, "npv", one.outcome.npv);
    json.key("break_even_month_p50");
    if (one.outcome.breakEvenP50)
      json.value(*one.outcome.breakEvenP50);
    else
      json.null();
    json.key("break_even_date_p50");
    if (std::string date = one.outcome.breakEvenP50 ? dateAfter(account.terms.asOf, *one.outcome.breakEvenP50) : "";
        !date.empty())
      json.value(date);
    else
      json.null();
    json.member("probability_never", one.outcome.probabilityNever);
    json.key("measure_first");
    json.beginArray();
    for (const std::string& name : one.measureFirst) json.value(name);
    json.endArray();
    writeSensitivities(json, one.sensitivities);
    json.endObject();
  }
  json.endArray();
}

void writeAssumptions(JsonWriter& json, const std::vector<Quantity>& assumptions) {
  json.key("assumptions");
  json.beginArray();
  for (const Quantity& one : assumptions) {
    json.beginObject();
    json.member("name", one.name);
    json.member("unit", one.unit);
    json.member("p50", one.distribution.median());
    json.member("p10", one.quantile(0.1));
    json.member("p90", one.quantile(0.9));
    json.member("basis", basisNames[static_cast<std::size_t>(one.source.basis)]);
    json.member("source", one.source.text);
    json.memberOrNull("as_of", one.source.asOf);
    json.endObject();
  }
  json.endArray();
}

}  // namespace

std::string accountJson(const Account& account) {
  std::string out;
  JsonWriter json(out);
  json.beginObject();
  json.member("schema_version", "1.0.0");
  json.member("tool_version", version);
  json.member("root", account.root);
  json.member("facts_date", account.factsDate);
  json.member("currency", account.currency);
  json.memberOrNull("manifest", account.manifestFile);
  json.member("cocomo_organic_pw", account.cocomoWeeks);
  json.key("workloads");
  json.beginArray();
  for (const WorkloadAccount& workload : account.workloads) {
    json.beginObject();
    json.member("name", workload.name);
    json.key("targets");
    json.beginArray();
    for (const TargetAccount& target : workload.targets) {
      json.beginObject();
      json.memberOrNull("gpu", target.gpu);
      json.member("target", target.target);
      writeVerdict(json, target.verdict);
      json.member("chosen_route", target.routes[target.chosen].fit.route.name);
      json.key("routes");
      json.beginArray();
      for (const RouteAccount& route : target.routes) writeRoute(json, route);
      json.endArray();
      writeMoney(json, target, account);
      json.endObject();
    }
    json.endArray();
    json.endObject();
  }
  json.endArray();
  writeAssumptions(json, account.assumptions);
  json.endObject();
  return out;
}

std::string accountCsv(const Account& account) {
  std::string text = "workload,gpu,target,verdict,route,class,what,count,hours_p10,hours_p50,hours_p90\n";
  for (const WorkloadAccount& workload : account.workloads)
    for (const TargetAccount& target : workload.targets)
      for (const EffortLine& line : target.routes[target.chosen].lines)
        text += csvCellOf(workload.name) + "," + csvCellOf(target.gpu) + "," + target.target + "," +
                csvCellOf(word(target.verdict.answer())) + "," + target.routes[target.chosen].fit.route.name + "," +
                csvCellOf(effortClassNames[static_cast<std::size_t>(line.kind)]) + "," + csvCellOf(line.what) + "," +
                compact(line.count, 6) + "," + compact(line.hours.quantile(0.1), 4) + "," +
                compact(line.hours.median(), 4) + "," + compact(line.hours.quantile(0.9), 4) + "\n";
  return text;
}

std::string accountFocus(const Account& account) {
  std::string text =
      "BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,ChargeCategory,ChargeDescription,"
      "ServiceCategory,"
      "SkuPriceDetails,x_Forecast,x_PriceBasis\n";
  for (const WorkloadAccount& workload : account.workloads)
    for (const TargetAccount& target : workload.targets)
      for (const MoneyCase& one : target.money)
        for (auto [when, gpu, cost] :
             {std::tuple("now", one.now.gpu, one.monthlyNow), std::tuple("after", one.then.gpu, one.monthlyThen)}) {
          std::string amount = significant(cost, 10);
          text += amount + "," + amount + "," + amount + "," + amount + "," + account.currency + ",Usage," +
                  csvCellOf(workload.name + " on " + gpu + ", one month " + when) + ",AI and Machine Learning," +
                  csvCellOf("{\"x_Gpu\":\"" + gpu + "\"}") + "," + when + "," + one.basis + "\n";
        }
  return text;
}

}  // namespace unwarp::cost
