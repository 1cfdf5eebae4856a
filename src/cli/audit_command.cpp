// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp audit PATH`: arguments, settings, run, formats, gates. Formats go to stdout (at most one) or to files; gates
// decide the exit status after everything is written.
#include "cli/audit_command.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "audit/gate.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/command_list.h"
#include "cli/output.h"
#include "cli/settings.h"

namespace unwarp::cli {

namespace {

struct Format {
  std::string_view name;
  std::string (*print)(const result::AuditResult&);
};

constexpr std::array formats{
    Format{"json", [](const result::AuditResult& r) { return report::json(r) + "\n"; }},
    Format{"jsonl", report::jsonLines},
    Format{"sarif", report::sarif},
    Format{"markdown", report::markdown},
    Format{"csv", report::csv},
    Format{"html", [](const result::AuditResult& r) { return report::html(r); }},
};

struct Request {
  std::string format, file;  ///< empty file: stdout
};

/// The first two requests of which one would overwrite the other's file, as an error; else nothing.
std::optional<Error> overwriting(const std::vector<Request>& requests) {
  std::map<std::string, const Request*> byTarget;
  for (const Request& request : requests) {
    std::string target = request.file.empty() ? std::string() : writeTarget(request.file);
    if (target.empty()) continue;  // stdout, a device or a pipe
    auto [earlier, fresh] = byTarget.try_emplace(target, &request);
    if (fresh) continue;
    auto spelt = [](const Request& r) { return "--format " + r.format + "=" + r.file; };
    return Error{spelt(*earlier->second) + " and " + spelt(request) + " are one file; give each its own"};
  }
  return std::nullopt;
}

Result<std::vector<Request>> parseFormats(const std::vector<std::string>& words) {
  std::vector<Request> requests;
  for (const std::string& word : words) {
    std::size_t equals = word.find('=');
    Request request{word.substr(0, equals), equals == std::string::npos ? "" : word.substr(equals + 1)};
    bool known = request.format == "terminal" ||
                 std::any_of(formats.begin(), formats.end(), [&](const Format& f) { return f.name == request.format; });
    if (!known) {
      std::vector<std::string_view> names{"terminal"};
      for (const Format& format : formats) names.push_back(format.name);
      std::string_view near = nearest(request.format, names);
      return Error{"unknown format '" + request.format + "'" +
                   (near.empty() ? "; known: terminal json jsonl sarif markdown csv html"
                                 : "; did you mean " + std::string(near) + "?")};
    }
    if (equals != std::string::npos && request.file.empty())
      return Error{"--format " + request.format + "= needs a file name after '='"};
    requests.push_back(std::move(request));
  }
  if (requests.empty()) requests.push_back({"terminal", ""});
  if (std::count_if(requests.begin(), requests.end(), [](const Request& r) { return r.file.empty(); }) > 1)
    return Error{"only one --format can go to standard output; give the others a file: --format json=FILE"};
  if (auto error = overwriting(requests)) return *error;
  return requests;
}

std::string print(const Request& request, const result::AuditResult& result, report::TerminalOptions terminal) {
  if (request.format == "terminal") {
    if (!request.file.empty()) terminal = {80, false, terminal.ascii, terminal.allFindings};
    return report::terminal(result, terminal);
  }
  return std::find_if(formats.begin(), formats.end(), [&](const Format& f) { return f.name == request.format; })
      ->print(result);
}

/// Fails on a target or a rule that does not exist, with the place that names it: one list at a time.
Result<Done> checkNames(const Prepared& prepared) {
  using List = std::vector<std::string> audit::Options::*;
  for (const auto& [flag, list] : {std::pair<const char*, List>{"--target", &audit::Options::targets},
                                   {"--select", &audit::Options::select},
                                   {"--ignore", &audit::Options::ignore}}) {
    audit::Options only;
    only.*list = prepared.options.*list;
    if (auto checked = audit::emptyResult(*prepared.knowledge, only); !checked)
      return Error{prepared.settings.blame(flag) + checked.error()};
  }
  return Done{};
}

}  // namespace

Result<int> checkGates(const Settings& settings, const result::AuditResult& result, GateReport report,
                       const audit::Figures& figures) {
  std::vector<audit::GateOutcome> outcomes;
  for (const std::string& expression : settings.list("--gate")) {
    auto checked = audit::checkGate(result, expression, figures);
    if (!checked) return Error{settings.blame("--gate") + checked.error()};
    outcomes.insert(outcomes.end(), checked->begin(), checked->end());
  }
  if (settings.on("--fail-on")) {
    auto checked = audit::checkSeverity(result, settings.text("--fail-on"));
    if (!checked) return Error{settings.blame("--fail-on") + checked.error()};
    outcomes.push_back(*checked);
  }
  // A gate over nothing would hold whatever the project does: a wrong path or pattern must not pass for a clean tree.
  if (report == GateReport::Print && !outcomes.empty() && result.totals.files == 0)
    return fail("no gate was judged: no file was read under " + result.root +
                "; check PATH, exclude and the ignore files");
  int status = 0;
  for (const audit::GateOutcome& outcome : outcomes) {
    if (!outcome.holds) status = 1;
    // A gate that holds for want of an answer says so.
    if (report == GateReport::Print && (!outcome.holds || !outcome.remark.empty()))
      fail((outcome.holds ? "gate holds, but: " : "gate broken: ") + outcome.condition + " (found " +
           std::to_string(outcome.actual) + (outcome.remark.empty() ? "" : "; " + outcome.remark) + ")");
  }
  return status;
}

Result<Prepared> prepare(const Command& command, int argc, char** argv) {
  auto arguments = parseArguments(command, argc, argv);
  if (!arguments) return Error{arguments.error()};
  Prepared prepared;
  if (arguments->has("--help")) {
    printOut(helpText(&command));
    prepared.finished = true;
    return prepared;
  }
  if (arguments->has("--schema")) {
    printOut(report::auditSchema());
    prepared.finished = true;
    return prepared;
  }
  bool showConfig = arguments->has("--show-config");
  if (arguments->positionals.size() > 1)
    return Error{"one PATH at a time, not " + std::to_string(arguments->positionals.size())};
  if (arguments->positionals.empty() && !showConfig)
    return Error{"needs a PATH to read; `unwarp " + std::string(command.name) + " .` reads this folder"};
  return prepareFor(command, *arguments, arguments->positionals.empty() ? "." : arguments->positionals.front());
}

Result<report::TerminalOptions> chosenTerminal(const Settings& settings) {
  auto terminal = terminalOptions(settings.text("--color"));
  if (!terminal) return Error{settings.blame("--color") + terminal.error()};
  return terminal;
}

Result<Prepared> prepareFor(const Command& command, const Arguments& arguments, const std::string& path) {
  Prepared prepared;
  prepared.path = path;
  if (prepared.path.empty()) return Error{"PATH is empty: name a file or a folder"};
  auto settings = Settings::resolve(command, arguments, prepared.path);
  if (!settings) return Error{settings.error()};
  prepared.settings = std::move(*settings);
  if (arguments.has("--show-config")) {
    printOut(prepared.settings.show());
    prepared.finished = true;
    return prepared;
  }
  auto knowledge = knowledge::Knowledge::load(prepared.settings.text("--knowledge"));
  if (!knowledge) return Error{knowledge.error()};
  prepared.knowledge = std::move(*knowledge);
  auto options = auditOptions(prepared.settings, prepared.path);
  if (!options) return Error{options.error()};
  prepared.options = std::move(*options);
  if (auto known = checkNames(prepared); !known) return Error{known.error()};
  return prepared;
}

Result<Done> gatesReadable(const Prepared& prepared, const audit::Figures& figures) {
  auto empty = audit::emptyResult(*prepared.knowledge, prepared.options);
  if (!empty) return Error{empty.error()};
  auto checked = checkGates(prepared.settings, *empty, GateReport::Silent, figures);
  if (!checked) return Error{checked.error()};
  return Done{};
}

Result<result::AuditResult> auditWithProgress(Prepared& prepared) {
  audit::Progress progress;
  prepared.options.progress = &progress;
  ProgressLine line(progress, prepared.settings.on("--quiet"));
  auto result = audit::run(*prepared.knowledge, prepared.options);
  if (result) result->settings = prepared.settings.chosen();
  return result;
}

int runAudit(int argc, char** argv) {
  auto prepared = prepare(*findCommand("audit"), argc, argv);
  if (!prepared) return fail(prepared.error());
  if (prepared->finished) return 0;
  auto requests = parseFormats(prepared->settings.list("--format"));
  if (!requests) return fail(prepared->settings.blame("--format") + requests.error());
  auto terminal = chosenTerminal(prepared->settings);
  if (!terminal) return fail(terminal.error());
  terminal->allFindings = prepared->settings.on("--all");
  auto readable = gatesReadable(*prepared);
  if (!readable) return fail(readable.error());

  auto result = auditWithProgress(*prepared);
  if (!result) return fail(result.error());
  bool failed = false;
  for (const Request& request : *requests) {
    std::string text = print(request, *result, *terminal);
    if (request.file.empty()) {
      failed |= !printOut(text);
    } else if (auto written = writeFileAtomic(request.file, text); !written) {
      failed = true;
      fail(written.error());
    }
  }
  auto gates = checkGates(prepared->settings, *result, GateReport::Print);
  return failed || !gates ? 2 : *gates;
}

}  // namespace unwarp::cli
