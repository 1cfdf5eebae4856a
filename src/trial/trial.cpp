// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trial/trial.h"

#include "trial/build.h"
#include "trial/run_checks.h"
#include "trial/scratch.h"

namespace unwarp::trial {
namespace {

namespace fs = std::filesystem;

// For the question whether the toolkit compiles at all, on a machine that is busy.
constexpr std::chrono::seconds kToolkitTime(120);

// A file given by itself is copied alone; what it includes is read where it lies.
Result<CopyResult> copyFile(const fs::path& file, const fs::path& to) {
  std::error_code failed;
  fs::create_directory(to, failed);
  if (!failed) fs::copy_file(file, to / file.filename(), failed);
  if (failed) return Error{"cannot copy " + file.string() + ": " + failed.message()};
  return CopyResult{{}, {to / file.filename()}};
}

std::vector<Built> buildProject(const Session& session, const Options& options, const CopyResult& copied,
                                const knowledge::Knowledge& knowledge) {
  std::error_code ignored;
  if (fs::is_directory(options.path, ignored)) return buildAll(session, copied.files, knowledge);
  std::vector<Built> builds;
  if (!findLoneSources(session.project, {}, knowledge).empty())
    builds.push_back(buildSource(session, session.project / fs::path(options.path).filename(),
                                 {fs::absolute(options.path, ignored).parent_path()}));
  return builds;
}

void noteWhatIsMissing(result::TrialResult& trial) {
  if (trial.builds.empty())
    trial.notes.push_back("nothing to build: no CMakeLists.txt with project(), no Makefile, no .cu source with main()");
  else if (trial.checks.empty())
    trial.notes.push_back("nothing to run: no program with device code was built");
}

}  // namespace

Result<result::TrialResult> run(const knowledge::Knowledge& knowledge, const Options& options) {
  // Destroyed last: an interrupt is delivered when nothing of ours is left behind.
  Supervision supervision;
  Result<Scratch> scratch = Scratch::make();
  if (!scratch) return Error{scratch.error()};
  Session session{supervision,
                  scratch->path(),
                  scratch->path() / "project",
                  options.toolkit,
                  options.jobs,
                  kToolkitTime,
                  options.runTime,
                  std::chrono::steady_clock::now() + kToolkitTime,
                  options.say};
  std::error_code ignored;
  fs::create_directory(session.scratch / "tmp", ignored);
  if (std::string why = whyNoToolkit(session); !why.empty()) return Error{why};
  // The project's time begins here.
  session.buildTime = options.buildTime;
  session.deadline = std::chrono::steady_clock::now() + options.totalTime;
  options.say("copying the project");
  bool isFolder = fs::is_directory(options.path, ignored);
  std::vector<std::string> leaveOut = options.skipRealPaths;
  leaveOut.push_back(session.scratch.string());  // TMPDIR may lie in the project
  Result<CopyResult> copied =
      isFolder ? copyProject(options.path, session.project, leaveOut) : copyFile(options.path, session.project);
  if (!copied) return Error{copied.error()};
  result::TrialResult trial;
  trial.buildSeconds = static_cast<std::uint32_t>(options.buildTime.count());
  trial.runSeconds = static_cast<std::uint32_t>(options.runTime.count());
  trial.totalSeconds = static_cast<std::uint32_t>(options.totalTime.count());
  trial.notes = copied->notes;
  for (const Built& built : buildProject(session, options, *copied, knowledge)) {
    trial.builds.push_back(built.build);
    for (const PlannedCheck& planned : findChecks(session, built)) trial.checks.push_back(runCheck(session, planned));
  }
  noteWhatIsMissing(trial);
  if (supervision.interrupted()) return Error{"interrupted"};
  return trial;
}

}  // namespace unwarp::trial
