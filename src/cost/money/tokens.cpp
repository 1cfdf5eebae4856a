// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/money/tokens.h"

#include <algorithm>

#include "cost/quantity.h"

namespace unwarp::cost::money {

namespace {

std::optional<double> ratePerGpu(const Measurement& run, Counted counted) {
  if (!run.gpus || *run.gpus <= 0) return std::nullopt;
  std::optional<double> rate = counted == Counted::Input ? run.inputTokensPerS : run.outputTokensPerS;
  if (counted == Counted::Total && rate)
    rate = run.inputTokensPerS ? std::optional(*rate + *run.inputTokensPerS) : std::nullopt;
  if (!rate || *rate <= 0) return std::nullopt;
  return *rate / *run.gpus;
}

/// Runs that may be compared with the first of their group; of each GPU the fastest.
std::vector<std::vector<const Measurement*>> grouped(std::span<const Measurement> runs, const CostOptions& options,
                                                     std::vector<std::string>& notes) {
  std::vector<std::vector<const Measurement*>> groups;
  for (const Measurement& run : runs) {
    auto rate = ratePerGpu(run, options.counted);
    std::string lacks = run.gpu.empty() ? "GPU" : !run.gpus ? "count of GPUs" : !rate ? "token rate" : "";
    if (!run.unfit.empty() || !lacks.empty()) {
      notes.push_back(run.source + ": left out: " + (run.unfit.empty() ? "no " + lacks : run.unfit));
      continue;
    }
    auto fits = [&](const auto& group) { return compare(*group.front(), run).allowed(); };
    auto group = std::find_if(groups.begin(), groups.end(), fits);
    if (group == groups.end()) {
      groups.push_back({&run});
      continue;
    }
    auto same = std::find_if(group->begin(), group->end(), [&](const Measurement* m) { return m->gpu == run.gpu; });
    if (same == group->end())
      group->push_back(&run);
    else if (*rate > *ratePerGpu(**same, options.counted))
      *same = &run;
  }
  return groups;
}

Winner winnerOf(const std::string& basis, const std::vector<TokenCost>& costs) {
  Winner winner{basis, std::nullopt, {}};
  std::vector<std::size_t> here;
  for (std::size_t i = 0; i < costs.size(); ++i)
    if (costs[i].price.basis == basis) here.push_back(i);
  if (here.size() < 2) {
    winner.why = here.empty() ? "no price" : "only " + costs[here[0]].run->gpu + " has a price";
    return winner;
  }
  const TokenCost &first = costs[here[0]], &second = costs[here[1]];
  if (first.high >= second.low) {
    winner.why = "the intervals of " + first.run->gpu + " and " + second.run->gpu + " overlap";
    return winner;
  }
  winner.cost = here[0];
  winner.why = significant(100 * (1 - first.middle / second.middle), 2) + " % below " + second.run->gpu;
  return winner;
}

void judge(CostGroup& group, const std::vector<std::string>& bases) {
  std::vector<std::string> names;
  for (const std::string& basis : bases) {
    Winner winner = winnerOf(basis, group.costs);
    if (winner.why == "no price") continue;
    if (winner.cost) names.push_back(group.costs[*winner.cost].run->gpu);
    group.winners.push_back(std::move(winner));
  }
  group.dependsOnBasis = std::any_of(names.begin(), names.end(), [&](const auto& name) { return name != names[0]; });
}

}  // namespace

double costPerMillion(double pricePerGpuHour, double tokensPerSPerGpu, double utilisation) {
  return pricePerGpuHour / (3600 * tokensPerSPerGpu * utilisation * 1e-6);
}

Result<CostTable> tokenCosts(std::span<const Measurement> runs, const PriceTable& prices, const Rates& rates,
                             const CostOptions& options) {
  CostTable table;
  std::vector<std::string> bases = options.bases.empty() ? prices.bases() : options.bases;
  for (const auto& members : grouped(runs, options, table.notes)) {
    CostGroup group;
    group.title = titleOf(*members.front());
    for (const Measurement* run : members) {
      double rate = *ratePerGpu(*run, options.counted);
      for (const std::string& basis : bases) {
        auto price = prices.find(run->gpu, basis, options.currency, options.terms, rates);
        if (!price) return Error{price.error()};
        if (!*price) continue;
        TokenCost cost{run, **price, rate, 0, 0, 0, 0};
        cost.low = costPerMillion(cost.price.low, rate * (1 + options.spread), options.utilisation);
        cost.middle = costPerMillion(cost.price.middle, rate, options.utilisation);
        cost.high = costPerMillion(cost.price.high, rate * (1 - options.spread), options.utilisation);
        cost.tokensPerUnit = 1e6 / cost.middle;
        group.costs.push_back(std::move(cost));
      }
      for (const std::string& mark : compare(*members.front(), *run).marks)
        if (members.size() > 1 && std::find(group.marks.begin(), group.marks.end(), mark) == group.marks.end())
          group.marks.push_back(mark);
    }
    std::stable_sort(group.costs.begin(), group.costs.end(), [](const TokenCost& a, const TokenCost& b) {
      return a.price.basis != b.price.basis ? a.price.basis < b.price.basis : a.middle < b.middle;
    });
    judge(group, bases);
    table.groups.push_back(std::move(group));
  }
  return table;
}

}  // namespace unwarp::cost::money
