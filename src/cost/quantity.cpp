// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/quantity.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "knowledge/load.h"

namespace unwarp::cost {

std::optional<std::chrono::year_month_day> parseDate(std::string_view text) {
  if (!knowledge::isDate(text)) return std::nullopt;
  auto part = [&](std::size_t at, std::size_t length) {
    return text.size() < at + length ? 1 : static_cast<int>(*parseDecimal(text.substr(at, length)));
  };
  std::chrono::year_month_day date{std::chrono::year(part(0, 4)), std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                   std::chrono::day(static_cast<unsigned>(part(8, 2)))};
  return date.ok() ? std::optional(date) : std::nullopt;
}

std::string dateText(std::chrono::year_month_day date) {
  auto padded = [](unsigned number, std::size_t width) {
    std::string text = std::to_string(number);
    return std::string(width - std::min(width, text.size()), '0') + text;
  };
  return padded(static_cast<unsigned>(static_cast<int>(date.year())), 4) + "-" +
         padded(static_cast<unsigned>(date.month()), 2) + "-" + padded(static_cast<unsigned>(date.day()), 2);
}

bool isCurrencyCode(std::string_view text) {
  return text.size() == 3 && std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return "0";
  int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
  if (decimals < 0) {
    double unit = std::pow(10.0, -decimals);
    value = std::round(value / unit) * unit;
  }
  std::array<char, 64> buffer;
  auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed,
                                    std::clamp(decimals, 0, 15));
  return error == std::errc() ? std::string(buffer.data(), end) : "-";
}

std::string compact(double value, int digits) {
  std::string text = significant(value, digits);
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

Error toError(const BadInput& bad) {
  std::string place = bad.file + (bad.line == 0 ? "" : ":" + std::to_string(bad.line));
  return Error{place + (place.empty() ? "" : ": ") + bad.field + (bad.field.empty() ? "" : ": ") + bad.what +
               (bad.fix.empty() ? "" : "; " + bad.fix)};
}

}  // namespace unwarp::cost
