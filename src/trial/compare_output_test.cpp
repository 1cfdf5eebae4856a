// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What counts as another output at 64 lanes, and what does not.
#include "trial/compare_output.h"

#include <gtest/gtest.h>

namespace unwarp::trial {
namespace {

std::string lineAt(const std::vector<std::string_view>& at32, const std::vector<std::string_view>& at64) {
  auto found = firstDifference(at32, at64);
  return found ? std::to_string(found->line) + " " + found->at32 + " | " + found->at64 : "none";
}

TEST(TrialOutput, AnotherResultIsTheFirstDifference) {
  EXPECT_EQ(lineAt({"a\nsum 1\nsum 2\n", "a\nsum 1\nsum 2\n"}, {"a\nsum 9\nsum 8\n"}), "2 sum 1 | sum 9");
}

TEST(TrialOutput, TheSameTextIsNone) {
  EXPECT_EQ(lineAt({"a\nb", "a\nb"}, {"a\nb"}), "none");
  EXPECT_EQ(lineAt({"", ""}, {""}), "none");
}

TEST(TrialOutput, WhatVariesAt32IsMasked) {
  EXPECT_EQ(lineAt({"at 0x7ffe sum 3\n", "at 0x7ff0 sum 3\n"}, {"at 0x7abc sum 3\n"}), "none");
  EXPECT_EQ(lineAt({"at 0x7ffe sum 3\n", "at 0x7ff0 sum 3\n"}, {"at 0x7abc sum 4\n"}),
            "1 at 0x7ffe sum 3 | at 0x7abc sum 4");
}

TEST(TrialOutput, MeasuredNumbersAreMaskedEvenWhenTheyAgreeAt32) {
  for (const char* form : {"kernel time: % ms", "took %s", "Time elapsed (ms) = %", "%ms", "% GB/s", "Total % (us)",
                           "Average kernel execution time % (us)", "throughput = % Mpixels", "loop % seconds"}) {
    auto with = [&](std::string number) {
      std::string text = form;
      return text.replace(text.find('%'), 1, number);
    };
    std::string narrow = with("0.1"), wide = with("0.25");
    EXPECT_EQ(lineAt({narrow, narrow}, {wide}), "none") << form;
  }
}

TEST(TrialOutput, AResultBesideATimeIsNotMasked) {
  EXPECT_NE(lineAt({"time 1.0 ms, sum 5", "time 1.0 ms, sum 5"}, {"time 2.0 ms, sum 6"}), "none");
  EXPECT_NE(lineAt({"step 3 sum 5", "step 3 sum 5"}, {"step 3 sum 6"}), "none");
}

TEST(TrialOutput, MissingAndFurtherLinesAreDifferences) {
  EXPECT_EQ(lineAt({"a\nb\n", "a\nb\n"}, {"a\n"}), "2 b | ");
  EXPECT_EQ(lineAt({"a\n", "a\n"}, {"a\nb\n"}), "2  | b");
}

TEST(TrialOutput, AVaryingNumberOfLinesIsComparedWithoutOrder) {
  EXPECT_EQ(lineAt({"x\ndone 1\n", "x\nx\ndone 1\n"}, {"x\nx\nx\ndone 1\n"}), "none");
  EXPECT_EQ(lineAt({"x\ndone 1\n", "x\nx\ndone 1\n"}, {"x\ndone 2\n"}), "2 done 1 | ");
}

TEST(TrialOutput, EveryRunAt64HasToDiffer) {
  EXPECT_EQ(lineAt({"a 1", "a 1"}, {"a 2", "a 1"}), "none");
  EXPECT_EQ(lineAt({"a 1", "a 1"}, {"a 2", "a 3"}), "1 a 1 | a 2");
}

TEST(TrialOutput, AProgramSaysThatItFailed) {
  for (const char* text : {"FAIL", "[  FAILED  ] one", "3 tests failed", "Result: Failed.", "verification failure at 3",
                           "1 of 10 failed", "10/10 failed", "fail=1"})
    EXPECT_EQ(lineOfFailure(std::string("ok\n") + text + "\n"), text);
  for (const char* text : {"PASS", "0 failed", "no failures", "failures: 0", "failed = 0", "PASS fail_fast", "failover",
                           "0 tests failed out of 15", "0 of 10 failed", "0 of 10 tests failed", "0/10 failed",
                           "fail=0", "passed=3, failed:0"})
    EXPECT_EQ(lineOfFailure(text), "") << text;
}

}  // namespace
}  // namespace unwarp::trial
