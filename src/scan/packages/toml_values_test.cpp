// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positional TOML and its fallback.
#include "scan/packages/toml_values.h"

#include <gtest/gtest.h>

namespace unwarp::scan::packages {
namespace {

using Visit = std::function<void(const JsonScalar&)>;

template <class Walk>
std::string show(Walk walk) {
  std::string out;
  walk([&out](const JsonScalar& scalar) {
    for (const std::string& part : scalar.path) out += part + "/";
    out += "=" + scalar.value + "@" + std::to_string(scalar.line) + " ";
  });
  return out;
}

TEST(TomlValues, NamesScalarsByPathAndLine) {
  EXPECT_EQ(show([](const Visit& visit) {
              EXPECT_TRUE(visitToml("[a]\nb = [\n 'x',\n 'y',\n]\nc = { d = 3, e = true }\n", visit));
            }),
            "a/b/0/=x@3 a/b/1/=y@4 a/c/d/=3@6 a/c/e/=true@6 ");
}

TEST(TomlValues, RefusesWhatIsNoToml) {
  EXPECT_EQ(show([](const Visit& visit) { EXPECT_FALSE(visitToml("[a\nb = ", visit)); }), "");
}

TEST(TomlValues, RefusesHeadersThatTheParserCannotTake) {
  for (std::string_view text : {"[=]", "[[ {", "[", "a = 1\n  [\x01]"})
    EXPECT_EQ(show([text](const Visit& visit) { EXPECT_FALSE(visitToml(text, visit)); }), "");
}

TEST(TomlValues, FallsBackToLines) {
  std::vector<std::string> notes;
  EXPECT_EQ(show([&notes](const Visit& visit) {
              visitTomlOrLines("[project]\ndependencies = [\n  \"torch\", # x\n]\n{{ jinja }}\nname = \"n\"\n", notes,
                               visit);
            }),
            "project/dependencies/0/=torch@3 project/name/=n@6 ");
  EXPECT_EQ(notes.size(), 1u);
}

TEST(TomlValues, SurvivesDeepNesting) {
  std::vector<std::string> notes;
  show([&notes](const Visit& visit) { visitTomlOrLines("a = " + std::string(100000, '['), notes, visit); });
}

}  // namespace
}  // namespace unwarp::scan::packages
