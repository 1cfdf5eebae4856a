// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An assessment for tests of the report: stages in every state, a build in part, checks with four verdicts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/sample_result.h"
#include "result/assessment.h"

namespace unwarp::report::sample {

inline std::vector<result::Stage> stages() {
  return {{"audit", "done", ""},
          {"run", "done", ""},
          {"check", "skipped", "not asked for"},
          {"port", "not-built", "the port command does not exist yet"},
          {"cost", "not-built", "the cost model does not exist yet"}};
}

/// A build in part and checks of four verdicts; one text is hostile.
inline result::TrialResult trial() {
  result::TrialResult trial{600, 60, 1800};
  trial.builds = {{"cmake", ".", result::BuildState::Failed, 0, {{"configure", {"CMakeLists.txt:7: no MPI"}}}},
                  {"make", "checks", result::BuildState::Built, 4, {}}};
  const result::CheckRun at32{32, result::RunState::Passed, 0, 3, {"T0", "T3"}, {}};
  const result::CheckRun at64{64, result::RunState::Passed, 0, 3, {"T0", "T3"}, {}};
  const result::CheckRun failed{64, result::RunState::Failed, 1, 3, {"T3"}, {}};
  trial.checks = {
      {"checks/saxpy", "program", "checks", result::CheckVerdict::Same, "", {at32, at64}, {}},
      {"checks/sum",
       "program",
       "checks",
       result::CheckVerdict::Differs,
       "prints something else at 64",
       {at32, at64},
       result::LineDifference{"stdout", 2, "sum 4096", "sum <8192>|"}},
      {"make check", "make", "checks", result::CheckVerdict::FailsAt64, "exit status 1: FAIL sum", {at32, failed}, {}},
      {std::string(hostilePath),
       "program",
       "checks",
       result::CheckVerdict::NotJudged,
       "launches no kernel",
       {at32},
       {}}};
  return trial;
}

inline result::Assessment assessment(result::AuditResult audit = small()) {
  result::Assessment assessment{stages(), std::move(audit), trial()};
  return assessment;
}

}  // namespace unwarp::report::sample
