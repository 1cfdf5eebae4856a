// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/gate.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/text.h"

namespace unwarp::audit {

namespace {

using result::AuditResult;

/// What a condition counts: of findings, all that a rule of this id gives with this severity.
using Counted = std::function<bool(std::string_view rule, Severity)>;

/// The findings that a name stands for; empty when it stands for something else.
Counted countedBy(const AuditResult& result, std::string_view name) {
  if (name == "findings") return [](std::string_view, Severity) { return true; };
  if (name == "mask_sites") return [](std::string_view rule, Severity) { return rule.starts_with("M"); };
  if (name == "width_sites")
    return [](std::string_view rule, Severity) { return rule.starts_with("W") || rule.starts_with("S"); };
  if (auto wanted = fromName<Severity>(severityNames, name))
    return [wanted](std::string_view, Severity severity) { return severity == *wanted; };
  bool isRule =
      std::any_of(result.rules.begin(), result.rules.end(), [&](const auto& rule) { return rule.id == name; });
  if (isRule) return [name](std::string_view rule, Severity) { return rule == name; };
  return {};
}

std::int64_t countFindings(const AuditResult& result, const Counted& counted) {
  std::int64_t count = 0;
  for (const result::Finding& finding : result.findings)
    if (counted(finding.rule, finding.severity)) count += finding.site.count;
  return count;
}

/// A rule that concerns none of the targets has nothing to say about them; every other reason leaves a question open.
bool isUnasked(const AuditResult& result, std::string_view rule) {
  return std::any_of(result.rulesOff.begin(), result.rulesOff.end(),
                     [&](const auto& off) { return off.rule == rule && off.reason != OffReason::Target; });
}

/// Whether no rule was applied whose findings are counted: such a gate would hold whatever the code does. Any rule may
/// give a remark (`info`) instead of its own severity.
bool nothingAsked(const AuditResult& result, const Counted& counted) {
  bool any = false;
  for (const result::RuleText& rule : result.rules) {
    if (!counted(rule.id, rule.severity) && !counted(rule.id, Severity::Info)) continue;
    if (!isUnasked(result, rule.id)) return false;
    any = true;
  }
  return any;
}

/// Whether every rule whose findings are counted concerns none of the targets.
bool concernsNoTarget(const AuditResult& result, const Counted& counted) {
  bool any = false;
  for (const result::RuleText& rule : result.rules) {
    if (!counted(rule.id, rule.severity) && !counted(rule.id, Severity::Info)) continue;
    const auto off = std::find_if(result.rulesOff.begin(), result.rulesOff.end(),
                                  [&](const auto& one) { return one.rule == rule.id; });
    if (off == result.rulesOff.end()) return false;
    any = true;
  }
  return any;
}

std::optional<std::int64_t> figure(const AuditResult& result, std::string_view name, const Figures& figures) {
  if (auto known = figures.find(name); known != figures.end()) return known->second;
  if (name == "sites") return static_cast<std::int64_t>(result.totals.sites);
  if (name == "lds") return result.largestSharedBytes;
  if (auto status = fromName<Status>(statusNames, name))
    return static_cast<std::int64_t>(result.totals.byStatus[static_cast<std::size_t>(*status)]);
  if (auto layer = fromName<Layer>(layerNames, name))
    return static_cast<std::int64_t>(result.layers[static_cast<std::size_t>(*layer)].sites);
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

/// `-` and digits, whatever their number.
bool isDecimal(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "always" or "never" for a condition that no count can change, since counts are never negative; else empty.
std::string_view foregone(std::string_view op, std::int64_t limit) {
  const bool below = op == "<" || op == "<=" || op == "==", above = op == ">" || op == ">=" || op == "!=";
  const bool outside = limit < 0 || (limit == 0 && (op == "<" || op == ">="));
  return !outside ? "" : below ? "never" : above ? "always" : "";
}

Result<GateOutcome> checkOne(const AuditResult& result, std::string_view condition, const Figures& figures) {
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
  const std::string_view digits = scale == 1 ? number : number.substr(0, number.size() - 1);
  auto limit = parseDecimal(digits);
  if (!limit && isDecimal(digits)) return Error{"gate '" + shown + "': the number is too large"};
  if (!limit) return Error{"gate '" + shown + "': '" + std::string(number) + "' is no whole number"};
  if (__builtin_mul_overflow(*limit, scale, &*limit)) return Error{"gate '" + shown + "': the number is too large"};
  if (std::string_view verdict = foregone(op, *limit); !verdict.empty())
    return Error{"gate '" + shown + "': nothing counts below 0, so it would " + std::string(verdict) + " hold"};
  const Counted counted = countedBy(result, name);
  if (counted && nothingAsked(result, counted))
    return Error{"gate '" + shown + "': the rules behind '" + std::string(name) + "' are off; it would always hold"};
  auto actual = counted ? countFindings(result, counted) : figure(result, name, figures);
  if (!actual) {
    std::vector<std::string_view> names{"sites", "findings", "lds", "mask_sites", "width_sites"};
    for (const auto& [known, value] : figures) names.push_back(known);
    names.insert(names.end(), severityNames.begin(), severityNames.end());
    names.insert(names.end(), statusNames.begin(), statusNames.end());
    names.insert(names.end(), layerNames.begin(), layerNames.end());
    std::string_view near = nearest(name, names);
    return Error{"gate '" + shown + "': unknown name '" + std::string(name) + "'" +
                 (near.empty() ? "" : "; did you mean " + std::string(near) + "?")};
  }
  GateOutcome outcome{shown, *actual, compare(*actual, op, *limit), {}};
  if (counted && concernsNoTarget(result, counted))
    outcome.remark = "no rule behind '" + std::string(name) + "' concerns the chosen targets";
  if (name == "lds" && result.unknownShared > 0) {
    outcome.remark = std::to_string(result.unknownShared) + " kernels have shared variables of unknown size";
    // Nothing known is not nothing: such a gate would hold whatever the code asks for.
    outcome.holds = outcome.holds && *actual > 0;
  }
  return outcome;
}

}  // namespace

Result<std::vector<GateOutcome>> checkGate(const AuditResult& result, std::string_view expression,
                                           const Figures& figures) {
  std::vector<GateOutcome> outcomes;
  for (std::string_view condition : split(expression, ',')) {
    condition = trim(condition);
    if (condition.empty()) continue;
    Result<GateOutcome> outcome = checkOne(result, condition, figures);
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
  const Counted counted = [&](std::string_view, Severity one) { return one <= *severity; };
  if (nothingAsked(result, counted))
    return Error{"--fail-on " + std::string(word) + ": the rules that bad are off; it would always hold"};
  std::int64_t count = countFindings(result, counted);
  return GateOutcome{"no finding of severity " + std::string(word) + " or worse", count, count == 0, {}};
}

}  // namespace unwarp::audit
