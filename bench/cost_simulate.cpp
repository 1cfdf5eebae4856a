// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long the account's simulation takes at its stated size: 10,000 trials of 50 workloads, 6 targets and 10 routes
// with six classes of work each, swings and values of information included. The first argument is the number of
// threads, 2 when it is missing; the best of five runs counts.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "base/text.h"
#include "cost/simulate/simulate.h"

namespace {

using namespace unwarp::cost;
using simulate::Inputs;

Quantity spread(const Distribution& distribution) {
  return {"", "", distribution, {}};
}

simulate::Route route(int number) {
  simulate::Route made{"route" + std::to_string(number),
                       true,
                       {},
                       spread(Distribution::logNormal(1000, 0.5)),
                       spread(Distribution::fixed(20))};
  for (int part = 0; part < 6; ++part)
    made.parts.push_back({"part" + std::to_string(part),
                          spread(Distribution::logNormal(50 + 10 * part + 5 * number, 0.6 + 0.1 * part)),
                          {true, part % 2 == 0, part % 3 == 0}});
  return made;
}

simulate::Workload workload(int number) {
  simulate::Workload made;
  made.name = "workload" + std::to_string(number);
  made.demandPerMonth = spread(Distribution::logNormal(2e5 * (number + 1), 0.3));
  made.growthPerYear = spread(Distribution::normal(0.1, 0.1));
  made.utilisation = spread(Distribution::beta(6, 4));
  made.currentPrice = spread(Distribution::triangular(2.5, 3, 4));
  made.currentRate = spread(Distribution::logNormal(46, 0.1));
  for (int t = 0; t < 6; ++t) {
    simulate::Target target;
    target.name = "target" + std::to_string(t);
    target.price = spread(Distribution::triangular(1.8, 2.1 + 0.1 * t, 2.9));
    target.rate = spread(Distribution::logNormal(44, 0.15));
    target.stackPerMonth = spread(Distribution::logNormal(2000, 0.3));
    for (int r = 0; r < 10; ++r) target.routes.push_back(route(r));
    made.targets.push_back(std::move(target));
  }
  return made;
}

}  // namespace

int main(int count, char** arguments) {
  Inputs inputs;
  auto threads = count > 1 ? unwarp::parseDecimal(arguments[1]) : std::optional<std::int64_t>(2);
  if (!threads || *threads < 1 || *threads > 1024) {
    std::fprintf(stderr, "usage: cost_simulate [THREADS]\n");
    return 2;
  }
  inputs.threads = static_cast<unsigned>(*threads);
  inputs.moneyPerHour = spread(Distribution::logNormal(80, 0.2));
  inputs.overhead = spread(Distribution::uniform(0.3, 0.5));
  inputs.driftPerYear = spread(Distribution::normal(-0.15, 0.15));
  for (Quantity& latent : inputs.latents) latent = spread(Distribution::logNormal(1, 0.25));
  for (int i = 0; i < 50; ++i) inputs.workloads.push_back(workload(i));
  double best = 1e9;
  for (int run = 0; run < 5; ++run) {
    auto start = std::chrono::steady_clock::now();
    auto outcome = simulate::simulate(inputs);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (!outcome) {
      std::fprintf(stderr, "%s\n", outcome.error().c_str());
      return 1;
    }
  }
  std::printf("%.2f s: %zu trials, 50 workloads, 6 targets, 10 routes, %u threads (best of five)\n", best,
              inputs.trials, inputs.threads);
  return 0;
}
