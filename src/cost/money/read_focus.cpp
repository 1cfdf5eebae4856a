// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bills in the FinOps form FOCUS (columns of 1.2). A row becomes a charge; GPU hours come from the consumed quantity
// when its unit is GPU hours, else from hours times the GPUs of the machine (SkuPriceDetails' GpuCount, or the instance
// type). Taxes, credits and purchases are kept apart from usage. A negative cost is one only as credit, adjustment or
// correction; elsewhere it is a mistake of the export.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "cost/money/reading.h"

namespace unwarp::cost::money {

namespace {

constexpr std::array<std::string_view, 5> categories{"Usage", "Purchase", "Tax", "Credit", "Adjustment"};

struct Details {
  std::optional<double> gpuCount;
  std::string instance;
};

Details details(std::string_view json) {
  Details found;
  auto tree = parseJson(json);
  if (!tree) return found;
  if (const JsonNode* count = tree->find("GpuCount")) found.gpuCount = count->number();
  if (const JsonNode* type = tree->find("InstanceType")) found.instance = type->text;
  return found;
}

void setGpuHours(const CsvTable& table, std::size_t row, Reading& reading, Charge& charge) {
  Details sku = details(table.cell(row, "SkuPriceDetails"));
  std::string texts = sku.instance;
  for (std::string_view column : {"SkuMeter", "ResourceType", "ResourceName", "ChargeDescription"})
    texts += " " + std::string(table.cell(row, column));
  const GpuNames::Instance* instance = reading.gpus().instance(texts);
  charge.gpu = instance != nullptr ? instance->gpu : std::string(reading.gpus().find(texts));
  bool consumed = !table.cell(row, "ConsumedQuantity").empty();
  auto quantity = reading.amount(table, row, consumed ? "ConsumedQuantity" : "PricingQuantity");
  std::string unit = toLower(table.cell(row, consumed ? "ConsumedUnit" : "PricingUnit"));
  std::replace(unit.begin(), unit.end(), '-', ' ');
  auto count = sku.gpuCount ? sku.gpuCount : instance != nullptr ? std::optional<double>(instance->gpus) : std::nullopt;
  if (!quantity || charge.gpu.empty()) return;
  if (unit == "gpu hours" || unit == "gpu hour")
    charge.gpuHours = *quantity;
  else if ((unit == "hours" || unit == "hour") && count)
    charge.gpuHours = *quantity * *count;
}

/// Where prices are in the currency of the bill, both columns tell the same amount.
void checkCurrencies(const CsvTable& table, std::size_t row, Reading& reading, const Charge& charge) {
  std::string_view pricing = table.cell(row, "PricingCurrency");
  if (!pricing.empty() && !isCurrencyCode(pricing))
    return reading.fail(table.line(row), "PricingCurrency", "'" + std::string(pricing) + "' is no currency",
                        "write a code such as USD");
  auto priced = reading.number(table, row, "PricingCurrencyEffectiveCost");
  if (pricing != charge.currency || !priced || !charge.effective) return;
  if (std::abs(*priced - *charge.effective) > 0.01 + 0.005 * std::abs(*priced))
    reading.fail(table.line(row), "PricingCurrencyEffectiveCost",
                 significant(*priced, 6) + " is not EffectiveCost, " + significant(*charge.effective, 6) +
                     ", though both are in " + charge.currency,
                 "correct PricingCurrency, or the amount");
}

void checkCost(const CsvTable& table, std::size_t row, Reading& reading, const Charge& charge) {
  bool mayBeNegative =
      charge.category == "Credit" || charge.category == "Adjustment" || table.cell(row, "ChargeClass") == "Correction";
  for (double cost : {charge.billed, charge.effective.value_or(0)})
    if (cost < 0 && !mayBeNegative)
      reading.fail(table.line(row), "BilledCost", significant(cost, 6) + " is negative in a row of " + charge.category,
                   "use ChargeCategory Credit or Adjustment, or ChargeClass Correction");
}

}  // namespace

void readFocus(const CsvTable& table, Reading& reading) {
  for (std::size_t row = 0; row < table.rows() && !reading.fault(); ++row) {
    std::uint32_t line = table.line(row);
    Charge charge;
    charge.source = reading.file() + ":" + std::to_string(line);
    charge.category = table.cell(row, "ChargeCategory");
    if (std::find(categories.begin(), categories.end(), charge.category) == categories.end())
      return reading.fail(line, "ChargeCategory", "'" + charge.category + "' is no category of FOCUS",
                          "write Usage, Purchase, Tax, Credit or Adjustment");
    charge.currency = table.cell(row, "BillingCurrency");
    if (!isCurrencyCode(charge.currency))
      return reading.fail(line, "BillingCurrency", "'" + charge.currency + "' is no currency",
                          "write a code such as INR");
    auto billed = reading.number(table, row, "BilledCost");
    if (!billed) return reading.fail(line, "BilledCost", "is missing", "write the amount of the invoice, 0 if none");
    charge.billed = *billed;
    charge.effective = reading.number(table, row, "EffectiveCost");
    charge.list = reading.number(table, row, "ListCost");
    charge.contracted = reading.number(table, row, "ContractedCost");
    charge.service = table.cell(row, table.column("ServiceName") ? "ServiceName" : "ServiceCategory");
    charge.resource = table.cell(row, "ResourceId");
    charge.region = table.cell(row, "RegionId");
    charge.start = reading.date(table.cell(row, "ChargePeriodStart"), line, "ChargePeriodStart");
    charge.end = reading.date(table.cell(row, "ChargePeriodEnd"), line, "ChargePeriodEnd");
    if (!charge.end.empty() && charge.end < charge.start)
      return reading.fail(line, "ChargePeriodEnd", charge.end + " lies before the start " + charge.start,
                          "write an end behind ChargePeriodStart");
    checkCost(table, row, reading, charge);
    checkCurrencies(table, row, reading, charge);
    if (charge.category == "Usage") setGpuHours(table, row, reading, charge);
    reading.out().charges.push_back(std::move(charge));
  }
}

}  // namespace unwarp::cost::money
