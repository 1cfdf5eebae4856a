// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/gate.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace unwarp::audit {

namespace {

using result::AuditResult;

template <class Condition>
std::int64_t countFindings(const AuditResult& result, Condition condition) {
  std::int64_t count = 0;
  for (const result::Finding& finding : result.findings)
    if (condition(finding)) count += finding.site.count;
  return count;
}

std::optional<std::int64_t> figure(const AuditResult& result, std::string_view name) {
  if (name == "sites") return static_cast<std::int64_t>(result.totals.sites);
  if (name == "findings") return countFindings(result, [](const auto&) { return true; });
  if (name == "lds") return result.largestSharedBytes;
  if (name == "mask_sites") return countFindings(result, [](const auto& f) { return f.rule.starts_with("M"); });
  if (name == "width_sites")
    return countFindings(result, [](const auto& f) { return f.rule.starts_with("W") || f.rule.starts_with("S"); });
  if (auto severity = fromName<Severity>(severityNames, name))
    return countFindings(result, [&](const auto& f) { return f.severity == *severity; });
  if (auto status = fromName<Status>(statusNames, name))
    return static_cast<std::int64_t>(result.totals.byStatus[static_cast<std::size_t>(*status)]);
  if (auto layer = fromName<Layer>(layerNames, name))
    return static_cast<std::int64_t>(result.layers[static_cast<std::size_t>(*layer)].sites);
  bool isRule =
      std::any_of(result.rules.begin(), result.rules.end(), [&](const auto& rule) { return rule.id == name; });
  if (isRule) return countFindings(result, [&](const auto& f) { return f.rule == name; });
  return std::nullopt;
}

bool compare(std::int64_t a, std::string_view op, std::int64_t b) {
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  return a >= b;
}

Result<GateOutcome> checkOne(const AuditResult& result, std::string_view condition) {
  std::string shown(condition);
  std::size_t at = condition.find_first_of("<>=!");
  if (at == std::string_view::npos) return Error{"gate '" + shown + "': needs a comparison, as in silent==0"};
  std::size_t length = at + 1 < condition.size() && condition[at + 1] == '=' ? 2 : 1;
  std::string_view op = condition.substr(at, length);
  if (op == "=" || op == "!") return Error{"gate '" + shown + "': use == != < <= > >="};
  std::string_view name = trim(condition.substr(0, at)), number = trim(condition.substr(at + length));
  std::int64_t scale = 1;
  if (!number.empty() && (number.back() == 'k' || number.back() == 'K')) scale = 1024;
  if (!number.empty() && (number.back() == 'm' || number.back() == 'M')) scale = 1024 * 1024;
  if (scale != 1) number.remove_suffix(1);
  auto limit = parseDecimal(number);
  if (!limit) return Error{"gate '" + shown + "': '" + std::string(number) + "' is no whole number"};
  if (__builtin_mul_overflow(*limit, scale, &*limit)) return Error{"gate '" + shown + "': the number is too large"};
  auto actual = figure(result, name);
  if (!actual) {
    std::vector<std::string_view> names{"sites", "findings", "lds", "mask_sites", "width_sites"};
    names.insert(names.end(), severityNames.begin(), severityNames.end());
    names.insert(names.end(), statusNames.begin(), statusNames.end());
    names.insert(names.end(), layerNames.begin(), layerNames.end());
    std::string_view near = nearest(name, names);
    return Error{"gate '" + shown + "': unknown name '" + std::string(name) + "'" +
                 (near.empty() ? "" : "; did you mean " + std::string(near) + "?")};
  }
  return GateOutcome{shown, *actual, compare(*actual, op, *limit)};
}

}  // namespace

Result<std::vector<GateOutcome>> checkGate(const AuditResult& result, std::string_view expression) {
  std::vector<GateOutcome> outcomes;
  for (std::string_view condition : split(expression, ',')) {
    condition = trim(condition);
    if (condition.empty()) continue;
    Result<GateOutcome> outcome = checkOne(result, condition);
    if (!outcome) return Error{outcome.error()};
    outcomes.push_back(std::move(*outcome));
  }
  if (outcomes.empty()) return Error{"gate is empty"};
  return outcomes;
}

Result<GateOutcome> checkSeverity(const AuditResult& result, std::string_view word) {
  auto severity = fromName<Severity>(severityNames, word);
  if (!severity)
    return Error{"--fail-on: '" + std::string(word) + "' is none of silent, crash, hang, compile, perf, info"};
  std::int64_t count = countFindings(result, [&](const auto& f) { return f.severity <= *severity; });
  return GateOutcome{"no finding of severity " + std::string(word) + " or worse", count, count == 0};
}

}  // namespace unwarp::audit
