// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Author-days out of logs: what counts, what makes a lower bound, what is refused.
#include "cost/mine/history.h"

#include <gtest/gtest.h>

namespace unwarp::cost {
namespace {

std::string commit(std::string_view day, std::string_view author, std::string_view subject,
                   std::string_view numstat = "") {
  return "\x1e" + std::string(day) + "\x1f" + std::string(author) + "\x1f" + std::string(subject) + "\n\n" +
         std::string(numstat);
}

MinedPort mined(const std::string& log, MineOptions options = {}) {
  auto commits = readHistory(log);
  EXPECT_TRUE(commits) << commits.error();
  auto port = minePort(*commits, options);
  EXPECT_TRUE(port) << port.error();
  return port ? *port : MinedPort();
}

TEST(Mine, anAuthorIsOneDayHoweverManyCommits) {
  auto port = mined(commit("2020-04-30", "Ann", "map names", "630\t515\ta.h\n-\t-\tlogo.png\n") +
                    commit("2020-04-30", "Ann", "fix") + commit("2020-05-02", "Bob", "tests"));
  EXPECT_EQ(port.authorDays, 2u);
  EXPECT_EQ(port.authors, 2u);
  EXPECT_EQ(port.added, 630u);
  EXPECT_EQ(port.removed, 515u);
  EXPECT_DOUBLE_EQ(port.personWeeks(), 0.4);
}

TEST(Mine, subjectsAreMatchedAsWords) {
  std::string log = commit("2020-01-01", "Ann", "Add HIP kernels") + commit("2020-01-02", "Ann", "membership") +
                    commit("2020-01-03", "Ann", "ROCm: CI");
  EXPECT_EQ(mined(log, {{"hip", "rocm"}, 18}).authorDays, 2u);
}

TEST(Mine, theWindowEndsAfterItsMonths) {
  std::string log = commit("2020-01-31", "Ann", "start") + commit("2021-07-30", "Ann", "last day") +
                    commit("2021-07-31", "Ann", "too late");
  EXPECT_EQ(mined(log).authorDays, 2u);
  EXPECT_EQ(mined(log, {{}, 240}).authorDays, 3u);
}

TEST(Mine, squashedChangesGiveALowerBound) {
  EXPECT_TRUE(mined(commit("2020-01-01", "Ann", "HIP (#12)")).lowerBound);
  EXPECT_FALSE(mined(commit("2020-01-01", "Ann", "HIP, see (#12) and more")).lowerBound);
}

TEST(Mine, robotsAndReplayedHistoriesTellNothing) {
  std::string log;
  for (int i = 0; i < 14; ++i) log += commit("2024-08-25", "Ann", "part " + std::to_string(i));
  auto port = minePort(*readHistory(log), {});
  ASSERT_FALSE(port);
  EXPECT_NE(port.error().find("replayed"), std::string::npos);
  EXPECT_FALSE(minePort(*readHistory(commit("2024-01-01", "dependabot[bot]", "bump")), {}));
}

}  // namespace
}  // namespace unwarp::cost
