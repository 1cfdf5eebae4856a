// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Behaviours of the positional JSON walker: paths, lines, tolerance, limits.
#include "base/json_tokens.h"

#include <gtest/gtest.h>

namespace unwarp {
namespace {

/// Everything visited as "a/b/0=value@line", joined by blanks; `ok` receives the verdict.
std::string walk(std::string_view text, bool& ok) {
  std::string out;
  ok = visitJson(text, [&out](const JsonScalar& scalar) {
    if (!out.empty()) out += ' ';
    for (std::size_t i = 0; i < scalar.path.size(); ++i) out += (i == 0 ? "" : "/") + scalar.path[i];
    out += (scalar.isString ? "='" : "=") + scalar.value + (scalar.isString ? "'@" : "@") + std::to_string(scalar.line);
  });
  return out;
}

TEST(JsonTokens, NamesEveryScalarByPathAndLine) {
  bool ok = false;
  EXPECT_EQ(walk("{\"a\": [1, true,\n \"x\"], \"b\": {\"c\": null}}", ok), "a/0=1@1 a/1=true@1 a/2='x'@2 b/c=null@2");
  EXPECT_TRUE(ok);
}

TEST(JsonTokens, DecodesEscapesAndSurrogates) {
  bool ok = false;
  EXPECT_EQ(walk(R"(["a\n\u00e9\ud83d\ude00\/\ud800"])", ok), "0='a\n\u00e9\U0001F600/\uFFFD'@1");
  EXPECT_TRUE(ok);
}

TEST(JsonTokens, AcceptsCommentsAndTrailingCommas) {
  bool ok = false;
  EXPECT_EQ(walk("// head\n{\"a\": 1, /* x\n */ \"b\": [2,],}", ok), "a=1@2 b/0=2@3");
  EXPECT_TRUE(ok);
}

TEST(JsonTokens, AcceptsAScalarRootAndEmptyBrackets) {
  bool ok = false;
  EXPECT_EQ(walk("3", ok), "=3@1");
  EXPECT_TRUE(ok);
  EXPECT_EQ(walk("{\"a\": {}, \"b\": []}", ok), "");
  EXPECT_TRUE(ok);
}

TEST(JsonTokens, ReportsWhatCameBeforeTheFault) {
  bool ok = true;
  EXPECT_EQ(walk("{\"a\": 1, \"b\": \"cut", ok), "a=1@1");
  EXPECT_FALSE(ok);
  EXPECT_EQ(walk("{\"a\" 1}", ok), "");
  EXPECT_FALSE(ok);
  walk("", ok);
  EXPECT_FALSE(ok);
}

TEST(JsonTokens, StopsAtTheDepthLimit) {
  bool ok = true;
  walk(std::string(100000, '['), ok);
  EXPECT_FALSE(ok);
}

}  // namespace
}  // namespace unwarp
