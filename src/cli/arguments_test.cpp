// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a command line is split.
#include "cli/arguments.h"

#include <gtest/gtest.h>

#include <array>

namespace unwarp::cli {

namespace {

constexpr std::array<Flag, 3> flags{{{"--target", 't', "GFX", true, "", "", "", ""},
                                     {"--knowledge", 0, "DIR", false, "", "", "", ""},
                                     {"--quiet", 'q', "", false, "", "", "", ""}}};
constexpr Command command{"audit", "PATH", "", "", flags, {}, nullptr};

/// "flag=value,value;... | positional positional", or the error.
std::string parse(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  auto parsed = parseArguments(command, static_cast<int>(argv.size()), argv.data());
  if (!parsed) return parsed.error();
  std::string out;
  for (const auto& [name, values] : parsed->flags) {
    out += name + "=";
    for (const std::string& value : values) out += value + ",";
    out += ";";
  }
  out += "|";
  for (const std::string& positional : parsed->positionals) out += " " + positional;
  return out;
}

}  // namespace

TEST(Arguments, EveryFormOfAFlag) {
  EXPECT_EQ(parse({"--target", "a", "--target=b", "-t", "c", "-td", "path"}), "--target=a,b,c,d,;| path");
  EXPECT_EQ(parse({"-q", "--", "-q", "--x"}), "--quiet=,;| -q --x");
  EXPECT_EQ(parse({"-", ""}), "| - ");
  EXPECT_EQ(parse({"--target=a=b"}), "--target=a=b,;|");
}

TEST(Arguments, MistakesAreExplained) {
  EXPECT_NE(parse({"--traget", "a"}).find("did you mean --target?"), std::string::npos);
  EXPECT_NE(parse({"-x"}).find("unknown flag '-x'"), std::string::npos);
  EXPECT_NE(parse({"--quiet=1"}).find("takes no value"), std::string::npos);
  EXPECT_NE(parse({"--knowledge", "a", "--knowledge", "b"}).find("given twice"), std::string::npos);
}

TEST(Arguments, AMissingValueIsAnErrorEachTime) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"-t"}, {"--target"}, {"--target="}, {"-t", "a", "-t"}, {"-t", "a", "--target", ""}})
    EXPECT_NE(parse(words).find("needs a value"), std::string::npos);
}

}  // namespace unwarp::cli
