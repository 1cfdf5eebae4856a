// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp doctor`: what this installation is and knows, and which settings it would use here; with --app, what a built
// program would miss.
#include <thread>

#include "base/version.h"
#include "cli/app_calls.h"
#include "cli/command_list.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "cli/stages.h"
#include "compiler/nvcc/driver.h"
#include "knowledge/knowledge.h"
#include "report/wording.h"

namespace unwarp::cli {
namespace {

// Status 1 when the program uses a function that is missing or fails: scripts can ask.
int checkApp(const std::string& program) {
  auto calls = callsOf(program, nvcc::toolkitPath());
  if (!calls) return fail(calls.error());
  std::string text;
  auto list = [&](const char* title, const std::vector<std::string>& names) {
    if (names.empty()) return;
    text += title;
    for (const std::string& name : names) text += "  " + name + "\n";
  };
  list("not in Unwarp's runtime; the program cannot start or load this:\n", calls->missing);
  list("in Unwarp's runtime, but answers \"not supported\":\n", calls->unsupported);
  if (!calls->usesRuntime) text = "no CUDA function is named in this program\n";
  if (calls->codeUnread) text += "statically linked and without a symbol table: calls cannot be seen\n";
  if (text.empty()) text = "every CUDA function that this program names is there\n";
  if (!printOut(text)) return 2;
  return calls->missing.empty() && calls->unsupported.empty() ? 0 : 1;
}

/// "audit; run (CUDA programs on this CPU); not built yet: check".
std::string stageList() {
  std::string built, missing;
  for (const StageFact& stage : allStages) {
    std::string& list = stage.isBuilt ? built : missing;
    list += (list.empty() ? "" : stage.isBuilt ? "; " : ", ") + std::string(stage.id);
    if (!stage.what.empty()) list += " (" + std::string(stage.what) + ")";
  }
  return built + (missing.empty() ? "" : "; not built yet: " + missing);
}

}  // namespace

int runDoctor(int argc, char** argv) {
  const Command& command = *findCommand("doctor");
  auto arguments = parseArguments(command, argc, argv);
  if (!arguments) return fail(arguments.error());
  if (arguments->has("--help")) return printOut(helpText(&command)) ? 0 : 2;
  if (auto app = arguments->flags.find("--app"); app != arguments->flags.end()) return checkApp(app->second.back());
  auto settings = Settings::resolve(*findCommand("audit"), *arguments, ".");
  if (!settings) return fail(settings.error());
  auto knowledge = knowledge::Knowledge::load(settings->text("--knowledge"));
  if (!knowledge) return fail(knowledge.error());
  const knowledge::Knowledge& k = **knowledge;
  std::size_t stable = 0, preview = 0, depth = 0;
  for (const knowledge::Rule& rule : k.rules())
    ++(rule.status == knowledge::RuleStatus::Stable    ? stable
       : rule.status == knowledge::RuleStatus::Preview ? preview
                                                       : depth);
  auto number = [](std::size_t n) { return report::grouped(n); };
  std::string text = "unwarp " + std::string(version) + "\n";
  text += "facts         " + std::string(k.factsDate()) +
          (settings->on("--knowledge") ? " from " + settings->text("--knowledge") : std::string(" (built in)")) + "\n";
  text += "              " + number(k.apis().size()) + " APIs, " + number(k.dependencies().size()) + " dependencies, " +
          number(k.devices().size()) + " GPUs, " + number(k.semantics().size()) + " semantic differences, " +
          number(k.changes().size()) + " changes\n";
  text += "rules         " + number(stable) + " on, " + number(preview) + " in preview (--preview), " + number(depth) +
          " need the depth analysis (not built yet)\n";
  text += "stages        " + stageList() + "\n";
  std::string files;
  for (const std::string& file : settings->configFiles()) files += (files.empty() ? "" : ", then ") + file;
  text += "configuration " +
          (files.empty() ? "no unwarp.toml, neither the user's nor at or above this folder" : files) + "\n";
  text += "processors    " + number(std::thread::hardware_concurrency()) + "\n";
  text += "needs         nothing else: no GPU, no CUDA toolkit, no network\n";
  return printOut(text) ? 0 : 2;
}

}  // namespace unwarp::cli
