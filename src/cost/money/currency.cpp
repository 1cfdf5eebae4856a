// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/money/currency.h"

#include <algorithm>

#include "base/text.h"
#include "cost/quantity.h"
#include "knowledge/table.h"

namespace unwarp::cost::money {

Result<Rates> Rates::load(const knowledge::Knowledge& knowledge) {
  knowledge::TextFile file = knowledge.costTable("knowledge/cost/rates.tsv");
  auto table = knowledge::Table::parse(
      file.name, file.text,
      {{"currency", true}, {"per_usd", true}, {"status", true}, {"note", false}, {"source", true}, {"as_of", true}});
  if (!table) return Error{table.error()};
  Rates rates;
  std::vector<double> values;  // of the currency whose rows are being read; rows are sorted
  for (std::size_t row = 0; row < table->rows(); ++row) {
    std::string currency(table->cell(row, 0));
    auto value = parseNumber(table->cell(row, 1));
    if (!isCurrencyCode(currency)) return Error{table->where(row, 0) + "must be a currency code"};
    if (!value || *value <= 0) return Error{table->where(row, 1) + "must be a number above 0"};
    if (rates.rates_.empty() || rates.rates_.back().currency != currency) {
      rates.rates_.push_back({currency, *value, *value, *value, {}, {}, false});
      values.clear();
    }
    Rate& rate = rates.rates_.back();
    values.push_back(*value);
    std::sort(values.begin(), values.end());
    rate.perUsd = values[values.size() / 2];
    rate.low = values.front();
    rate.high = values.back();
    rate.asOf = table->cell(row, 5);
    rate.source += (rate.source.empty() ? "" : "; ") + std::string(table->cell(row, 4));
  }
  return rates;
}

Result<Done> Rates::set(std::string_view text) {
  std::size_t equals = text.find('='), at = text.find('@');
  std::string given(text);
  if (equals == std::string_view::npos || at == std::string_view::npos || at < equals)
    return Error{"--rate " + given + ": write CURRENCY=UNITS_PER_USD@DATE, such as INR=93.8@2026-03-17"};
  std::string currency(text.substr(0, equals));
  auto value = parseNumber(text.substr(equals + 1, at - equals - 1));
  std::string date(text.substr(at + 1));
  if (!isCurrencyCode(currency))
    return Error{"--rate " + given + ": '" + currency + "' is no currency; write three capitals such as INR"};
  if (!value || *value <= 0)
    return Error{"--rate " + given + ": the rate must be a number above 0: units per US dollar"};
  if (!parseDate(date)) return Error{"--rate " + given + ": '" + date + "' is no date; write YYYY-MM-DD"};
  if (currency == "USD" && *value != 1) return Error{"--rate " + given + ": a US dollar is 1 US dollar"};
  std::erase_if(rates_, [&](const Rate& rate) { return rate.currency == currency; });
  rates_.push_back({currency, *value, *value, *value, date, "given", true});
  return Done{};
}

Result<Rate> Rates::find(std::string_view currency) const {
  for (const Rate& rate : rates_)
    if (rate.currency == currency) return rate;
  std::string code(currency);
  return Error{"no exchange rate for " + code + "; give one: --rate " + code + "=UNITS_PER_USD@DATE"};
}

Result<double> Rates::convert(double amount, std::string_view from, std::string_view to) const {
  if (from == to) return amount;
  auto a = find(from), b = find(to);
  if (!a) return Error{a.error()};
  if (!b) return Error{b.error()};
  return amount / a->perUsd * b->perUsd;
}

}  // namespace unwarp::cost::money
