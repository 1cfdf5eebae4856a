// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trial/run_checks.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "trial/compare_output.h"
#include "trial/launch_counts.h"

namespace unwarp::trial {
namespace {

using result::Check;
using result::CheckRun;
using result::CheckVerdict;
using result::RunState;

// A run with what it printed.
struct Trial {
  CheckRun run;
  std::string out, err;
  bool passed() const { return run.state == RunState::Passed; }
};

// What test `number` printed itself: ctest puts "7: " before it.
std::string outputOfTest(std::string_view text, std::size_t number) {
  std::string own, mark = std::to_string(number) + ": ";
  LineReader reader(text);
  for (std::string_view line; reader.next(line);)
    if (line.starts_with(mark)) own.append(line.substr(mark.size())).append("\n");
  return own;
}

RunState stateOf(const Ended& ended, const PlannedCheck& planned) {
  switch (ended.how) {
    case Ended::How::Exited:
      break;
    case Ended::How::Signalled:
      return RunState::Crashed;
    case Ended::How::TimedOut:
      return RunState::TimedOut;
    case Ended::How::TooMuchOutput:
      return RunState::TooMuchOutput;
    case Ended::How::NotStarted:
    case Ended::How::Interrupted:
      return RunState::Refused;
  }
  bool says =
      planned.kind == CheckKind::Program && !(lineOfFailure(ended.out).empty() && lineOfFailure(ended.err).empty());
  return ended.status == 0 && !says ? RunState::Passed : RunState::Failed;
}

Trial runAt(const Session& session, const PlannedCheck& planned, std::uint32_t width) {
  session.say("running " + planned.name + " at " + std::to_string(width));
  std::filesystem::path stats = session.scratch / "stats";
  std::error_code ignored;
  std::filesystem::create_directory(stats, ignored);
  Ended ended = session.check(planned.words, planned.folder,
                              {"UNWARP_WIDTH=" + std::to_string(width), "UNWARP_STATS=json:" + stats.string() + "/%p"});
  LaunchCounts counts = takeLaunchCounts(stats);
  Trial trial{{width, stateOf(ended, planned), ended.status, counts.launches}, {}, {}};
  trial.run.tiers.assign(counts.tiers.begin(), counts.tiers.end());
  trial.run.unimplemented.assign(counts.unimplemented.begin(), counts.unimplemented.end());
  trial.out = std::move(ended.out);
  trial.err = std::move(ended.err);
  return trial;
}

std::string lastLine(std::string_view text) {
  std::string_view last;
  LineReader reader(text);
  for (std::string_view line; reader.next(line);)
    if (!trim(line).empty()) last = trim(line);
  return std::string(last.substr(0, 300));
}

// The line that says most about a failure: our runtime's, the program's verdict, or the last.
std::string tellingLine(const Trial& trial) {
  LineReader reader(trial.err);
  for (std::string_view line; reader.next(line);)
    if (line.starts_with("unwarp: ")) return std::string(line.substr(0, 300));
  for (const std::string* text : {&trial.out, &trial.err})
    if (std::string_view line = trim(lineOfFailure(*text)); !line.empty()) return std::string(line.substr(0, 300));
  return lastLine(trial.err.empty() ? trial.out : trial.err);
}

std::string reasonOf(const Session& session, const Trial& trial) {
  std::string line = session.shownText(tellingLine(trial));
  std::string tail = line.empty() ? "" : ": " + line;
  switch (trial.run.state) {
    case RunState::Passed:
      return "";
    case RunState::Failed:
      if (!trial.run.unimplemented.empty())
        return "calls " + trial.run.unimplemented.front() + ", which this toolkit does not implement";
      return (trial.run.status == 0 ? "says that it failed" : "exit status " + std::to_string(trial.run.status)) + tail;
    case RunState::Crashed:
      return "signal " + std::to_string(trial.run.status) + " (" + strsignal(trial.run.status) + ")" + tail;
    case RunState::TimedOut:
      return session.isOver()
                 ? "the time for the whole trial was used up (--total-limit)"
                 : "ran out of time: " + std::to_string(session.runTime.count()) + " s (--run-limit)" + tail;
    case RunState::TooMuchOutput:
      return "printed more than 16 MB";
    case RunState::Refused:
      return trial.run.status == 0 ? "interrupted" : std::string("cannot be run: ") + std::strerror(trial.run.status);
  }
  return "";
}

bool asksForArguments(const Trial& trial) {
  if (trial.run.state != RunState::Failed || trial.run.launches > 0) return false;
  for (const std::string* text : {&trial.out, &trial.err})
    if (toLower(*text).find("usage") != std::string::npos) return true;
  return false;
}

// Nothing to learn about the width from a check that passes or asks: why, or empty.
std::string whyNotJudged(const Session& session, const PlannedCheck& planned, const Trial& first) {
  std::string_view out = first.out;
  if (first.run.state == RunState::Refused) return reasonOf(session, first);
  if (asksForArguments(first)) return "wants arguments: " + session.shownText(tellingLine(first));
  if (planned.kind == CheckKind::Ctest && out.find("***Not Run") != std::string_view::npos)
    return "its program was not built";
  if (planned.kind == CheckKind::Ctest && out.find("***Skipped") != std::string_view::npos) return "skips itself";
  if (!first.passed()) return "";
  if (first.run.launches == 0) return "launches no kernel";
  if (!first.run.unimplemented.empty())
    return "passes, but calls " + first.run.unimplemented.front() + ", which this toolkit does not implement";
  return "";
}

std::optional<result::LineDifference> differenceOf(const PlannedCheck& planned, const std::vector<Trial>& at32,
                                                   const std::vector<Trial>& at64) {
  for (bool errors : {false, true}) {
    std::vector<std::string> texts;  // of ctest only the test's own lines
    auto textOf = [&](const Trial& trial) {
      const std::string& text = errors ? trial.err : trial.out;
      return planned.kind == CheckKind::Ctest ? outputOfTest(text, planned.number) : text;
    };
    for (const Trial& trial : at32) texts.push_back(textOf(trial));
    for (const Trial& trial : at64) texts.push_back(textOf(trial));
    auto middle = texts.begin() + static_cast<std::ptrdiff_t>(at32.size());
    auto found = firstDifference({texts.begin(), middle}, {middle, texts.end()});
    if (!found) continue;
    found->stream = errors ? "stderr" : "stdout";
    return found;
  }
  return std::nullopt;
}

void conclude(Check& check, CheckVerdict verdict, std::string reason) {
  check.verdict = verdict;
  check.reason = std::move(reason);
}

// The verdict on a check that passed at 32, from a second run there and the runs at 64.
void compareWidths(const Session& session, const PlannedCheck& planned, std::vector<Trial> at32, Check& check) {
  at32.push_back(runAt(session, planned, 32));
  if (!at32.back().passed())
    return conclude(check, CheckVerdict::Unsteady,
                    "passes at 32, and in a second run: " + reasonOf(session, at32.back()));
  std::vector<Trial> at64;
  at64.push_back(runAt(session, planned, 64));
  check.runs.push_back(at64[0].run);
  check.difference = differenceOf(planned, at32, at64);
  if (at64[0].passed() && !check.difference) return conclude(check, CheckVerdict::Same, "");
  at32.push_back(runAt(session, planned, 32));
  at64.push_back(runAt(session, planned, 64));
  check.difference = differenceOf(planned, at32, at64);
  if (session.isOver()) return conclude(check, CheckVerdict::NotJudged, "no time was left (--total-limit)");
  if (at64[0].passed() != at64[1].passed() || !at32.back().passed())
    return conclude(check, CheckVerdict::Unsteady, "two runs at one width end differently");
  if (!at64[0].passed()) return conclude(check, CheckVerdict::FailsAt64, reasonOf(session, at64[0]));
  if (!check.difference) return conclude(check, CheckVerdict::Same, "");
  conclude(check, CheckVerdict::Differs, "prints something else at 64");
}

}  // namespace

Check runCheck(const Session& session, const PlannedCheck& planned) {
  constexpr std::string_view kKinds[] = {"ctest", "make", "program"};
  Check check{planned.name, std::string(kKinds[static_cast<std::size_t>(planned.kind)]), planned.path};
  if (session.isOver()) {
    check.reason = "no time was left (--total-limit)";
    return check;
  }
  std::vector<Trial> first;
  first.push_back(runAt(session, planned, 32));
  check.runs.push_back(first[0].run);
  std::string unjudged = whyNotJudged(session, planned, first[0]);
  if (!unjudged.empty()) {
    check.reason = unjudged;
  } else if (!first[0].passed()) {
    conclude(check, CheckVerdict::FailsAt32, reasonOf(session, first[0]));
  } else {
    compareWidths(session, planned, std::move(first), check);
  }
  return check;
}

}  // namespace unwarp::trial
