// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp cost backtest`: how far the effort model is off on finished ports; the embedded ones with whole projects left
// out, or the rows of files.
#include "base/file.h"
#include "cli/command_list.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "cost/backtest/backtest.h"

namespace unwarp::cli {

namespace {

constexpr std::string_view embeddedCases = "knowledge/cost/case-studies.tsv";

Result<std::vector<cost::PortCase>> casesOfFile(const std::string& path, const cost::RouteClasses& classes) {
  auto bytes = FileBytes::open(path);
  if (!bytes) return Error{bytes.error()};
  return cost::readPortCases(path, bytes->view(), classes);
}

Result<cost::Backtest> backtestOf(const knowledge::Knowledge& knowledge, const std::string& trainFile,
                                  const std::string& scoreFile) {
  auto classes = cost::RouteClasses::load(knowledge);
  if (!classes) return Error{classes.error()};
  auto model = cost::PortModel::load(knowledge);
  if (!model) return Error{model.error()};
  if (trainFile.empty()) {
    auto cases = cost::readPortCases(embeddedCases, knowledge.costTable(embeddedCases).text, *classes);
    if (!cases) return Error{cases.error()};
    return cost::leaveProjectsOut(*cases, *classes, *model);
  }
  auto train = casesOfFile(trainFile, *classes);
  if (!train) return Error{train.error()};
  auto score = casesOfFile(scoreFile, *classes);
  if (!score) return Error{score.error()};
  auto result = cost::trainAndScore(*train, *score, *classes, *model);
  if (!result) return Error{trainFile + ": " + result.error()};
  return result;
}

}  // namespace

int runCostBacktest(int argc, char** argv) {
  const Command& command = *findCommand("cost backtest");
  auto arguments = parseArguments(command, argc, argv);
  if (!arguments) return fail(arguments.error());
  if (arguments->has("--help")) return printOut(helpText(&command)) ? 0 : 2;
  if (!arguments->positionals.empty())
    return fail("cost backtest takes no '" + arguments->positionals.front() +
                "'; name tables with --train and --score");
  auto settings = Settings::resolve(command, *arguments, ".");
  if (!settings) return fail(settings.error());
  std::string train = settings->text("--train"), score = settings->text("--score");
  if (train.empty() != score.empty())
    return fail("--train and --score go together: one calibrates, the other is predicted");
  std::string format = settings->text("--format");
  if (!format.empty() && format != "terminal" && format != "json")
    return fail("--format must be terminal or json, not '" + format + "'");
  auto knowledge = knowledge::Knowledge::load(settings->text("--knowledge"));
  if (!knowledge) return fail(knowledge.error());
  auto backtest = backtestOf(**knowledge, train, score);
  if (!backtest) return fail(backtest.error());
  std::string text = format == "json" ? cost::backtestJson(*backtest) + "\n" : cost::backtestText(*backtest);
  return printOut(text) ? 0 : 2;
}

}  // namespace unwarp::cli
