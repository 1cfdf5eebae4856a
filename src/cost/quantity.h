// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every part of the cost account speaks: a number with its unit, its distribution, and where it comes from. The
// assumptions sheet prints the sources; so no number enters the account without one. A wrong input is told with its
// field, its file and the fix, because who fills in a manifest is rarely who wrote the model.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/text.h"
#include "cost/distribution.h"

namespace unwarp::cost {

/// How a number came to be. Claim: a vendor's or a press figure; printed, never used in a computation.
enum class Basis : std::uint8_t { Given, Measured, Read, Derived, Judgement, Claim };
inline constexpr std::array<std::string_view, 6> basisNames{"given",   "measured",  "read",
                                                            "derived", "judgement", "claim"};

struct Source {
  Basis basis = Basis::Judgement;
  std::string text;  ///< what was read: a page, a table row, "unwarp.toml:12"
  std::string asOf;  ///< YYYY, YYYY-MM or YYYY-MM-DD
};

/// An uncertain number of the account. `name` is the key that a manifest overrides it with and the sheet prints it by.
struct Quantity {
  std::string name;
  std::string unit;
  Distribution distribution;
  Source source;

  double quantile(double p) const { return distribution.quantile(p); }
};

/// An amount in one currency (ISO 4217, three capitals) at the prices of a day.
struct Money {
  double amount = 0;
  std::string currency;
  std::string asOf;
};

/// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; what is missing counts as the first. None for days that no calendar has.
std::optional<std::chrono::year_month_day> parseDate(std::string_view text);
std::string dateText(std::chrono::year_month_day date);
/// Three capital letters.
bool isCurrencyCode(std::string_view text);
/// `value` with `digits` significant digits and no exponent below 1e15: 0.0438, 4561670, 12.3.
std::string significant(double value, int digits);

/// The same without zeros at the end of its decimals: 8, 0.5, 12.3.
std::string compact(double value, int digits = 3);

/// An input that cannot be used.
struct BadInput {
  std::string file;        ///< as the user named it
  std::uint32_t line = 0;  ///< from 1; 0 when the file has no lines to tell
  std::string field;       ///< `workload.chat.price`
  std::string what;        ///< what is wrong with it
  std::string fix;         ///< what to write instead
};

/// "FILE:LINE: FIELD: WHAT; FIX"
Error toError(const BadInput& bad);

}  // namespace unwarp::cost
