// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nine rules in their order, and what follows from asking them again with one thing changed.
#include <algorithm>
#include <functional>

#include "cost/quantity.h"
#include "cost/verdict/verdict.h"

namespace unwarp::cost {

namespace {

/// Names of libraries in one reason.
constexpr std::size_t namesShown = 4;

std::vector<std::string> hotPathWith(const Evidence& evidence, Status status) {
  std::vector<std::string> names;
  for (const LibraryEvidence& library : evidence.libraries)
    if (library.hotPath && library.status == status) names.push_back(library.name);
  return names;
}

std::vector<std::string> lagging(const Evidence& evidence) {
  std::vector<std::string> names;
  for (const LibraryEvidence& library : evidence.libraries)
    if (library.status != Status::DropIn && library.status != Status::Port) names.push_back(library.name);
  return names;
}

std::string spreadText(Spread spread) {
  return "distribution: " + std::string(spreadNames[static_cast<std::size_t>(spread)]);
}

std::string counted(double count, std::string_view what) {
  return compact(count, 4) + " " + std::string(what) + (count == 1 ? "" : "s");
}

bool failsPayback(const Evidence& evidence) {
  return evidence.npvP50 && *evidence.npvP50 < 0;
}

std::string paybackReason(const Evidence& e) {
  std::string text = "it does not pay: the net present value (P50) is negative";
  if (!e.npvText.empty()) text += ", " + e.npvText;
  return text + (e.dependsOnBasis.value_or(false) ? "; on another price basis it is positive" : "");
}

Decision decideKernels(const Evidence& e, const Limits& limits) {
  std::vector<std::string> found{counted(e.kernels, "kernel"), counted(e.hazards, "hazard site"),
                                 "porting P50 " + compact(e.portWeeks, 3) + " person-weeks, " +
                                     (e.portWeeks <= limits.portWeeks ? "within" : "above") + " the limit of " +
                                     compact(limits.portWeeks, 3)};
  if (e.untranslatable == 0 && e.portWeeks <= limits.portWeeks) return {Answer::PortableWithEffort, 8, found};
  // What decides stands first.
  if (e.portWeeks > limits.portWeeks) std::rotate(found.begin(), found.end() - 1, found.end());
  if (e.untranslatable > 0)
    found.insert(found.begin(), counted(e.untranslatable, "site") + " without a counterpart on the target");
  if (failsPayback(e)) {
    found.insert(found.begin(), paybackReason(e));
    return {Answer::StayOnCuda, 9, found};
  }
  return {Answer::LargeBase, 9, found};
}

/// What the evidence becomes when what decided is taken away.
std::pair<Evidence, std::string> otherwise(Evidence e, int rule, bool forNow) {
  if (forNow) {
    e.npvP50 = 1;
    return {e, "if it pays: the net present value turns positive"};
  }
  switch (rule) {
    case 1:
      e.greenfield = false;
      return {e, "if there is code to keep"};
    case 2:
      e.spread = Spread::OneNode;
      return {e, "if each pool of one vendor is a job of its own"};
    case 3:
      e.acceptsOtherEngine = true;
      return {e, "if another engine for the same model is accepted"};
    case 4:
      e.spread = Spread::MultiNodeFramework;
      return {e, "if collectives go through the framework only"};
    case 5:
      e.coverage = 1;
      e.factlessTarget.clear();
      for (LibraryEvidence& library : e.libraries)
        if (library.status == Status::Unknown) library.status = Status::Partial;
      return {e, "if what is missing is supplied and lags at most"};
    case 6:
      e.libraries.push_back({"a library that lags", Status::Partial, false});
      return {e, "if a library turns out to lag"};
    case 7:
      e.npvP50 = -1;
      return {e, "if the saving does not pay"};
    case 8:
      e.portWeeks = 1e9;
      return {e, "if porting exceeds the limit"};
    default:
      e.npvP50 = -1;
      return {e, "if the saving does not pay"};
  }
}

struct Change {
  std::string what;
  std::function<void(Evidence&)> apply;
};

std::vector<Change> changesOf(const Evidence& evidence, const Limits& limits) {
  std::vector<Change> changes;
  for (std::size_t i = 0; i < evidence.libraries.size(); ++i) {
    const LibraryEvidence& library = evidence.libraries[i];
    if (!library.hotPath) continue;
    for (Status status : {Status::Partial, Status::None, Status::Unknown}) {
      if (status == library.status ||
          (status == Status::Partial && library.status != Status::None && library.status != Status::Unknown))
        continue;
      std::string_view word = status == Status::Partial ? " gets a counterpart on the target"
                              : status == Status::None  ? " loses its counterpart on the target"
                                                        : "'s status is not known";
      changes.push_back(
          {library.name + std::string(word), [i, status](Evidence& e) { e.libraries[i].status = status; }});
    }
  }
  for (std::size_t i = 0; i < spreadNames.size(); ++i)
    changes.push_back({"distribution becomes " + std::string(spreadNames[i]),
                       [i](Evidence& e) { e.spread = static_cast<Spread>(i); }});
  changes.push_back(
      {"another engine for the same model is accepted", [](Evidence& e) { e.acceptsOtherEngine = true; }});
  changes.push_back({"everything is written anew", [](Evidence& e) { e.greenfield = true; }});
  changes.push_back({"there is code to keep", [](Evidence& e) { e.greenfield = false; }});
  changes.push_back({"the kernels go", [](Evidence& e) { e.kernels = e.untranslatable = 0; }});
  changes.push_back({"less than " + compact(100 * limits.coverage, 2) + " % of the files can be read",
                     [&limits](Evidence& e) { e.coverage = limits.coverage / 2; }});
  changes.push_back({"what runs on the target is found out", [](Evidence& e) { e.factlessTarget.clear(); }});
  changes.push_back({"all files can be read", [](Evidence& e) { e.coverage = 1; }});
  changes.push_back({"porting takes more than " + compact(limits.portWeeks, 3) + " person-weeks",
                     [&limits](Evidence& e) { e.portWeeks = 2 * limits.portWeeks + 1; }});
  changes.push_back({"porting takes at most " + compact(limits.portWeeks, 3) +
                         " person-weeks and every site has a "
                         "counterpart",
                     [&limits](Evidence& e) { e.portWeeks = limits.portWeeks, e.untranslatable = 0; }});
  changes.push_back({"the net present value turns negative", [](Evidence& e) { e.npvP50 = -1; }});
  changes.push_back({"the net present value turns positive", [](Evidence& e) { e.npvP50 = 1; }});
  return changes;
}

Answer answerAfterGates(const Evidence& evidence, const Limits& limits) {
  Answer answer = decide(evidence, limits).answer;
  return isPositive(answer) && failsPayback(evidence) ? Answer::StayOnCuda : answer;
}

std::string confidenceOf(const Evidence& e) {
  bool unsure = std::any_of(e.libraries.begin(), e.libraries.end(),
                            [](const LibraryEvidence& library) { return library.status == Status::Unknown; });
  if (e.coverage < 0.8 || e.dependsOnBasis.value_or(false)) return "low";
  return e.coverage >= 0.95 && !unsure && e.npvP50 ? "high" : "medium";
}

/// The next best answer and its condition: what decided is taken away; where want of money leaves the same answer, the
/// money too; and where that does, any single change that turns it.
void setRunnerUp(const Evidence& evidence, const Limits& limits, Verdict& verdict) {
  auto [changed, when] = otherwise(evidence, verdict.decision.rule, verdict.forNow);
  verdict.runnerUp = answerAfterGates(changed, limits);
  verdict.runnerUpWhen = when;
  if (verdict.runnerUp != verdict.answer()) return;
  changed.npvP50 = 1;
  verdict.runnerUp = answerAfterGates(changed, limits);
  verdict.runnerUpWhen = when + " and it pays";
  if (verdict.runnerUp != verdict.answer() || verdict.flips.empty()) return;
  verdict.runnerUp = verdict.flips.front().answer;
  verdict.runnerUpWhen = "if " + verdict.flips.front().change;
}

}  // namespace

std::string answerText(const Verdict& verdict) {
  return std::string(answerNames[static_cast<std::size_t>(verdict.answer())]) + (verdict.forNow ? " (for now)" : "");
}

Decision decide(const Evidence& e, const Limits& limits) {
  if (e.greenfield) return {Answer::WritePortable, 1, {"greenfield: nothing written yet"}};
  if (e.spread == Spread::MixedVendor) return {Answer::MostlyStuck, 2, {spreadText(e.spread)}};
  auto without = hotPathWith(e, Status::None);
  if (!without.empty() && !e.acceptsOtherEngine)
    return {Answer::StayOnCuda, 3, {"on the hot path without a counterpart: " + listed(without, namesShown)}};
  if (e.spread == Spread::MultiNodeNccl) return {Answer::MostlyStuck, 4, {spreadText(e.spread)}};
  auto unknown = hotPathWith(e, Status::Unknown);
  if (e.coverage < limits.coverage || !unknown.empty() || !e.factlessTarget.empty()) {
    std::vector<std::string> missing;
    if (!e.factlessTarget.empty())
      missing.push_back("the tables of libraries and hazards are of AMD GPUs and say nothing about " +
                        e.factlessTarget);
    if (e.coverage < limits.coverage)
      missing.push_back(compact(100 * e.coverage, 3) + " % of the files could be read, " +
                        compact(100 * limits.coverage, 3) + " % are needed");
    if (!unknown.empty()) missing.push_back("status not known on the target: " + listed(unknown, namesShown));
    return {Answer::Undetermined, 5, missing};
  }
  if (e.kernels > 0) return decideKernels(e, limits);
  auto behind = lagging(e);
  if (e.frameworkSupported && behind.empty() && e.spread <= Spread::OneNode)
    return {Answer::PortableNow,
            6,
            {"no kernels of its own", "every library has the same or a renamed counterpart", spreadText(e.spread)}};
  std::vector<std::string> found{"no kernels of its own"};
  if (!behind.empty()) found.push_back("libraries that lag or lack: " + listed(behind, namesShown));
  if (!e.frameworkSupported) found.push_back("its framework has no ROCm build");
  if (e.spread > Spread::OneNode) found.push_back(spreadText(e.spread));
  return {Answer::PortableWithEffort, 7, found};
}

Verdict verdictOf(const Evidence& evidence, const Limits& limits) {
  Verdict verdict;
  verdict.decision = decide(evidence, limits);
  verdict.confidence = confidenceOf(evidence);
  if (isPositive(verdict.decision.answer)) {
    verdict.gates = {{"numerics", evidence.harness ? "run the harness on the target"
                                                   : "no harness yet: building it is priced, the verdict stands"},
                     {"throughput", "measured on your own model"},
                     {"payback", "P50 within the horizon"}};
    if (evidence.npvP50) verdict.gates[2].state = failsPayback(evidence) ? GateState::Failed : GateState::Passed;
    verdict.demoted = failsPayback(evidence);
  }
  verdict.forNow = verdict.demoted || (verdict.decision.rule == 9 && verdict.answer() == Answer::StayOnCuda);
  verdict.reasons = verdict.decision.evidence;
  if (verdict.demoted) {
    std::string without(answerNames[static_cast<std::size_t>(verdict.decision.answer)]);
    verdict.reasons = {
        paybackReason(evidence),
        "if it paid: " + without + " (" + listed(verdict.decision.evidence, verdict.decision.evidence.size()) + ")"};
  }
  for (const Change& change : changesOf(evidence, limits)) {
    Evidence other = evidence;
    change.apply(other);
    Answer answer = answerAfterGates(other, limits);
    if (answer != verdict.answer()) verdict.flips.push_back({change.what, answer});
  }
  setRunnerUp(evidence, limits, verdict);
  return verdict;
}

}  // namespace unwarp::cost
