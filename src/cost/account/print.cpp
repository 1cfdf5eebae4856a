// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An account for people: one page of Markdown that reads as plain text too. First what to do, then what it takes, then
// what it is worth, then how sure that is.
#include <algorithm>

#include "base/output_text.h"
#include "cost/account/account.h"

namespace unwarp::cost {

namespace {

std::string word(Answer answer) {
  return std::string(answerNames[static_cast<std::size_t>(answer)]);
}

std::string targetName(const TargetAccount& target) {
  return target.gpu.empty() ? target.target : target.gpu + " (" + target.target + ")";
}

std::string moneyWord(double amount, const std::string& currency) {
  return currency + " " + compact(amount);
}

/// A month of the horizon, as a date where the manifest says from when it counts.
std::string month(const std::optional<int>& month, const Account& account) {
  if (!month) return "not within the horizon";
  std::string date = dateAfter(account.terms.asOf, *month);
  return "month " + std::to_string(*month) + (date.empty() ? "" : " (" + date + ")");
}

/// What moves the NPV most, largest first.
void addTornado(std::string& text, const MoneyCase& one) {
  constexpr std::size_t shown = 8;
  text += "\nWhat moves the NPV on price basis " + printable(one.basis) +
          ":\n\n| input | NPV at its P10 | at its P90 | rank correlation | explains alone |\n|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < one.sensitivities.size() && i < shown && one.sensitivities[i].swing() > 0; ++i) {
    const simulate::Sensitivity& s = one.sensitivities[i];
    text += "| " + markdownCell(s.name) + " | " + compact(s.npvAtP10) + " | " + compact(s.npvAtP90) + " | " +
            compact(s.rankCorrelation, 2) + " | " + compact(100 * s.firstOrder, 2) + " % |\n";
  }
}

void addVerdict(std::string& text, const TargetAccount& target, const Account& account) {
  const Verdict& verdict = target.verdict;
  text += "**" + answerText(verdict) + "**, confidence " + verdict.confidence + ", facts of " + account.factsDate +
          ", rule " + std::to_string(verdict.decision.rule) + ".\n\n";
  for (const std::string& line : verdict.reasons) text += "- because: " + printable(line) + "\n";
  text += "- runner-up: " + word(verdict.runnerUp) + ", " + printable(verdict.runnerUpWhen) + "\n";
  for (const VerdictGate& gate : verdict.gates)
    text += "- gate " + gate.name + ": " + std::string(gateStateNames[static_cast<std::size_t>(gate.state)]) + " (" +
            gate.note + ")\n";
  for (const Flip& flip : verdict.flips)
    text += "- turns to " + word(flip.answer) + " if " + printable(flip.change) + "\n";
  if (target.dependsOnBasis) text += "- depends on price basis: see money below\n";
}

void addRoutes(std::string& text, const TargetAccount& target) {
  text += "\n| route | fits | person-weeks P10 | P50 | P80 | P90 |\n|---|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < target.routes.size(); ++i) {
    const RouteAccount& route = target.routes[i];
    const EffortSummary& e = route.effort;
    text += "| " + std::string(i == target.chosen ? "**" : "") + route.fit.route.title +
            (i == target.chosen ? "**" : "") + " | " + (route.fit.fits ? "yes: " : "no: ") + route.fit.why + " | ";
    if (!route.fit.fits) {
      text += "- | - | - | - |\n";
      continue;
    }
    text += compact(e.p10) + " | " + compact(e.p50) + " | " + compact(e.p80) + " | " + compact(e.p90) + " |\n";
  }
}

void addEffort(std::string& text, const TargetAccount& target, const Account& account) {
  const RouteAccount& route = target.routes[target.chosen];
  if (route.lines.empty()) return;
  text += "\nEffort by " + route.fit.route.title + " (P50 of each class in person-weeks):\n\n";
  for (std::size_t k = 0; k < effortClassNames.size(); ++k)
    if (route.effort.medians[k] > 0)
      text += "- " + std::string(effortClassNames[k]) + ": " + compact(route.effort.medians[k]) + "\n";
  text += "\n| class | what | count | hours P50 | P10 to P90 | how |\n|---|---|---|---|---|---|\n";
  for (const EffortLine& line : route.lines)
    text += "| " + std::string(effortClassNames[static_cast<std::size_t>(line.kind)]) + " | " +
            markdownCell(line.what) + " | " + compact(line.count) + " | " + compact(line.hours.median()) + " | " +
            compact(line.hours.quantile(0.1), 2) + " to " + compact(line.hours.quantile(0.9), 2) + " | " +
            markdownCell(line.how) + " |\n";
  if (account.cocomoWeeks > 0)
    text += "\nFor comparison: COCOMO organic on the GPU lines says " + compact(account.cocomoWeeks) +
            " person-weeks; it is made for new code and is off by an order on ports.\n";
}

