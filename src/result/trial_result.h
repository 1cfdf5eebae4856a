// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What building a project with this toolkit and running its own checks at 32 and 64 lanes gave: the stage "build and
// run" of `assess` as values, the key `run` of result.json one to one. `trial` fills it, `report` prints it. It holds
// no time that was measured: two runs of the same project give the same values unless the project itself is unsteady.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"

namespace unwarp::result {

/// How far a build came. Partial: something was built and something was not.
enum class BuildState : std::uint8_t { Built, Partial, Failed, TimedOut, NotTried };
inline constexpr std::array<std::string_view, 5> buildStateNames{"built", "partial", "failed", "timed-out",
                                                                 "not-tried"};

/// How one run of a check ended. Refused: it could not be started.
enum class RunState : std::uint8_t { Passed, Failed, Crashed, TimedOut, TooMuchOutput, Refused };
inline constexpr std::array<std::string_view, 6> runStateNames{"passed",    "failed",          "crashed",
                                                               "timed-out", "too-much-output", "refused"};

/// What the runs of a check say together, worst last but one. NotJudged: it ran, but nothing was learnt about the width
/// (no launch, a call that this toolkit lacks, arguments missing, no time left).
enum class CheckVerdict : std::uint8_t { Same, Differs, FailsAt64, Unsteady, FailsAt32, NotJudged };
inline constexpr std::array<std::string_view, 6> checkVerdictNames{"same",     "differs-at-64", "fails-at-64",
                                                                   "unsteady", "fails-at-32",   "not-judged"};

inline constexpr std::string_view name(BuildState s) {
  return nameOf(buildStateNames, s);
}
inline constexpr std::string_view name(RunState s) {
  return nameOf(runStateNames, s);
}
inline constexpr std::string_view name(CheckVerdict v) {
  return nameOf(checkVerdictNames, v);
}

/// Something that was not built: the target or file, and the first lines that say why.
struct BuildFailure {
  std::string what;
  std::vector<std::string> why;
};

/// One build that was tried: a CMake project, a Makefile, or a source of its own.
struct Build {
  std::string system;  ///< cmake, make, source
  std::string path;    ///< folder or source, relative to the project; "." is the project's own folder
  BuildState state = BuildState::Failed;
  std::uint32_t programs = 0;  ///< programs with device code that came out of it
  std::vector<BuildFailure> failures = {};
};

/// One run of a check at one width.
struct CheckRun {
  std::uint32_t width = 0;  ///< lanes per warp
  RunState state = RunState::Refused;
  std::int32_t status = 0;     ///< exit status, or the signal when it crashed
  std::uint64_t launches = 0;  ///< kernels launched, by the runtime's own count
  std::vector<std::string> tiers = {};
  std::vector<std::string> unimplemented = {};  ///< calls that this toolkit lacks
};

/// The first line that is the same in every run at 32 lanes and another one at 64.
struct LineDifference {
  std::string stream;      ///< stdout or stderr
  std::uint32_t line = 0;  ///< from 1
  std::string at32, at64;  ///< empty where the line is missing
};

struct Check {
  std::string name;
  std::string kind;  ///< ctest, make, program
  std::string path;  ///< of the build it belongs to
  CheckVerdict verdict = CheckVerdict::NotJudged;
  std::string reason = {};          ///< why it is not "same"; empty for that
  std::vector<CheckRun> runs = {};  ///< the first at 32, then the first at 64 if there was one
  std::optional<LineDifference> difference = std::nullopt;
};

struct TrialResult {
  std::uint32_t buildSeconds = 0, runSeconds = 0, totalSeconds = 0;  ///< limits that were in force
  std::vector<Build> builds = {};                                    ///< ordered by path, system
  std::vector<Check> checks = {};                                    ///< in the order of the builds
  std::vector<std::string> notes = {};                               ///< what was left out, in words

  std::uint64_t count(CheckVerdict verdict) const {
    std::uint64_t found = 0;
    for (const Check& check : checks) found += check.verdict == verdict ? 1 : 0;
    return found;
  }
  std::uint64_t count(BuildState state) const {
    std::uint64_t found = 0;
    for (const Build& build : builds) found += build.state == state ? 1 : 0;
    return found;
  }
};

}  // namespace unwarp::result
