// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens per dollar against worked figures, the winner that flips with the price basis, currencies, and properties that
// hold for any numbers.
#include <cmath>

#include "cost/money/money_text.h"
#include "cost/money/tokens.h"
#include "cost/quantity.h"
#include "cost/random.h"
#include "money_fixture.h"
#include "schema_checker.h"

namespace unwarp::cost::money {
namespace {

struct Tables {
  Rates rates = *Rates::load(builtIn());
  PriceTable prices = *PriceTable::load(builtIn());
};

CostTable costs(const std::vector<Measurement>& runs, std::vector<std::string> bases) {
  Tables tables;
  CostOptions options;
  options.bases = std::move(bases);
  auto table = tokenCosts(runs, tables.prices, tables.rates, options);
  EXPECT_TRUE(table);
  return std::move(*table);
}

std::vector<Measurement> rows(const std::vector<std::pair<std::string, double>>& perGpu,
                              std::string_view model = "llama2-70b-99.9") {
  std::string text = "{";
  for (std::size_t i = 0; i < perGpu.size(); ++i)
    text += (i == 0 ? "\"" : ",\"") + std::to_string(i) +
            "\":" + mlperfRow(perGpu[i].first, perGpu[i].second, model, "Offline");
  auto read = readText(text + "}");
  EXPECT_TRUE(read) << (read ? "" : read.error());
  return read->measurements;
}

/// Cost per million on `basis`, as printed to three digits.
std::string figure(const CostTable& table, std::string_view gpu, std::string_view basis) {
  for (const CostGroup& group : table.groups)
    for (const TokenCost& cost : group.costs)
      if (cost.run->gpu == gpu && cost.price.basis == basis) return significant(cost.middle, 3);
  return "none";
}

TEST(Money, pricesThatDriftCountAtTheirMean) {
  EXPECT_DOUBLE_EQ(meanDrift(0, 36), 1);
  EXPECT_DOUBLE_EQ(meanDrift(-0.5, 1), 1);
  double sum = 0;
  for (int month = 0; month < 24; ++month) sum += std::pow(0.85, month / 12.0);
  EXPECT_NEAR(meanDrift(-0.15, 24), sum / 24, 1e-12);
  Tables tables;
  for (const char* basis : {"rental-3y", "owning-hyperscaler"}) {
    auto now = *tables.prices.find("B200", basis, "USD", {}, tables.rates);
    auto mean = *tables.prices.find("B200", basis, "USD", {0, 0, 0, 0.8}, tables.rates);
    EXPECT_NEAR(mean->middle / now->middle, std::string(basis) == "rental-3y" ? 0.8 : 1, 1e-12);  // bought is bought
  }
}

TEST(Money, tokensPerDollarOfTheLatestRoundAreReproduced) {
  auto runs = rows(
      {{"AMD Instinct MI355X 288GB HBM3e", 13315}, {"NVIDIA B200-SXM-180GB", 12838}, {"NVIDIA B300-SXM-270GB", 14441}});
  CostTable table = costs(runs, {"rental-3y", "owning-hyperscaler"});
  EXPECT_EQ(figure(table, "MI355X", "rental-3y"), "0.0438");
  EXPECT_EQ(figure(table, "B200", "rental-3y"), "0.0627");
  EXPECT_EQ(figure(table, "B300", "rental-3y"), "0.0669");
  EXPECT_EQ(figure(table, "MI355X", "owning-hyperscaler"), "0.0309");
  EXPECT_EQ(figure(table, "B200", "owning-hyperscaler"), "0.0422");
  EXPECT_EQ(figure(table, "B300", "owning-hyperscaler"), "0.0450");
}

TEST(Money, theWinnerFlipsWithThePriceBasis) {
  auto runs = rows({{"AMD Instinct MI325X 256GB HBM3e", 4319}, {"NVIDIA H200-SXM-141GB", 4415}}, "llama2-70b-99");
  CostTable table = costs(runs, {"rental-3y", "owning-hyperscaler"});
  EXPECT_EQ(figure(table, "MI325X", "owning-hyperscaler"), "0.0823");
  EXPECT_EQ(figure(table, "H200", "owning-hyperscaler"), "0.0887");
  EXPECT_EQ(figure(table, "MI325X", "rental-3y"), "0.116");
  EXPECT_EQ(figure(table, "H200", "rental-3y"), "0.101");
  ASSERT_EQ(table.groups.size(), 1u);
  EXPECT_TRUE(table.groups[0].dependsOnBasis);
  EXPECT_EQ(schema::faultsOf("money.schema.json", jsonText(table, {})), std::vector<std::string>{});
  EXPECT_NE(terminalText(table, {}, *Rates::load(builtIn())).find("depends on price basis"), std::string::npos);
}

TEST(Money, interactiveFiguresDoNotFollowOfflineOnes) {
  auto runs = rows({{"MI300X", 1105}, {"MI325X", 2356}, {"H200", 2885}, {"B200", 7856}});
  CostTable table = costs(runs, {"rental-3y"});
  EXPECT_EQ(figure(table, "MI300X", "rental-3y"), "0.390");
  EXPECT_EQ(figure(table, "MI325X", "rental-3y"), "0.212");
  EXPECT_EQ(figure(table, "H200", "rental-3y"), "0.154");
  EXPECT_EQ(figure(table, "B200", "rental-3y"), "0.103");
}

TEST(Money, aRackOf72IsDividedByItsGpus) {
  auto runs = rows({{"MI355X", 15227}, {"B200", 11436}, {"NVIDIA GB200", 12661}}, "gpt-oss-120b");
  CostTable table = costs(runs, {"rental-3y"});
  EXPECT_EQ(figure(table, "MI355X", "rental-3y"), "0.0383");
  EXPECT_EQ(figure(table, "B200", "rental-3y"), "0.0704");
  EXPECT_EQ(figure(table, "GB200", "rental-3y"), "0.0724");
}

TEST(Money, overlappingIntervalsHaveNoWinner) {
  auto runs = rows({{"MI325X", 4319}, {"H200", 4415}});
  Tables tables;
  CostOptions options;
  options.bases = {"rental-3y"};
  options.spread = 0.1;
  auto table = tokenCosts(runs, tables.prices, tables.rates, options);
  ASSERT_TRUE(table);
  EXPECT_FALSE(table->groups[0].winners[0].cost);
  EXPECT_NE(table->groups[0].winners[0].why.find("overlap"), std::string::npos);
}

TEST(Money, disputedPricesStayARange) {
  Tables tables;
  auto price = tables.prices.find("MI300X", "on-demand", "USD", {}, tables.rates);
  ASSERT_TRUE(price && *price);
  EXPECT_TRUE((*price)->disputed);
  EXPECT_EQ((*price)->low, 1.5);
  EXPECT_EQ((*price)->high, 6.0);
}

TEST(Money, rupeesCarryTaxAndSubsidy) {
  Tables tables;
  ASSERT_TRUE(tables.rates.set("INR=89@2026-03-01"));
  EXPECT_EQ(*taxOf(builtIn(), "INR"), 0.18);
  EXPECT_EQ(*taxOf(builtIn(), "USD"), 0);
  auto price = tables.prices.find("B200", "tender", "INR", {.tax = 0.18, .subsidy = 0.4, .overhead = 0}, tables.rates);
  ASSERT_TRUE(price && *price);
  EXPECT_NEAR((*price)->middle, 290.7 * 0.6 * 1.18, 1e-9);
  auto owned =
      tables.prices.find("B200", "owning-neocloud", "INR", {.tax = 0.18, .subsidy = 0, .overhead = 0}, tables.rates);
  EXPECT_NEAR((*owned)->middle, 2.34 * 89, 1e-9);
}

TEST(Money, ratesAreDatedInputs) {
  Rates rates = *Rates::load(builtIn());
  EXPECT_FALSE(rates.convert(1, "EUR", "USD"));
  EXPECT_NE(rates.convert(1, "EUR", "USD").error().find("--rate EUR="), std::string::npos);
  for (std::string_view bad :
       {"EUR=0.9", "EUR=-1@2026-01-01", "EUR=0.9@2026-02-30", "euro=1@2026-01-01", "USD=2@2026-01-01"})
    EXPECT_FALSE(rates.set(bad)) << bad;
  ASSERT_TRUE(rates.set("EUR=0.9@2026-01-01"));
  EXPECT_NEAR(*rates.convert(9, "EUR", "USD"), 10, 1e-12);
}

TEST(MoneyProperty, aCurrencyThereAndBackIsTheSameAmount) {
  Rates rates = *Rates::load(builtIn());
  Random random(7);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(rates.set("EUR=" + std::to_string(0.01 + random.uniform() * 200) + "@2026-01-01"));
    double amount = std::exp(20 * random.uniform() - 10);
    double back = *rates.convert(*rates.convert(*rates.convert(amount, "INR", "EUR"), "EUR", "USD"), "USD", "INR");
    EXPECT_NEAR(back, amount, 1e-12 * amount);
  }
}

TEST(MoneyProperty, costFallsWithSpeedAndRisesWithPrice) {
  Random random(8);
  for (int i = 0; i < 1000; ++i) {
    double price = 0.1 + 10 * random.uniform(), rate = 1 + 1e5 * random.uniform(), use = 0.01 + 0.99 * random.uniform();
    double cost = costPerMillion(price, rate, use);
    EXPECT_GT(costPerMillion(price * 1.01, rate, use), cost);
    EXPECT_LT(costPerMillion(price, rate * 1.01, use), cost);
    EXPECT_NEAR(cost * 3600 * rate * use / 1e6, price, 1e-9 * price);
  }
}

TEST(Money, userPricesNameTheirMistakes) {
  PriceTable prices = *PriceTable::load(builtIn());
  for (std::string_view bad : {"MI355X", "MI355X=-2", "MI355X=x", "MI999X=2", "MI355X=0INR"})
    EXPECT_FALSE(prices.set(bad, gpuNames())) << bad;
  ASSERT_TRUE(prices.set("MI355X=196INR", gpuNames()));
  EXPECT_EQ(prices.all().back().currency, "INR");
}

}  // namespace
}  // namespace unwarp::cost::money
