// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp cost gate BASE CANDIDATE`: is the candidate slower? For a build: the exit status is the answer, the history
// file is what a dashboard reads.
#include <algorithm>
#include <map>

#include "base/file.h"
#include "base/text.h"
#include "cli/command_list.h"
#include "cli/cost_input.h"
#include "cli/output.h"
#include "cost/gate/gate.h"

namespace unwarp::cli {

namespace {

using cost::money::Measurement;

/// Prices of the runs' GPUs on one basis. A GPU without price gives no cost metric.
Result<std::function<std::optional<double>(const Measurement&)>> pricing(const CostInput& input,
                                                                         const Arguments& arguments) {
  std::string basis = lastOf(arguments, "--basis", arguments.has("--price") ? "given" : "rental-3y");
  std::map<std::string, double> found;
  for (const cost::money::Price& price : input.prices.all()) {
    auto range = input.prices.find(price.gpu, basis, input.currency, {}, input.rates);
    if (!range) return Error{range.error()};
    if (*range) found[price.gpu] = (*range)->middle;
  }
  if (found.empty()) return Error{"--basis " + basis + ": no price has it; `unwarp cost money --prices` lists them"};
  return std::function<std::optional<double>(const Measurement&)>([found](const Measurement& run) {
    auto price = found.find(run.gpu);
    return price == found.end() ? std::nullopt : std::optional(price->second);
  });
}

Result<cost::gate::Options> optionsOf(const CostInput& input, const Arguments& arguments) {
  cost::gate::Options options;
  struct Share {
    std::string_view flag;
    double& target;
    double low, high;
  };
  for (const Share& share :
       {Share{"--margin", options.margin, 0, 1}, Share{"--latency-margin", options.latencyMargin, 0, 1},
        Share{"--tail-margin", options.tailMargin, 0, 1}, Share{"--alpha", options.alpha, 1e-6, 0.5},
        Share{"--effect", options.effect, 1e-4, 10}}) {
    auto value = shareOf(arguments, share.flag, share.target, share.low, share.high);
    if (!value) return Error{value.error()};
    share.target = *value;
  }
  if (auto metrics = arguments.flags.find("--metric"); metrics != arguments.flags.end())
    options.metrics = metrics->second;
  for (const std::string& name : options.metrics) {
    const auto& known = cost::gate::metricNames;
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string_view near = nearest(name, {known.begin(), known.end()});
    return Error{"--metric " + name + ": no such metric" +
                 (near.empty() ? "" : "; did you mean " + std::string(near) + "?")};
  }
  auto price = pricing(input, arguments);
  if (!price) return Error{price.error()};
  options.price = std::move(*price);
  return options;
}

}  // namespace

int runCostGate(int argc, char** argv) {
  const Command& command = *findCommand("cost gate");
  auto arguments = parseArguments(command, argc, argv);
  if (!arguments) return fail(arguments.error());
  if (arguments->has("--help")) return printOut(helpText(&command)) ? 0 : 2;
  if (arguments->positionals.size() != 2)
    return fail("cost gate needs BASE and CANDIDATE: files or folders of benchmark results");
  std::string format = lastOf(*arguments, "--format", "terminal");
  if (format != "terminal" && format != "json") return fail("--format " + format + ": write terminal or json");
  std::string history = lastOf(*arguments, "--history", "");
  if (!history.empty())
    if (auto spared = sparesInputs("--history", history, arguments->positionals); !spared) return fail(spared.error());
  auto input = CostInput::load(*arguments);
  if (!input) return fail(input.error());
  auto options = optionsOf(*input, *arguments);
  if (!options) return fail(options.error());
  auto base = cost::money::ingest(arguments->positionals[0], input->gpus);
  if (!base) return fail(base.error());
  auto candidate = cost::money::ingest(arguments->positionals[1], input->gpus);
  if (!candidate) return fail(candidate.error());
  auto report = cost::gate::judge(base->measurements, candidate->measurements, *options, candidate->broken);
  if (!report) return fail(report.error());
  for (const auto* notes : {&base->notes, &candidate->notes})
    report->unmatched.insert(report->unmatched.end(), notes->begin(), notes->end());
  std::string json = cost::gate::jsonText(*report);
  if (!history.empty())
    if (auto written = appendLine(history, json); !written) return fail(written.error());
  if (!printOut(format == "json" ? json + "\n" : cost::gate::terminalText(*report))) return 2;
  return cost::gate::exitStatus(report->outcome);
}

}  // namespace unwarp::cli
