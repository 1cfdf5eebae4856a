// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree keeps what the walker tells: names, lines, order, and nothing for null.
#include "base/json_tree.h"

#include <gtest/gtest.h>

namespace unwarp {
namespace {

TEST(JsonTree, keepsNamesLinesAndOrder) {
  auto tree = parseJson("{\"a\": {\"b\": [1,\n [2, 3]]},\n \"c\": \"x\"}");
  ASSERT_TRUE(tree);
  ASSERT_EQ(tree->children.size(), 2u);
  EXPECT_EQ(tree->at({"a", "b", "1", "0"})->number(), 2.0);
  EXPECT_EQ(tree->at({"a", "b", "1", "1"})->line, 2u);
  EXPECT_EQ(tree->find("c")->text, "x");
  EXPECT_EQ(tree->at({"a", "z", "1"}), nullptr);
}

TEST(JsonTree, nullIsMissingAndNaNIsNoNumber) {
  auto tree = parseJson(R"({"a": null, "b": NaN, "c": Infinity, "d": "1.5", "e": true})");
  ASSERT_TRUE(tree);
  EXPECT_FALSE(tree->has("a"));
  EXPECT_EQ(tree->find("b")->number(), std::nullopt);
  EXPECT_EQ(tree->find("c")->number(), std::nullopt);
  EXPECT_EQ(tree->find("d")->number(), 1.5);
  EXPECT_TRUE(tree->find("e")->isTrue());
}

TEST(JsonTree, aNameThatStandsTwiceDoesNotMixAScalarWithABranch) {
  auto tree = parseJson(R"({"a": 1, "a": {"b": 2}, "a": [3]})");
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->find("a")->number(), 1.0);
  EXPECT_TRUE(tree->find("a")->children.empty());
}

TEST(JsonTree, aFaultIsToldWithItsLine) {
  auto tree = parseJson("{\"a\": 1,\n\"b\": ", 10);
  ASSERT_FALSE(tree);
  EXPECT_NE(tree.error().find("line 10"), std::string::npos);
}

}  // namespace
}  // namespace unwarp
