// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/cost_input.h"

#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "cost/quantity.h"

namespace unwarp::cli {

std::string lastOf(const Arguments& arguments, std::string_view flag, std::string_view fallback) {
  auto found = arguments.flags.find(flag);
  return found == arguments.flags.end() ? std::string(fallback) : found->second.back();
}

Result<Done> sparesInputs(std::string_view flag, const std::string& file, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  const std::string target = writeTarget(file);
  if (target.empty()) return Done{};  // a device or pipe
  std::error_code error;
  for (const std::string& input : inputs) {
    const std::string own = writeTarget(input);
    const std::string beside = (fs::path(own).parent_path() / "run.toml").string();
    bool same = target == own || target.starts_with(own + "/") || target == own + ".toml" || target == beside ||
                fs::equivalent(target, own, error);
    if (same)
      return Error{std::string(flag) + " " + file + ": is read as part of " + input +
                   "; nothing was written, name another file"};
  }
  return Done{};
}

Result<double> shareOf(const Arguments& arguments, std::string_view flag, double fallback, double low, double high) {
  if (!arguments.has(flag)) return fallback;
  std::string text = lastOf(arguments, flag, "");
  bool percent = text.ends_with('%');
  auto value = parseNumber(percent ? std::string_view(text).substr(0, text.size() - 1) : std::string_view(text));
  if (value && percent) *value /= 100;
  if (!value || *value < low || *value > high)
    return Error{std::string(flag) + " " + text + ": write a share from " + cost::significant(low, 3) + " to " +
                 cost::significant(high, 3) + ", or percent such as 3%"};
  return *value;
}

Result<CostInput> CostInput::load(const Arguments& arguments) {
  CostInput input;
  auto knowledge = knowledge::Knowledge::load(lastOf(arguments, "--knowledge", ""));
  if (!knowledge) return Error{knowledge.error()};
  input.knowledge = std::move(*knowledge);
  auto gpus = cost::money::GpuNames::load(*input.knowledge);
  if (!gpus) return Error{gpus.error()};
  input.gpus = std::move(*gpus);
  auto rates = cost::money::Rates::load(*input.knowledge);
  if (!rates) return Error{rates.error()};
  input.rates = std::move(*rates);
  auto prices = cost::money::PriceTable::load(*input.knowledge);
  if (!prices) return Error{prices.error()};
  input.prices = std::move(*prices);
  if (auto given = arguments.flags.find("--rate"); given != arguments.flags.end())
    for (const std::string& text : given->second)
      if (auto set = input.rates.set(text); !set) return Error{set.error()};
  if (auto given = arguments.flags.find("--price"); given != arguments.flags.end())
    for (const std::string& text : given->second)
      if (auto set = input.prices.set(text, input.gpus); !set) return Error{set.error()};
  input.currency = lastOf(arguments, "--currency", "USD");
  if (!cost::isCurrencyCode(input.currency))
    return Error{"--currency " + input.currency + ": write three capitals such as INR"};
  if (auto rate = input.rates.find(input.currency); !rate) return Error{rate.error()};
  return input;
}

}  // namespace unwarp::cli
