// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp doctor`: what this installation is and knows, and which settings it would use here.
#include <thread>

#include "base/version.h"
#include "cli/command_list.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "knowledge/knowledge.h"
#include "report/wording.h"

namespace unwarp::cli {

int runDoctor(int argc, char** argv) {
  const Command& command = *findCommand("doctor");
  auto arguments = parseArguments(command, argc, argv);
  if (!arguments) return fail(arguments.error());
  if (arguments->has("--help")) return printOut(helpText(&command)) ? 0 : 2;
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
  text += "stages        audit; not built yet: run, check, port, compare, cost\n";
  std::string files;
  for (const std::string& file : settings->configFiles()) files += (files.empty() ? "" : ", then ") + file;
  text += "configuration " +
          (files.empty() ? "no unwarp.toml, neither the user's nor at or above this folder" : files) + "\n";
  text += "processors    " + number(std::thread::hardware_concurrency()) + "\n";
  text += "needs         nothing else: no GPU, no CUDA toolkit, no network\n";
  return printOut(text) ? 0 : 2;
}

}  // namespace unwarp::cli
