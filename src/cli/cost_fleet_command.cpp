// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp cost fleet FILE`: which workload runs on which pool of GPUs.
#include "base/file.h"
#include "cli/command_list.h"
#include "cli/cost_input.h"
#include "cli/output.h"
#include "cost/fleet/fleet_file.h"

namespace unwarp::cli {

int runCostFleet(int argc, char** argv) {
  const Command& command = *findCommand("cost fleet");
  auto arguments = parseArguments(command, argc, argv);
  if (!arguments) return fail(arguments.error());
  if (arguments->has("--help")) return printOut(helpText(&command)) ? 0 : 2;
  if (arguments->positionals.size() != 1) return fail("cost fleet needs one FILE: the pools and workloads as JSON");
  std::string format = lastOf(*arguments, "--format", "terminal");
  if (format != "terminal" && format != "json") return fail("--format " + format + ": write terminal or json");
  std::string lp = lastOf(*arguments, "--lp", "");
  if (!lp.empty())
    if (auto spared = sparesInputs("--lp", lp, arguments->positionals); !spared) return fail(spared.error());
  auto bytes = FileBytes::open(arguments->positionals[0]);
  if (!bytes) return fail(bytes.error());
  auto problems = cost::fleet::readFleet(arguments->positionals[0], bytes->view());
  if (!problems) return fail(problems.error());
  if (!lp.empty())
    if (auto written = writeFileAtomic(lp, cost::fleet::lpText(problems->back())); !written)
      return fail(written.error());
  auto robust = cost::fleet::solveRobust(*problems);
  if (!robust) return fail(robust.error());
  std::string text = format == "json" ? cost::fleet::jsonText(*problems, *robust) + "\n"
                                      : cost::fleet::terminalText(*problems, *robust);
  return printOut(text) ? 0 : 2;
}

}  // namespace unwarp::cli
