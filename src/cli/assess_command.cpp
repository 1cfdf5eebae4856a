// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp assess PATH`: every stage that exists, one report. The report folder is written beside its place and swapped
// in, so that a reader sees the old report or the new one, never half of each; a folder that is no report of ours is
// not touched.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <thread>

#include "base/file.h"
#include "cli/audit_command.h"
#include "cli/command_list.h"
#include "cli/cost_account.h"
#include "cli/output.h"
#include "cli/stages.h"
#include "compiler/nvcc/driver.h"
#include "trial/trial.h"

namespace unwarp::cli {

namespace {

namespace fs = std::filesystem;

/// All stages in their order. What is not built yet says so.
std::vector<result::Stage> stagesWith(const result::Stage& run, const std::string& verdict) {
  std::vector<result::Stage> stages;
  for (const StageFact& stage : allStages) {
    if (!stage.isBuilt)
      stages.push_back({std::string(stage.id), "not-built", "this version of unwarp has no such stage yet"});
    else if (stage.id == run.id)
      stages.push_back(run);
    else
      stages.push_back({std::string(stage.id), "done", stage.id == "cost" ? verdict : ""});
  }
  return stages;
}

Result<trial::Options> trialOptions(const Prepared& prepared) {
  const Settings& settings = prepared.settings;
  trial::Options options;
  options.path = prepared.path;
  options.toolkit = nvcc::toolkitPath();
  options.skipRealPaths = prepared.options.skipRealPaths;
  options.jobs = prepared.options.threads != 0 ? prepared.options.threads : std::thread::hardware_concurrency();
  const std::pair<const char*, std::chrono::seconds*> limits[] = {
      {"--build-limit", &options.buildTime}, {"--run-limit", &options.runTime}, {"--total-limit", &options.totalTime}};
  for (const auto& [flag, limit] : limits) {
    auto seconds = wholeNumber(settings, flag, 1, 1'000'000, limit->count());
    if (!seconds) return Error{seconds.error()};
    *limit = std::chrono::seconds(*seconds);
  }
  if (!settings.on("--quiet") && isatty(STDERR_FILENO) != 0)
    options.say = [](std::string_view what) { std::cerr << "  " << what << "\n"; };
  return options;
}

/// The stage "build and run", when it is asked for. A stage that fails leaves its reason in the report.
result::Stage buildAndRun(const Prepared& prepared, const trial::Options& options, result::Assessment& assessment) {
  if (!prepared.settings.on("--run"))
    return {"run", "skipped", "builds and executes the project's code: only with --run"};
  auto done = trial::run(*prepared.knowledge, options);
  if (!done) return {"run", "failed", done.error()};
  assessment.run = std::move(*done);
  return {"run", "done", ""};
}

/// What gates may ask of the stage "build and run".
audit::Figures figuresOf(const result::TrialResult& trial) {
  using result::CheckVerdict;
  auto checks = [&](CheckVerdict verdict) { return static_cast<std::int64_t>(trial.count(verdict)); };
  return {{"checks", static_cast<std::int64_t>(trial.checks.size())},
          {"not_built", static_cast<std::int64_t>(trial.builds.size() - trial.count(result::BuildState::Built))},
          {"fails_at_32", checks(CheckVerdict::FailsAt32)},
          {"wrong_at_64", checks(CheckVerdict::FailsAt64) + checks(CheckVerdict::Differs)},
          {"unsteady", checks(CheckVerdict::Unsteady)},
          {"not_judged", checks(CheckVerdict::NotJudged)}};
}

/// The stage "cost and verdict": the account of what was audited, with the manifest of the project where there is one.
Result<cost::Account> costStage(const Prepared& prepared, const result::Assessment& assessment) {
  const result::AuditResult& audit = assessment.audit;
  auto accountant = cost::Accountant::load(*prepared.knowledge);
  if (!accountant) return Error{accountant.error()};
  auto manifest = manifestOf(**accountant, manifestBeside(prepared.path));
  if (!manifest) return Error{manifest.error()};
  manifest->targets.clear();  // judged is what was audited
  auto targets = gpuTargets(**accountant, *manifest, {}, audit.targets);
  if (!targets) return Error{targets.error()};
  cost::CheckedRuns checked;
  if (assessment.run) {
    using result::CheckVerdict;
    auto checks = [&](CheckVerdict verdict) { return static_cast<double>(assessment.run->count(verdict)); };
    checked.differing = checks(CheckVerdict::Differs) + checks(CheckVerdict::FailsAt64);
    checked.judged = checked.differing + checks(CheckVerdict::Same);
  }
  return (*accountant)->account(audit, *manifest, *targets, {}, checked);
}

constexpr std::string_view reportFiles[] = {"result.json",    "report.md", "index.html",
                                            "findings.sarif", "cost.md",   "cost.json"};

/// Whether `folder` holds a report of ours and nothing else: what may be replaced as a whole.
bool isReport(const fs::path& folder) {
  std::error_code error;
  for (auto it = fs::directory_iterator(folder, error); !error && it != fs::directory_iterator(); it.increment(error)) {
    std::string name = it->path().filename().string();
    bool ours = std::find(std::begin(reportFiles), std::end(reportFiles), name) != std::end(reportFiles);
    if (!ours || !it->is_regular_file(error)) return false;
  }
  Result<FileBytes> result = FileBytes::open((folder / "result.json").string());
  return !error && result && result->view().starts_with("{\"schema_version\":") &&
         result->view().substr(0, 400).find("\"stages\"") != std::string_view::npos;
}

/// Empty when `folder` may be replaced, else why not.
std::string whyNotReplace(const fs::path& folder, const fs::path& audited) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder, error))) return {};
  if (!fs::is_directory(folder, error) || fs::is_symlink(folder, error))
    return folder.string() + " exists and is no folder; choose another with -o";
  fs::path out = fs::weakly_canonical(folder, error);
  for (fs::path above = fs::weakly_canonical(audited, error); !above.empty(); above = above.parent_path()) {
    if (above == out) return folder.string() + " is or holds what is audited; choose another folder with -o";
    if (above == above.parent_path()) break;
  }
  if (fs::is_empty(folder, error) || isReport(folder)) return {};
  return folder.string() + " holds other files than a report; nothing was written. Choose another folder with -o";
}

