// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positional TOML: paths, lines, what happens at faults.
#include "base/toml.h"

#include <gtest/gtest.h>

namespace unwarp {
namespace {

/// All scalars as "a/b/0=value@line", joined by blanks.
std::string walk(std::string_view text, bool& whole) {
  std::string out;
  const auto fault = visitToml(text, [&out](const TomlValue& value) {
    if (value.kind != TomlKind::String && value.kind != TomlKind::Plain) return;
    if (!out.empty()) out += ' ';
    for (std::size_t i = 0; i < value.path.size(); ++i) out += (i == 0 ? "" : "/") + value.path[i];
    out += "=" + value.value + "@" + std::to_string(value.line);
  });
  whole = !fault;
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

TEST(Toml, NamesScalarsByPathAndLine) {
  EXPECT_EQ(valid("x = 1 # c\n[a]\nb = [\n 'x', # ]\n \"y\",\n]\nc = { d = 3, e.f = true, g = [] }\r\n\"q r\".'s' = "
                  "2020-01-01 10:00:00\n"),
            "x=1@1 a/b/0=x@4 a/b/1=y@5 a/c/d=3@7 a/c/e/f=true@7 a/q r/s=2020-01-01 10:00:00@8");
}

TEST(Toml, CountsArraysOfTables) {
  EXPECT_EQ(valid("[[p]]\nn = 1\n[p.q]\nm = 2\n[[p]]\nn = 3\n[ z . y ]\nk = 4\n"),
            "p/0/n=1@2 p/0/q/m=2@4 p/1/n=3@6 z/y/k=4@8");
}

TEST(Toml, ReadsStrings) {
  EXPECT_EQ(valid("a = \"x\\t\\\"y\\\"\"\nb = '\\n'\nc = \"\"\"\nl1 \\\n   l2\"\"\"\nd = '''q'''\ne = 1\n"),
            "a=x\t\"y\"@1 b=\\n@2 c=l1 l2@3 d=q@6 e=1@7");
}

TEST(Toml, ReadsCharactersByNumber) {
  EXPECT_EQ(valid("a = \"\\u00e9\\U0001F600\"\n"), "a=é😀@1");
  EXPECT_EQ(faulty("a = \"\\d\\uD800\\u12\"\n"), "a=\\d\\uD800\\u12@1");
}

TEST(Toml, TheFirstFaultHasItsLineAndSaysWhatToWrite) {
  struct Case {
    std::string_view text, fault;
  };
  for (const Case& c :
       {Case{"a = 1\nb\nc = \n", "2: '=' is expected behind a key"}, Case{"a = \n", "1: a value is expected"},
        Case{"a = gfx942\"\n", "1: a value is expected: text in quotes"}, Case{"\n= 1\n", "2: a key is expected"},
        Case{"a = 'x\nb = 1\n", "1: a string does not end on its line"},
        Case{"a = \"\"\"\nx", "1: a string does not end"}, Case{"x = 1\na = [1,\n2\n", "2: a list is not closed"},
        Case{"a = [1 2]\n[x] y", "2: text behind a value"}, Case{"a = ['x' 'y']\n", "1: ',' or ']' is expected"},
        Case{"[a\n", "1: the name of a table is not closed"}, Case{"a = \"\\d\"\n", "1: an unknown escape"}}) {
    const auto fault = visitToml(c.text, [](const TomlValue&) {});
    ASSERT_TRUE(fault) << c.text;
    EXPECT_TRUE((std::to_string(fault->line) + ": " + fault->what).starts_with(c.fault)) << c.text << fault->what;
  }
}

/// Entries as "key@line=value,value" with `[]` behind the key of a list.
std::string entriesOf(std::string_view text) {
  std::vector<TomlEntry> entries;
  if (const auto fault = readTomlEntries(text, entries)) return std::to_string(fault->line) + ": " + fault->what;
  std::string out;
  for (const TomlEntry& entry : entries) {
    out += (out.empty() ? "" : " ") + entry.key + (entry.isList ? "[]" : "") + "@" + std::to_string(entry.line) + "=";
    for (const TomlEntry::Value& value : entry.values) out += (value.kind == TomlKind::Table ? "{}" : value.text) + ",";
  }
  return out;
}

TEST(Toml, EntriesKeepEmptyListsAndTables) {
  EXPECT_EQ(entriesOf("a = []\nb = [1, 'x', [2], {c = 3}]\nd = 4\n[e]\n[f]\ng = 5\n[[h]]\n"),
            "a[]@1= b[]@2=1,x,,{}, d@3=4, e@4={}, f@5={}, h@7={},");
  EXPECT_EQ(entriesOf("a.b = 1\n"), "a@1={},");
  EXPECT_EQ(entriesOf("a = 1\nb = 2\na = []\n"), "3: key 'a' stands twice: keep one");
  EXPECT_EQ(entriesOf("a = 1\n[b\n"), "2: the name of a table is not closed: write `[name]`");
}

TEST(Toml, KnowsIntegersInEveryBase) {
  const std::pair<std::string_view, std::int64_t> integers[] = {
      {"12", 12}, {"+7", 7}, {"-7", -7}, {"1_000", 1000}, {"0x1F", 31}, {"0o17", 15}, {"0b1_1", 3}};
  for (const auto& [text, value] : integers) EXPECT_EQ(tomlInteger(text), value) << text;
  for (std::string_view text :
       {"", "+", "_1", "1_", "1__0", "0x", "0x-1", "1.5", "true", "2026-01-01", "99999999999999999999"})
    EXPECT_FALSE(tomlInteger(text)) << text;
}

TEST(Toml, GoesOnBehindFaults) {
  EXPECT_EQ(faulty("a = 1\n{{ jinja }}\n[=]\n[[ {\nb = \nc = 'open\nd = 2\n"), "a=1@1 d=2@7");
  EXPECT_EQ(faulty("[t]\na = [ 1, x y z\n"), "t/a/0=1@2 t/a/1=x y z@2");
}

TEST(Toml, SurvivesHostileTexts) {
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
}  // namespace unwarp
