// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positional TOML: paths, lines, what happens at faults.
#include "scan/packages/toml_values.h"

#include <gtest/gtest.h>

namespace unwarp::scan::packages {
namespace {

/// Everything visited as "a/b/0=value@line", joined by blanks.
std::string walk(std::string_view text, bool& whole) {
  std::string out;
  whole = visitToml(text, [&out](const JsonScalar& scalar) {
    if (!out.empty()) out += ' ';
    for (std::size_t i = 0; i < scalar.path.size(); ++i) out += (i == 0 ? "" : "/") + scalar.path[i];
    out += "=" + scalar.value + "@" + std::to_string(scalar.line);
  });
  return out;
}

std::string valid(std::string_view text) {
  bool whole = false;
  const std::string out = walk(text, whole);
  EXPECT_TRUE(whole) << text;
  return out;
}

std::string faulty(std::string_view text) {
  bool whole = true;
  const std::string out = walk(text, whole);
  EXPECT_FALSE(whole) << text;
  return out;
}

TEST(TomlValues, NamesScalarsByPathAndLine) {
  EXPECT_EQ(valid("x = 1 # c\n[a]\nb = [\n 'x', # ]\n \"y\",\n]\nc = { d = 3, e.f = true, g = [] }\r\n\"q r\".'s' = "
                  "2020-01-01 10:00:00\n"),
            "x=1@1 a/b/0=x@4 a/b/1=y@5 a/c/d=3@7 a/c/e/f=true@7 a/q r/s=2020-01-01 10:00:00@8");
}

TEST(TomlValues, CountsArraysOfTables) {
  EXPECT_EQ(valid("[[p]]\nn = 1\n[p.q]\nm = 2\n[[p]]\nn = 3\n[ z . y ]\nk = 4\n"),
            "p/0/n=1@2 p/0/q/m=2@4 p/1/n=3@6 z/y/k=4@8");
}

TEST(TomlValues, ReadsStrings) {
  EXPECT_EQ(valid("a = \"x\\t\\\"y\\\"\"\nb = '\\n'\nc = \"\"\"\nl1 \\\n   l2\"\"\"\nd = '''q'''\ne = 1\n"),
            "a=x\t\"y\"@1 b=\\n@2 c=l1 l2@3 d=q@6 e=1@7");
}

TEST(TomlValues, GoesOnBehindFaults) {
  EXPECT_EQ(faulty("a = 1\n{{ jinja }}\n[=]\n[[ {\nb = \nc = 'open\nd = 2\n"), "a=1@1 d=2@7");
  EXPECT_EQ(faulty("[t]\na = [ 1, x y z\n"), "t/a/0=1@2 t/a/1=x y z@2");
}

TEST(TomlValues, SurvivesHostileTexts) {
  bool whole = true;
  walk("a = " + std::string(100000, '['), whole);
  walk(std::string(100000, '['), whole);
  std::string dots = "a";
  for (int i = 0; i < 100000; ++i) dots += ".a";
  walk(dots + " = 1", whole);
  for (std::string_view text : {"[", "[[", "[[a", "[[a]", "a", "a =", "a = \"", "a = \"\\", "a = '''", "a = {",
                                "a = {b", "\"", "a.", "=", "a = [1"})
    walk(text, whole);
}

}  // namespace
}  // namespace unwarp::scan::packages
