// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantiles against published values, dates that no calendar has, numbers as they are printed.
#include "cost/quantity.h"

#include <gtest/gtest.h>

namespace unwarp::cost {
namespace {

TEST(Distribution, quantilesEqualPublishedValues) {
  EXPECT_NEAR(normalQuantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normalQuantile(1e-10), -6.361340902404056, 1e-12);
  EXPECT_NEAR(normalCdf(1.281551565544600), 0.9, 1e-14);
  EXPECT_NEAR(Distribution::logNormal(9, 0.8).median(), 9, 1e-12);
  EXPECT_NEAR(Distribution::beta(2, 2).quantile(0.5), 0.5, 1e-12);
  EXPECT_NEAR(Distribution::beta(1, 3).quantile(0.488), 0.2, 1e-12);  // 1 - (1 - x)^3
  EXPECT_NEAR(Distribution::triangular(1, 2, 4).quantile(1.0 / 3), 2, 1e-12);
  EXPECT_NEAR(Distribution::uniform(0.3, 0.5).quantile(0.25), 0.35, 1e-12);
}

TEST(Distribution, meansEqualTheirFormulae) {
  EXPECT_NEAR(Distribution::beta(6, 4).mean(), 0.6, 1e-15);
  EXPECT_NEAR(Distribution::logNormal(2, 1).mean(), 2 * 1.6487212707001282, 1e-12);
  EXPECT_NEAR(Distribution::triangular(1, 2, 6).mean(), 3, 1e-15);
}

TEST(Quantity, datesThatNoCalendarHasAreNone) {
  EXPECT_FALSE(parseDate("2026-02-30"));
  EXPECT_FALSE(parseDate("2026-13-01"));
  EXPECT_FALSE(parseDate("yesterday"));
  EXPECT_EQ(dateText(*parseDate("2026-05")), "2026-05-01");
  EXPECT_EQ(dateText(*parseDate("2024-02-29")), "2024-02-29");
}

TEST(Quantity, numbersAreReadWholeOrNotAtAll) {
  EXPECT_EQ(parseNumber("2.5"), 2.5);
  EXPECT_FALSE(parseNumber("2,5"));
  EXPECT_FALSE(parseNumber("1e999"));
  EXPECT_FALSE(parseNumber(""));
}

TEST(Quantity, numbersAreRoundedToSignificantDigits) {
  EXPECT_EQ(significant(0.043811, 3), "0.0438");
  EXPECT_EQ(significant(4561669.7, 3), "4560000");
  EXPECT_EQ(significant(-12.345, 3), "-12.3");
  EXPECT_EQ(significant(0, 3), "0");
  EXPECT_EQ(compact(8), "8");
  EXPECT_EQ(compact(800), "800");
  EXPECT_EQ(compact(0.5), "0.5");
}

TEST(Quantity, aBadInputNamesFieldFileAndFix) {
  EXPECT_EQ(toError({"unwarp.toml", 12, "workload.chat.price", "is negative (-2)", "write USD per GPU-hour"}).message,
            "unwarp.toml:12: workload.chat.price: is negative (-2); write USD per GPU-hour");
}

}  // namespace
}  // namespace unwarp::cost
