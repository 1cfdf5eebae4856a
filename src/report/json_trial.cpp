// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The key `run` of result.json: what the stage "build and run" found. Every member is always there; a check without a
// difference has null for it.
#include "report/json_parts.h"

namespace unwarp::report {
namespace {

void writeBuild(JsonWriter& json, const result::Build& build) {
  json.member("system", build.system);
  json.member("path", build.path);
  json.member("state", name(build.state));
  json.member("programs", build.programs);
  writeList(json, "failures", build.failures, [&](const result::BuildFailure& failure) {
    json.member("what", failure.what);
    writeStrings(json, "why", failure.why);
  });
}

void writeRun(JsonWriter& json, const result::CheckRun& run) {
  json.member("width", run.width);
  json.member("state", name(run.state));
  json.member("status", run.status);
  json.member("launches", run.launches);
  writeStrings(json, "tiers", run.tiers);
  writeStrings(json, "unimplemented", run.unimplemented);
}

void writeDifference(JsonWriter& json, const std::optional<result::LineDifference>& difference) {
  json.key("difference");
  if (!difference) return json.null();
  json.beginObject();
  json.member("stream", difference->stream);
  json.member("line", difference->line);
  json.member("at_32", difference->at32);
  json.member("at_64", difference->at64);
  json.endObject();
}

void writeCheck(JsonWriter& json, const result::Check& check) {
  json.member("name", check.name);
  json.member("kind", check.kind);
  json.member("path", check.path);
  json.member("verdict", name(check.verdict));
  json.member("reason", check.reason);
  writeList(json, "runs", check.runs, [&](const result::CheckRun& run) { writeRun(json, run); });
  writeDifference(json, check.difference);
}

}  // namespace

void writeTrial(JsonWriter& json, const result::TrialResult& trial) {
  json.beginObject();
  json.key("limits");
  json.beginObject();
  json.member("build_seconds", trial.buildSeconds);
  json.member("run_seconds", trial.runSeconds);
  json.member("total_seconds", trial.totalSeconds);
  json.endObject();
  json.key("totals");
  json.beginObject();
  json.member("builds", trial.builds.size());
  json.member("built", trial.count(result::BuildState::Built));
  json.member("checks", trial.checks.size());
  json.key("by_verdict");
  json.beginObject();
  for (std::size_t i = 0; i < result::checkVerdictNames.size(); ++i)
    json.member(result::checkVerdictNames[i], trial.count(static_cast<result::CheckVerdict>(i)));
  json.endObject();
  json.endObject();
  writeList(json, "builds", trial.builds, [&](const result::Build& build) { writeBuild(json, build); });
  writeList(json, "checks", trial.checks, [&](const result::Check& check) { writeCheck(json, check); });
  writeStrings(json, "notes", trial.notes);
  json.endObject();
}

}  // namespace unwarp::report
