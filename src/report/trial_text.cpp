// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/trial_text.h"

#include <algorithm>

#include "report/wording.h"

namespace unwarp::report {
namespace {

using result::BuildState;
using result::CheckVerdict;

struct Wording {
  CheckVerdict verdict;
  std::string_view counted, meaning;
};

// In the order in which a reader wants them.
constexpr Wording kWordings[] = {
    {CheckVerdict::FailsAt64, "fail only at 64", "passes at 32 lanes, fails at 64"},
    {CheckVerdict::Differs, "print something else at 64", "passes at 32 lanes, prints something else at 64"},
    {CheckVerdict::Unsteady, "unsteady", "two runs at one width end differently"},
    {CheckVerdict::FailsAt32, "fail at 32", "fails at 32 lanes"},
    {CheckVerdict::NotJudged, "not judged", "says nothing about the width"},
    {CheckVerdict::Same, "the same at both widths", "passes and prints the same at 32 and 64 lanes"},
};

std::size_t weightOf(CheckVerdict verdict) {
  return static_cast<std::size_t>(std::find_if(std::begin(kWordings), std::end(kWordings),
                                               [&](const Wording& one) { return one.verdict == verdict; }) -
                                  std::begin(kWordings));
}

}  // namespace

std::string buildsText(const result::TrialResult& trial) {
  if (trial.builds.empty()) return "nothing that can be built was found";
  const std::uint64_t built = trial.count(BuildState::Built), all = trial.builds.size();
  if (built == all) return all == 1 ? "the build is complete" : "all " + counted(all, "build") + " are complete";
  std::string text = grouped(built) + " of " + counted(all, "build") + " complete";
  constexpr std::string_view kMissing[] = {"", "in part", "failed", "out of time", "not tried"};
  for (BuildState state : {BuildState::Partial, BuildState::Failed, BuildState::TimedOut, BuildState::NotTried})
    if (const std::uint64_t count = trial.count(state); count > 0)
      text += ", " + grouped(count) + " " + std::string(kMissing[static_cast<std::size_t>(state)]);
  return text;
}

std::string checksText(const result::TrialResult& trial) {
  if (trial.checks.empty()) return "nothing to run";
  std::string text = counted(trial.checks.size(), "check");
  bool first = true;
  for (const Wording& one : kWordings) {
    const std::uint64_t count = trial.count(one.verdict);
    if (count == 0) continue;
    text += (first ? ": " : ", ") + grouped(count) + " " + std::string(one.counted);
    first = false;
  }
  return text;
}

std::string_view meaning(CheckVerdict verdict) {
  return kWordings[weightOf(verdict)].meaning;
}

std::string reasonText(const result::Check& check) {
  if (!check.difference) return check.reason;
  const result::LineDifference& line = *check.difference;
  auto quoted = [](const std::string& text) { return text.empty() ? std::string("nothing") : "\"" + text + "\""; };
  return check.reason + "; " + line.stream + " line " + std::to_string(line.line) + ": " + quoted(line.at32) +
         " at 32, " + quoted(line.at64) + " at 64";
}

std::string reasonText(const result::BuildFailure& failure) {
  std::string text;
  for (const std::string& line : failure.why) text += (text.empty() ? "" : "; ") + line;
  return text;
}

std::vector<const result::Check*> checksByWeight(const result::TrialResult& trial) {
  std::vector<const result::Check*> checks;
  for (const result::Check& check : trial.checks) checks.push_back(&check);
  std::stable_sort(checks.begin(), checks.end(),
                   [](const auto* a, const auto* b) { return weightOf(a->verdict) < weightOf(b->verdict); });
  return checks;
}

std::vector<const result::Build*> brokenBuilds(const result::TrialResult& trial) {
  std::vector<const result::Build*> builds;
  for (const result::Build& build : trial.builds)
    if (build.state != BuildState::Built) builds.push_back(&build);
  return builds;
}

}  // namespace unwarp::report
