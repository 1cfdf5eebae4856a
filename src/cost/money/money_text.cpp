// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/money/money_text.h"

#include <algorithm>
#include <map>

#include "base/json_writer.h"
#include "base/output_text.h"
#include "cost/quantity.h"

namespace unwarp::cost::money {

namespace {

std::string padded(std::string text, std::size_t width) {
  text.append(text.size() < width ? width - text.size() : 1, ' ');
  return text;
}

std::string range(double low, double middle, double high, int digits) {
  std::string text = significant(middle, digits);
  if (low < middle || high > middle) text += " (" + significant(low, digits) + " to " + significant(high, digits) + ")";
  return text;
}

std::string span(double low, double high) {
  return significant(low, 4) + (high > low ? " to " + significant(high, 4) : "");
}

std::string doubts(const PriceRange& price) {
  std::string text = price.source + (price.asOf.empty() ? "" : ", " + price.asOf);
  if (price.sources > 1) text += " and " + std::to_string(price.sources - 1) + " more";
  if (price.disputed) text += "; disputed";
  if (price.placeholder) text += "; placeholder";
  return text;
}

std::string groupText(const CostGroup& group, const CostOptions& options) {
  std::string text = "\n" + printable(group.title) + "\n";
  for (const TokenCost& cost : group.costs)
    text += "  " + padded(printable(cost.price.basis), 20) + padded(cost.run->gpu, 12) +
            padded(range(cost.low, cost.middle, cost.high, 3), 26) +
            padded(significant(cost.tokensPerUnit / 1e6, 3) + " M/" + options.currency, 16) + "at " +
            range(cost.price.low, cost.price.middle, cost.price.high, 3) + "/h; " + printable(doubts(cost.price)) +
            "\n";
  if (group.costs.empty()) text += "  no price for its GPUs on these bases\n";
  for (const Winner& winner : group.winners)
    text += "  " + printable(winner.basis) + ": " +
            (winner.cost ? group.costs[*winner.cost].run->gpu + ", " : "no winner: ") + winner.why + "\n";
  if (group.dependsOnBasis) text += "  depends on price basis: the winner is not the same on all\n";
  for (const std::string& mark : group.marks) text += "  note: " + printable(mark) + "\n";
  return text;
}

/// Billed and effective cost by currency and category.
std::map<std::pair<std::string, std::string>, std::pair<double, double>> sumsOf(std::span<const Charge> charges) {
  std::map<std::pair<std::string, std::string>, std::pair<double, double>> sums;
  for (const Charge& charge : charges) {
    auto& [billed, effective] = sums[{charge.currency, charge.category}];
    billed += charge.billed;
    effective += charge.effective.value_or(charge.billed);
  }
  return sums;
}

void writeCost(JsonWriter& json, const TokenCost& cost) {
  json.beginObject();
  json.member("gpu", cost.run->gpu);
  json.member("basis", cost.price.basis);
  json.member("cost_per_million", cost.middle);
  json.member("low", cost.low);
  json.member("high", cost.high);
  json.member("tokens_per_unit", cost.tokensPerUnit);
  json.member("tokens_per_s_per_gpu", cost.ratePerGpu);
  json.member("price_per_gpu_hour", cost.price.middle);
  json.member("price_source", cost.price.source);
  json.memberOrNull("price_as_of", cost.price.asOf);
  json.member("disputed", cost.price.disputed);
  json.member("run", cost.run->source);
  json.endObject();
}

}  // namespace

std::string terminalText(const CostTable& table, const CostOptions& options, const Rates& rates) {
  std::string text = options.currency + " per million " + std::string(nameOf(countedNames, options.counted)) +
                     " tokens at " + significant(100 * options.utilisation, 3) + " % use";
  if (options.terms.overhead > 0) text += ", overhead " + significant(100 * options.terms.overhead, 3) + " %";
  if (options.terms.subsidy > 0) text += ", subsidy " + significant(100 * options.terms.subsidy, 3) + " %";
  if (options.terms.tax > 0) text += ", tax " + significant(100 * options.terms.tax, 3) + " %";
  if (options.terms.drift != 1)
    text += ", rented prices x " + significant(options.terms.drift, 3) + " (mean of the drift over the months)";
  if (auto rate = rates.find(options.currency); rate && options.currency != "USD") {
    text += "; " + significant(rate->perUsd, 5) + " " + options.currency + " per USD (" + rate->asOf;
    if (rate->low < rate->high)
      text += ", pages say " + significant(rate->low, 4) + " to " + significant(rate->high, 4) + ": --rate sets it";
    text += ")";
  }
  text += "\n";
  for (const CostGroup& group : table.groups) text += groupText(group, options);
  for (const std::string& note : table.notes) text += "\nnote: " + printable(note);
  return text + (table.notes.empty() ? "" : "\n");
}

std::string jsonText(const CostTable& table, const CostOptions& options, std::span<const Charge> charges) {
  std::string text;
  JsonWriter json(text);
  auto strings = [&](std::string_view name, const std::vector<std::string>& values) {
    json.key(name);
    json.beginArray();
    for (const std::string& value : values) json.value(value);
    json.endArray();
  };
  json.beginObject();
  json.member("schema_version", "1.0.0");
  json.member("currency", options.currency);
  json.member("tokens", nameOf(countedNames, options.counted));
  json.member("utilisation", options.utilisation);
  json.member("price_drift_factor", options.terms.drift);
  json.key("groups");
  json.beginArray();
  for (const CostGroup& group : table.groups) {
    json.beginObject();
    json.member("title", group.title);
    json.key("costs");
    json.beginArray();
    for (const TokenCost& cost : group.costs) writeCost(json, cost);
    json.endArray();
    json.key("winners");
    json.beginArray();
    for (const Winner& winner : group.winners) {
      json.beginObject();
      json.member("basis", winner.basis);
      json.memberOrNull("gpu", winner.cost ? group.costs[*winner.cost].run->gpu : "");
      json.member("why", winner.why);
      json.endObject();
    }
    json.endArray();
    json.member("depends_on_price_basis", group.dependsOnBasis);
    strings("marks", group.marks);
    json.endObject();
  }
  json.endArray();
  json.key("bills");
  json.beginArray();
  for (const auto& [key, sum] : sumsOf(charges)) {
    json.beginObject();
    json.member("currency", key.first);
    json.member("category", key.second);
    json.member("billed", sum.first);
    json.member("effective", sum.second);
    json.endObject();
  }
  json.endArray();
  strings("notes", table.notes);
  json.endObject();
  return text;
}

std::string csvText(const CostTable& table) {
  std::string text =
      "group,gpu,basis,cost_per_million,low,high,currency,price_per_gpu_hour,price_source,price_as_of,run\r\n";
  for (const CostGroup& group : table.groups)
    for (const TokenCost& cost : group.costs)
      text += csvCellOf(group.title) + "," + csvCellOf(cost.run->gpu) + "," + csvCellOf(cost.price.basis) + "," +
              significant(cost.middle, 6) + "," + significant(cost.low, 6) + "," + significant(cost.high, 6) + "," +
              cost.price.currency + "," + significant(cost.price.middle, 6) + "," + csvCellOf(cost.price.source) + "," +
              cost.price.asOf + "," + csvCellOf(cost.run->source) + "\r\n";
  return text;
}

std::string billText(std::span<const Charge> charges) {
  std::string text;
  for (const auto& [key, sum] : sumsOf(charges))
    text += "  " + padded(printable(key.second), 20) +
            padded(significant(sum.first, 6) + " " + key.first + " billed", 26) + significant(sum.second, 6) + " " +
            key.first + " effective\n";
  for (const Price& price : paidPrices(charges))
    text += "  " + padded(printable(price.gpu), 20) + significant(price.low, 4) + " " + price.currency +
            " per GPU hour over " + price.note + "\n";
  return text.empty() ? text : "\nbills\n" + text;
}

std::string priceText(const PriceTable& prices, const Rates& rates) {
  std::string text = "per GPU and hour\n";
  for (const Price& price : prices.all())
    text += "  " + padded(price.gpu, 12) + padded(price.basis, 20) +
            padded(span(price.low, price.high) + " " + price.currency, 22) + padded(price.status, 12) + price.source +
            " (" + price.asOf + ")" + (price.note.empty() ? "" : "; " + price.note) + "\n";
  text += "\nper US dollar\n";
  for (const Rate& rate : rates.all())
    text += "  " + padded(rate.currency, 12) + padded(span(rate.low, rate.high), 22) + rate.source + " (" + rate.asOf +
            ")\n";
  return text;
}

}  // namespace unwarp::cost::money