void addMoney(std::string& text, const TargetAccount& target, const Account& account) {
  if (target.money.empty()) {
    text += "\nMoney: not computed; missing: " + target.moneyMissing + ".\n";
    return;
  }
  text +=
      "\n| price basis | now, per GPU-hour | then | month now | month then | one-off P50 | NPV P10 | P50 | P90 | pays "
      "back (P50; P80) | never |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const MoneyCase& one : target.money) {
    auto range = [](const money::PriceRange& price) {
      return price.low == price.high
                 ? compact(price.middle)
                 : compact(price.middle) + " (" + compact(price.low) + " to " + compact(price.high) + ")";
    };
    const simulate::RouteOutcome& o = one.outcome;
    text += "| " + one.basis + " | " + range(one.now) + " | " + range(one.then) + " | " + compact(one.monthlyNow) +
            " | " + compact(one.monthlyThen) + " | " + compact(o.oneOff.p50) + " | " + compact(o.npv.p10) + " | " +
            compact(o.npv.p50) + " | " + compact(o.npv.p90) + " | " + month(o.breakEvenP50, account) + "; " +
            month(o.breakEvenP80, account) + " | " + compact(100 * o.probabilityNever, 2) + " % |\n";
  }
  text += "\nAll money in " + account.currency + ". Worth measuring first:";
  for (const std::string& name : target.money.front().measureFirst) text += " " + name + ";";
  if (text.ends_with(';')) text.pop_back();
  text += ".\n";
  if (account.terms.asOf.empty()) text += "Months count from the start; [cost] as_of makes dates of them.\n";
  addTornado(text, target.money.front());
}

void addSheet(std::string& text, const Account& account) {
  if (!account.mitigations.empty())
    text += "\n## Mitigations\n\n| what | hours P50 | P90 | benefit | trade-off |\n|---|---|---|---|---|\n";
  for (const PricedMitigation& one : account.mitigations)
    text += "| " + one.title + " | " + compact(one.hoursP50) + " | " + compact(one.hoursP90) + " | " + one.benefit +
            " | " + one.tradeOff + " |\n";
  text += "\n## Steps, pilot on rented capacity first\n\n";
  for (const MigrationStep& step : account.steps)
    text += "- " + step.step + " " + step.what + "; done when: " + step.exitTest + "\n";
  if (!account.notes.empty()) text += "\n## To be weighed\n\n";
  for (const std::string& note : account.notes) text += "- " + printable(note) + "\n";
  text += "\n## Assumptions\n\n| name | value | unit | basis | source | as of |\n|---|---|---|---|---|---|\n";
  for (const Quantity& one : account.assumptions) {
    const Distribution& d = one.distribution;
    std::string value = d.shape == Shape::Fixed ? compact(d.a)
                                                : compact(d.median()) + " (P10 " + compact(d.quantile(0.1)) + ", P90 " +
                                                      compact(d.quantile(0.9)) + ")";
    text += "| " + one.name + " | " + value + " | " + one.unit + " | " +
            std::string(basisNames[static_cast<std::size_t>(one.source.basis)]) + " | " +
            markdownCell(one.source.text) + " | " + one.source.asOf + " |\n";
  }
  text += "\nClaims that are not used:\n\n";
  for (const std::string& claim : account.claims) text += "- " + claim + "\n";
}

}  // namespace

std::string dateAfter(const std::string& date, int months) {
  auto start = parseDate(date);
  if (!start) return {};
  return dateText(*start + std::chrono::months(months)).substr(0, 7);
}

std::string verdictLine(const Account& account) {
  std::string text;
  for (const WorkloadAccount& workload : account.workloads)
    for (const TargetAccount& target : workload.targets) {
      std::string what = account.workloads.size() > 1 ? printable(workload.name) + " on " : std::string();
      text += (text.empty() ? "" : "; ") + what + targetName(target) + ": " + answerText(target.verdict) +
              " (confidence " + target.verdict.confidence + ")";
    }
  return text + "; facts of " + account.factsDate;
}

