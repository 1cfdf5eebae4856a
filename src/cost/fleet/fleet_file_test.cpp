// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fleet files: the worked case, three scenarios, and mistakes with their place.
#include "cost/fleet/fleet_file.h"

#include <gtest/gtest.h>

#include "schema_checker.h"

namespace unwarp::cost::fleet {
namespace {

std::string file(std::string_view chatCost) {
  return R"({"hours": 26280, "discount_factor": 0.87, "utilisation": 0.6,
 "pools": [{"name": "B200", "price_per_hour": 2.90, "capacity": 200},
           {"name": "MI355X", "price_per_hour": 2.10, "capacity": 48, "stack_cost": 90000}],
 "workloads": [
  {"name": "chat", "demand_per_hour": 900, "home": "B200",
   "rate_per_hour": {"B200": 46.2, "MI355X": 47.9},
   "port_cost": {"MI355X": )" +
         std::string(chatCost) + R"(}},
  {"name": "rag", "demand_per_hour": 400, "home": "B200",
   "rate_per_hour": {"B200": 46.2, "MI355X": 47.9},
   "port_cost": {"MI355X": 60000}},
  {"name": "trtllm", "demand_per_hour": 600, "home": "B200", "not_on": ["MI355X"],
   "rate_per_hour": {"B200": 50, "MI355X": 1}},
  {"name": "train", "demand_per_hour": 300, "home": "B200",
   "rate_per_hour": {"B200": 40, "MI355X": 36},
   "port_cost": {"MI355X": 500000}}]})";
}

TEST(FleetFile, theWorkedCaseIsRead) {
  auto problems = readFleet("fleet.json", file("15000"));
  ASSERT_TRUE(problems) << problems.error();
  ASSERT_EQ(problems->size(), 1u);
  auto robust = solveRobust(*problems);
  ASSERT_TRUE(robust) << robust.error();
  EXPECT_NE(terminalText(*problems, *robust).find("cost 4561670"), std::string::npos);
  EXPECT_EQ(schema::faultsOf("fleet.schema.json", jsonText(*problems, *robust)), std::vector<std::string>{});
}

TEST(FleetFile, threeFiguresAreThreeScenarios) {
  auto problems = readFleet("fleet.json", file("[10000, 15000, 9000000]"));
  ASSERT_TRUE(problems) << problems.error();
  ASSERT_EQ(problems->size(), 3u);
  auto robust = solveRobust(*problems);
  ASSERT_TRUE(robust) << robust.error();
  EXPECT_EQ(robust->moves, (std::vector<std::size_t>{1}));
}

TEST(FleetFile, mistakesNameFileLineAndField) {
  auto error = [](std::string text, std::string_view from, std::string_view to) {
    text.replace(text.find(from), from.size(), to);
    auto read = readFleet("fleet.json", text);
    return read ? std::string("no error") : read.error();
  };
  std::string good = file("15000");
  EXPECT_NE(error(good, "\"capacity\": 48", "\"capacity\": -1").find("fleet.json:3: capacity"), std::string::npos);
  EXPECT_NE(error(good, "\"home\": \"B200\"", "\"home\": \"B20\"").find("did you mean B200?"), std::string::npos);
  EXPECT_NE(error(good, "\"hours\"", "\"hour\"").find("did you mean hours?"), std::string::npos);
  EXPECT_NE(error(good, "\"utilisation\": 0.6", "\"utilisation\": 60").find("utilisation must lie"), std::string::npos);
  EXPECT_NE(error(good, "15000", "[1, 2]").find("P20, P50, P80"), std::string::npos);
  EXPECT_NE(error(good, "15000", "[3, 2, 1]").find("port_cost.MI355X: falls from quantile"), std::string::npos);
  EXPECT_NE(error(good, "\"hours\": 26280", "\"hours\": 26280, \"hours\": 1").find("hours: stands twice"),
            std::string::npos);
  EXPECT_NE(error(good, "\"MI355X\": 15000", "\"MI355X\": 1, \"MI355X\": 2").find("MI355X: stands twice"),
            std::string::npos);
  EXPECT_NE(error(good, "26280,", "").find("no valid JSON"), std::string::npos);
}

}  // namespace
}  // namespace unwarp::cost::fleet
