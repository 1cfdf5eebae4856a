// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/money/prices.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "cost/quantity.h"
#include "knowledge/table.h"

namespace unwarp::cost::money {

Result<PriceTable> PriceTable::load(const knowledge::Knowledge& knowledge) {
  knowledge::TextFile file = knowledge.costTable("knowledge/cost/prices.tsv");
  auto table = knowledge::Table::parse(file.name, file.text,
                                       {{"gpu", true},
                                        {"basis", true},
                                        {"low", true},
                                        {"high", true},
                                        {"currency", true},
                                        {"status", true},
                                        {"note", false},
                                        {"source", true},
                                        {"as_of", true}});
  if (!table) return Error{table.error()};
  PriceTable prices;
  for (std::size_t row = 0; row < table->rows(); ++row) {
    auto cell = [&](std::size_t column) { return std::string(table->cell(row, column)); };
    auto low = parseNumber(table->cell(row, 2)), high = parseNumber(table->cell(row, 3));
    if (!low || *low <= 0) return Error{table->where(row, 2) + "must be a price above 0"};
    if (!high || *high < *low) return Error{table->where(row, 3) + "must be a price of at least `low`"};
    if (!isCurrencyCode(cell(4))) return Error{table->where(row, 4) + "must be a currency code"};
    prices.prices_.push_back({cell(0), cell(1), *low, *high, cell(4), cell(5), cell(6), cell(7), cell(8)});
  }
  return prices;
}

Result<Done> PriceTable::set(std::string_view text, const GpuNames& gpus) {
  std::string given(text);
  std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    return Error{"--price " + given + ": write GPU=PRICE, such as MI355X=2.10 or MI355X=196INR"};
  std::string_view gpu = gpus.find(text.substr(0, equals));
  if (gpu.empty()) return Error{"--price " + given + ": " + gpus.unknown(text.substr(0, equals))};
  std::string_view value = text.substr(equals + 1);
  std::string currency = "USD";
  if (value.size() > 3 && isCurrencyCode(value.substr(value.size() - 3))) {
    currency = value.substr(value.size() - 3);
    value.remove_suffix(3);
  }
  auto amount = parseNumber(value);
  if (!amount || *amount <= 0)
    return Error{"--price " + given + ": the price must be a number above 0, per GPU and hour"};
  prices_.push_back({std::string(gpu), "given", *amount, *amount, currency, "agreed", "", "--price", ""});
  return Done{};
}

std::vector<std::string> PriceTable::bases() const {
  std::vector<std::string> found;
  for (const Price& price : prices_)
    if (std::find(found.begin(), found.end(), price.basis) == found.end()) found.push_back(price.basis);
  std::sort(found.begin(), found.end());
  return found;
}

Result<std::optional<PriceRange>> PriceTable::find(std::string_view gpu, std::string_view basis,
                                                   std::string_view currency, const Terms& terms,
                                                   const Rates& rates) const {
  PriceRange range{std::string(gpu), std::string(basis), std::string(currency), 0, 0, 0, 0, false, false, {}, {}};
  std::vector<double> middles;
  for (const Price& price : prices_) {
    if (price.gpu != gpu || price.basis != basis) continue;
    auto unit = rates.convert(1, price.currency, currency);
    if (!unit) return Error{price.source + ": " + unit.error()};
    double factor = *unit * (1 + terms.overhead);
    if (!basis.starts_with("owning"))
      factor *= terms.drift * (1 - terms.subsidy) * (1 + terms.tax);  // these are on what is bought by the hour
    range.low = range.sources == 0 ? price.low * factor : std::min(range.low, price.low * factor);
    range.high = std::max(range.high, price.high * factor);
    middles.push_back((price.low + price.high) / 2 * factor);
    range.disputed = range.disputed || price.status == "disputed";
    range.placeholder = range.placeholder || price.status == "placeholder";
    if (range.sources++ == 0) {
      range.source = price.source;
      range.asOf = price.asOf;
    }
  }
  if (range.sources == 0) return std::optional<PriceRange>();
  std::sort(middles.begin(), middles.end());
  range.middle = (middles[(middles.size() - 1) / 2] + middles[middles.size() / 2]) / 2;
  return std::optional(range);
}

double meanDrift(double perYear, int months) {
  double sum = 0;
  for (int month = 0; month < months; ++month) sum += std::pow(1 + perYear, month / 12.0);
  return months > 0 ? sum / months : 1;
}

Result<double> taxOf(const knowledge::Knowledge& knowledge, std::string_view currency) {
  knowledge::TextFile file = knowledge.costTable("knowledge/cost/terms.tsv");
  auto table = knowledge::Table::parse(
      file.name, file.text,
      {{"term", true}, {"currency", true}, {"share", true}, {"note", false}, {"source", true}, {"as_of", true}});
  if (!table) return Error{table.error()};
  for (std::size_t row = 0; row < table->rows(); ++row) {
    auto share = parseNumber(table->cell(row, 2));
    if (!share || *share < 0 || *share >= 1) return Error{table->where(row, 2) + "must be a share from 0 to 1"};
    if (table->cell(row, 0) == "gst" && table->cell(row, 1) == currency) return *share;
  }
  return 0.0;
}

std::vector<Price> paidPrices(std::span<const Charge> charges) {
  struct Paid {
    double cost = 0, hours = 0;
    std::string first, last;
  };
  std::map<std::pair<std::string, std::string>, Paid> sums;
  for (const Charge& charge : charges) {
    if (!charge.gpuHours || *charge.gpuHours <= 0) continue;
    Paid& paid = sums[{charge.gpu, charge.currency}];
    paid.cost += charge.effective.value_or(charge.billed);
    paid.hours += *charge.gpuHours;
    if (paid.first.empty()) paid.first = charge.source;
    paid.last = std::max(paid.last, charge.end.empty() ? charge.start : charge.end);
  }
  std::vector<Price> prices;
  for (const auto& [key, paid] : sums)
    if (paid.cost > 0)
      prices.push_back({key.first, "billed", paid.cost / paid.hours, paid.cost / paid.hours, key.second, "agreed",
                        significant(paid.hours, 4) + " GPU hours", paid.first, paid.last});
  return prices;
}

}  // namespace unwarp::cost::money
