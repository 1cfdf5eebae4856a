// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of this folder as text: for people, as JSON and CSV. Each figure stands beside the price it rests on, that
// price's source and date, and what is disputed about it.
#pragma once

#include <span>
#include <string>

#include "cost/money/tokens.h"

namespace unwarp::cost::money {

std::string terminalText(const CostTable& table, const CostOptions& options, const Rates& rates);
std::string jsonText(const CostTable& table, const CostOptions& options, std::span<const Charge> charges = {});
std::string csvText(const CostTable& table);
/// Sums of a bill by category and currency, and what it paid per GPU hour; empty without charges.
std::string billText(std::span<const Charge> charges);
/// Every price and rate with source, date and status.
std::string priceText(const PriceTable& prices, const Rates& rates);

}  // namespace unwarp::cost::money