Result<Done> writeReport(const fs::path& folder, const result::Assessment& assessment, const cost::Account& account) {
  std::string fresh = folder.string() + ".XXXXXX";
  if (mkdtemp(fresh.data()) == nullptr)
    return Error{"cannot create a folder beside " + folder.string() + ": " + std::strerror(errno)};
  const std::pair<const char*, std::string> files[] = {
      {"result.json", report::assessJson(assessment) + "\n"},
      {"report.md", cost::verdictLine(account) + "\n\n" + report::assessMarkdown(assessment)},
      {"cost.md", cost::accountMarkdown(account)},
      {"cost.json", cost::accountJson(account) + "\n"},
      {"index.html", report::assessHtml(assessment)},
      {"findings.sarif", report::sarif(assessment.audit)}};
  std::error_code ignored;
  for (const auto& [name, text] : files) {
    Result<Done> written = writeFileAtomic(fresh + "/" + name, text);
    if (written) continue;
    fs::remove_all(fresh, ignored);
    return Error{written.error()};
  }
  fs::permissions(fresh, fs::perms(0755), ignored);
  // RENAME_EXCHANGE swaps both names in one step; where there is nothing to swap with, a plain rename does.
  if (::rename(fresh.c_str(), folder.c_str()) == 0) return Done{};
  bool swapped = renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) == 0;
  std::string why = std::strerror(errno);
  fs::remove_all(fresh, ignored);  // after the swap this is the old report
  if (!swapped) return Error{"cannot replace " + folder.string() + ": " + why};
  return Done{};
}

}  // namespace

int runAssess(int argc, char** argv) {
  auto prepared = prepare(*findCommand("assess"), argc, argv);
  if (!prepared) return fail(prepared.error());
  if (prepared->finished) return 0;
  auto terminal = chosenTerminal(prepared->settings);
  if (!terminal) return fail(terminal.error());
  std::string given = prepared->settings.on("--output") ? prepared->settings.text("--output") : "unwarp-report";
  while (given.size() > 1 && given.ends_with('/')) given.pop_back();
  std::error_code error;
  fs::path folder = fs::absolute(given, error);
  std::string why = whyNotReplace(folder, prepared->path);
  if (!why.empty()) return fail(why);
  if (!fs::is_directory(folder.parent_path(), error))
    return fail(folder.parent_path().string() + " does not exist; create it first");
  auto readable = gatesReadable(*prepared, prepared->settings.on("--run") ? figuresOf({}) : audit::Figures{});
  if (!readable) return fail(readable.error());
  prepared->options.skipRealPaths.push_back(fs::weakly_canonical(folder, error).string());
  auto trialSettings = trialOptions(*prepared);
  if (!trialSettings) return fail(trialSettings.error());

  auto result = auditWithProgress(*prepared);
  if (!result) return fail(result.error());
  result::Assessment assessment;
  assessment.audit = std::move(*result);
  const result::Stage run = buildAndRun(*prepared, *trialSettings, assessment);
  const audit::Figures figures = figuresOf(assessment.run.value_or(result::TrialResult{}));
  auto gates = checkGates(prepared->settings, assessment.audit, GateReport::Print, figures);
  auto account = costStage(*prepared, assessment);
  if (!account) return fail(account.error());
  assessment.stages = stagesWith(run, cost::verdictLine(*account));
  Result<Done> written = writeReport(folder, assessment, *account);
  if (!written) return fail(written.error());
  terminal->reportWritten = true;
  std::string text = cost::verdictLine(*account) + "\n\n" + report::assessTerminal(assessment, *terminal);
  text += "Report: " + (fs::path(given) / "index.html").string() +
          " (also report.md, cost.md, cost.json, result.json, findings.sarif)\n";
  if (!printOut(text)) return 2;
  if (run.state == "failed") return fail("stage run: " + run.reason);
  return gates ? *gates : 2;
}

}  // namespace unwarp::cli
