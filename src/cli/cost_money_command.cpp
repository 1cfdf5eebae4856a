// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `unwarp cost money FILE...`: tokens per unit of money from benchmark results, bills and price lists.
#include <algorithm>

#include "base/output_text.h"
#include "base/text.h"
#include "cli/command_list.h"
#include "cli/cost_input.h"
#include "cli/output.h"
#include "cost/money/interactivity.h"
#include "cost/money/money_text.h"

namespace unwarp::cli {

namespace {

Result<cost::money::CostOptions> optionsOf(const CostInput& input, const Arguments& arguments) {
  cost::money::CostOptions options;
  options.currency = input.currency;
  if (auto bases = arguments.flags.find("--basis"); bases != arguments.flags.end()) options.bases = bases->second;
  std::string counted = lastOf(arguments, "--tokens", "output");
  auto word = fromName<cost::money::Counted>(cost::money::countedNames, counted);
  if (!word) return Error{"--tokens " + counted + ": write output, total or input"};
  options.counted = *word;
  auto tax = cost::money::taxOf(*input.knowledge, input.currency);
  if (!tax) return Error{tax.error()};
  double drift = 0;
  struct Share {
    std::string_view flag;
    double& target;
    double fallback, low, high;
  };
  for (const Share& share :
       {Share{"--utilisation", options.utilisation, 1, 1e-4, 1}, Share{"--overhead", options.terms.overhead, 0, 0, 10},
        Share{"--tax", options.terms.tax, *tax, 0, 1}, Share{"--subsidy", options.terms.subsidy, 0, 0, 0.99},
        Share{"--spread", options.spread, 0, 0, 0.99}, Share{"--drift", drift, 0, -0.9, 1}}) {
    auto value = shareOf(arguments, share.flag, share.fallback, share.low, share.high);
    if (!value) return Error{value.error()};
    share.target = *value;
  }
  auto months = parseDecimal(lastOf(arguments, "--months", "36"));
  if (!months || *months < 1 || *months > 240)
    return Error{"--months " + lastOf(arguments, "--months", "") + ": write a whole number from 1 to 240"};
  options.terms.drift = cost::money::meanDrift(drift, static_cast<int>(*months));
  return options;
}

/// Replaces the runs by what their sweeps give at the interactivity asked for.
Result<Done> applyInteractivity(const Arguments& arguments, cost::money::Ingested& all) {
  std::string text = lastOf(arguments, "--interactivity", "");
  if (text.empty()) return Done{};
  auto target = parseNumber(text);
  if (!target || *target <= 0 || *target > 1e5)
    return Error{"--interactivity " + text + ": write tokens per second and user, such as 50"};
  all.measurements = cost::money::atInteractivity(all.measurements, *target, all.notes);
  return Done{};
}

/// Why no figure came out, with what was found instead.
std::string nothingUsable(const cost::money::CostTable& table, const cost::money::Ingested& all) {
  std::string text = "no cost can be computed: ";
  if (all.measurements.empty()) {
    text += "the files hold no benchmark result";
    if (!all.charges.empty()) text += "; of a bill alone --format terminal and json tell the sums";
    if (!all.prices.empty()) text += "; prices need a benchmark result beside them";
  } else if (table.groups.empty()) {
    text += "every run is left out";
  } else {
    text += "no price for its GPUs on these bases; give one: --price GPU=PRICE";
  }
  constexpr std::size_t told = 5;
  for (std::size_t i = 0; i < table.notes.size() && i < told; ++i) text += "\n  " + printable(table.notes[i]);
  if (table.notes.size() > told) text += "\n  and " + std::to_string(table.notes.size() - told) + " more";
  return text;
}

}  // namespace

int runCostMoney(int argc, char** argv) {
  const Command& command = *findCommand("cost money");
  auto arguments = parseArguments(command, argc, argv);
  if (!arguments) return fail(arguments.error());
  if (arguments->has("--help")) return printOut(helpText(&command)) ? 0 : 2;
  std::string format = lastOf(*arguments, "--format", "terminal");
  if (format != "terminal" && format != "json" && format != "csv")
    return fail("--format " + format + ": write terminal, json or csv");
  auto input = CostInput::load(*arguments);
  if (!input) return fail(input.error());
  if (arguments->has("--prices")) return printOut(cost::money::priceText(input->prices, input->rates)) ? 0 : 2;
  if (arguments->positionals.empty())
    return fail("cost money needs files or folders of benchmark results, bills or prices");
  auto options = optionsOf(*input, *arguments);
  if (!options) return fail(options.error());
  cost::money::Ingested all;
  for (const std::string& path : arguments->positionals) {
    auto part = cost::money::ingest(path, input->gpus);
    if (!part) return fail(part.error());
    cost::money::append(all, std::move(*part));
  }
  input->prices.add(all.prices);
  input->prices.add(cost::money::paidPrices(all.charges));
  std::vector<std::string> known = input->prices.bases();
  for (const std::string& basis : options->bases)
    if (std::find(known.begin(), known.end(), basis) == known.end()) {
      std::string names;
      for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
      return fail("--basis " + basis + ": no price has it; known are " + names);
    }
  if (auto applied = applyInteractivity(*arguments, all); !applied) return fail(applied.error());
  auto table = cost::money::tokenCosts(all.measurements, input->prices, input->rates, *options);
  if (!table) return fail(table.error());
  table->notes.insert(table->notes.end(), all.notes.begin(), all.notes.end());
  bool usable = std::any_of(table->groups.begin(), table->groups.end(),
                            [](const cost::money::CostGroup& group) { return !group.costs.empty(); });
  if (!usable && (all.charges.empty() || format == "csv")) return fail(nothingUsable(*table, all));
  std::string text = format == "json"  ? cost::money::jsonText(*table, *options, all.charges) + "\n"
                     : format == "csv" ? cost::money::csvText(*table)
                                       : cost::money::terminalText(*table, *options, input->rates);
  if (format == "terminal") text += cost::money::billText(all.charges);
  return printOut(text) ? 0 : 2;
}

}  // namespace unwarp::cli
