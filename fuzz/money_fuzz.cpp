// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark results, price lists and bills in every format ('A'), sidecars over a result ('B'), and fleet files ('C').
// What was read goes on into comparisons, costs and plans' checks, where odd numbers would show.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cost/fleet/fleet_file.h"
#include "cost/money/ingest.h"
#include "cost/money/money_text.h"
#include "cost/money/tokens.h"

namespace {

using namespace unwarp::cost;

struct Tables {
  std::unique_ptr<unwarp::knowledge::Knowledge> knowledge;
  money::GpuNames gpus;
  money::Rates rates;
  money::PriceTable prices;
};

const Tables& tables() {
  static const Tables loaded = [] {
    auto knowledge = unwarp::knowledge::Knowledge::load("");
    if (!knowledge) std::abort();
    auto gpus = money::GpuNames::load(**knowledge);
    auto rates = money::Rates::load(**knowledge);
    auto prices = money::PriceTable::load(**knowledge);
    if (!gpus || !rates || !prices) std::abort();
    return Tables{std::move(*knowledge), std::move(*gpus), std::move(*rates), std::move(*prices)};
  }();
  return loaded;
}

void useAll(const money::Ingested& read) {
  (void)money::paidPrices(read.charges);
  auto prices = tables().prices;
  prices.add(read.prices);
  auto costs = money::tokenCosts(read.measurements, prices, tables().rates, {});
  if (costs) (void)money::terminalText(*costs, {}, tables().rates);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t sizeBytes) {
  if (sizeBytes == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, sizeBytes - 1);
  constexpr std::string_view result = R"({"model_id":"m","completed":1,"output_throughput":5,"duration":1})";
  switch (static_cast<std::uint8_t>(data[0] - 'A') % 3) {
    case 0:
      if (auto read = money::ingestText({"input", text, "", {}}, tables().gpus)) useAll(*read);
      break;
    case 1:
      if (auto read = money::ingestText({"input", result, "input.toml", text}, tables().gpus)) useAll(*read);
      break;
    default:
      if (auto problems = fleet::readFleet("fleet.json", text)) (void)fleet::lpText(problems->front());
  }
  return 0;
}