std::string accountMarkdown(const Account& account) {
  std::string text = "# What leaving CUDA costs: " + printable(account.root) + "\n\n" + verdictLine(account) + "\n";
  for (const WorkloadAccount& workload : account.workloads)
    for (const TargetAccount& target : workload.targets) {
      text += "\n## " + printable(workload.name) + " on " + targetName(target) + "\n\n";
      addVerdict(text, target, account);
      addRoutes(text, target);
      addEffort(text, target, account);
      addMoney(text, target, account);
    }
  addSheet(text, account);
  return text;
}

std::string accountText(const Account& account) {
  std::string text = verdictLine(account) + "\n";
  for (const WorkloadAccount& workload : account.workloads)
    for (const TargetAccount& target : workload.targets) {
      const RouteAccount& route = target.routes[target.chosen];
      text += "\n" + printable(workload.name) + " on " + targetName(target) + ": " + answerText(target.verdict) + "\n";
      for (const std::string& line : target.verdict.reasons) text += "  because  " + printable(line) + "\n";
      text += "  else     " + word(target.verdict.runnerUp) + ", " + printable(target.verdict.runnerUpWhen) + "\n";
      bool moves = isPositive(target.verdict.answer());
      text += "  route    " + route.fit.route.title + " (" + route.fit.why + ")" +
              (moves ? "" : ", if it is moved all the same") + "\n";
      text += "  effort   " + compact(route.effort.p50) + " person-weeks (P10 " + compact(route.effort.p10) + ", P80 " +
              compact(route.effort.p80) + ", P90 " + compact(route.effort.p90) + ")\n";
      for (std::size_t k = 0; k < effortClassNames.size(); ++k)
        if (route.effort.medians[k] > 0)
          text += "             " + std::string(effortClassNames[k]) + " " + compact(route.effort.medians[k]) + "\n";
      if (target.money.empty()) {
        text += "  money    not computed; missing: " + target.moneyMissing + "\n";
        continue;
      }
      for (const MoneyCase& one : target.money)
        text += "  money    " + one.basis + ": NPV " + moneyWord(one.outcome.npv.p50, account.currency) + " (P10 " +
                compact(one.outcome.npv.p10) + ", P90 " + compact(one.outcome.npv.p90) + "), pays back " +
                month(one.outcome.breakEvenP50, account) + " (P50), within the horizon with " +
                compact(100 * (1 - one.outcome.probabilityNever), 2) + " %\n";
      if (target.dependsOnBasis) text += "           depends on price basis\n";
    }
  if (account.cocomoWeeks > 0)
    text +=
        "\nCOCOMO organic on the GPU lines, for comparison (it is made for new code): " + compact(account.cocomoWeeks) +
        " person-weeks.\n";
  return text + "\n`--format markdown` prints every line, its source and what would turn the verdict.\n";
}

std::string compareText(const Account& a, const Account& b) {
  std::string text = "| workload on target | " + markdownCell(a.manifestFile) + " | " + markdownCell(b.manifestFile) +
                     " |\n|---|---|---|\n";
  auto cell = [](const Account& account, const TargetAccount& target) {
    const RouteAccount& route = target.routes[target.chosen];
    std::string line =
        answerText(target.verdict) + ", " + compact(route.effort.p50) + " pw (P80 " + compact(route.effort.p80) + ")";
    if (!target.money.empty()) line += ", NPV " + moneyWord(target.money.front().outcome.npv.p50, account.currency);
    return line;
  };
  auto find = [](const Account& account, const std::string& name) -> const TargetAccount* {
    for (const WorkloadAccount& workload : account.workloads)
      for (const TargetAccount& target : workload.targets)
        if (workload.name + " on " + targetName(target) == name) return &target;
    return nullptr;
  };
  std::vector<std::string> names;
  for (const Account* account : {&a, &b})
    for (const WorkloadAccount& workload : account->workloads)
      for (const TargetAccount& target : workload.targets) {
        std::string name = workload.name + " on " + targetName(target);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
  for (const std::string& name : names) {
    const TargetAccount *first = find(a, name), *second = find(b, name);
    text += "| " + markdownCell(name) + " | " + (first ? cell(a, *first) : "-") + " | " +
            (second ? cell(b, *second) : "-") + " |\n";
  }
  return text;
}

}  // namespace unwarp::cost
