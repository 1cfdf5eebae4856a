// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a setting comes from when several places set it, and what a configuration file may not say. Uses a command
// table of its own in place of the program's (flags.cpp is not linked into the tests).
#include "cli/settings.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <filesystem>
#include <fstream>

namespace unwarp::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::array<Flag, 5> auditFlags{{{"--target", 't', "GFX", true, "targets", "UNWARP_TEST_TARGETS", "", ""},
                                          {"--threads", 'j', "N", false, "threads", "", "", ""},
                                          {"--preview", 0, "", false, "preview", "", "off", ""},
                                          {"--exclude", 'x', "GLOB", true, "exclude", "", "", ""},
                                          {"--config", 0, "FILE", false, "", "", "", ""}}};
constexpr std::array<Flag, 1> assessFlags{{{"--output", 'o', "DIR", false, "output", "", "", ""}}};
constexpr std::array<Command, 2> table{
    {{"audit", "PATH", "", "", auditFlags, {}, nullptr}, {"assess", "PATH", "", "", assessFlags, {}, nullptr}}};

class SettingsTest : public ::testing::Test {
 protected:
  SettingsTest() : root_(::testing::TempDir() + "unwarp-settings-XXXXXX") {
    EXPECT_NE(mkdtemp(root_.data()), nullptr);
    fs::create_directories(root_ + "/home/unwarp");
    fs::create_directories(root_ + "/project/src");
    setenv("XDG_CONFIG_HOME", (root_ + "/home").c_str(), 1);
    unsetenv("UNWARP_CONFIG");
    unsetenv("UNWARP_TEST_TARGETS");
  }
  ~SettingsTest() override {
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("UNWARP_TEST_TARGETS");
    fs::remove_all(root_);
  }
  void user(std::string_view text) { std::ofstream(root_ + "/home/unwarp/unwarp.toml") << text; }
  void project(std::string_view text) { std::ofstream(root_ + "/project/unwarp.toml") << text; }
  Result<Settings> resolve(Arguments arguments = {}) {
    return Settings::resolve(table[0], arguments, root_ + "/project/src");
  }
  std::string error(std::string_view text) {
    project(text);
    auto settings = resolve();
    return settings ? std::string() : settings.error();
  }

  std::string root_;
};

using Values = std::vector<std::string>;

}  // namespace

std::span<const Command> commands() {
  return table;
}

TEST_F(SettingsTest, TheStrongerPlaceWins) {
  EXPECT_TRUE(resolve()->list("--target").empty());
  user("targets = [\"user\"]\npreview = true\n");
  EXPECT_EQ(resolve()->list("--target"), (Values{"user"}));
  project("targets = [\"project\", \"two\"]\npreview = false\nthreads = 3\n");
  EXPECT_EQ(resolve()->list("--target"), (Values{"project", "two"}));
  EXPECT_FALSE(resolve()->on("--preview"));
  EXPECT_EQ(resolve()->text("--threads"), "3");
  setenv("UNWARP_TEST_TARGETS", "env,other third", 1);
  EXPECT_EQ(resolve()->list("--target"), (Values{"env", "other", "third"}));
  Arguments arguments;
  arguments.flags["--target"] = {"flag"};
  EXPECT_EQ(resolve(arguments)->list("--target"), (Values{"flag"}));
  EXPECT_NE(resolve(arguments)->show().find("targets = [\"flag\"]  # command line"), std::string::npos);
}

TEST_F(SettingsTest, TheResultIsToldWhatWasChosenAndWhere) {
  EXPECT_TRUE(resolve()->chosen().empty());
  user("preview = true\nthreads = 3\n");
  project("targets = [\"project\", \"two\"]\n");
  setenv("UNWARP_TEST_TARGETS", "env", 1);
  Arguments arguments;
  arguments.flags["--exclude"] = {"a/**"};
  auto chosen = resolve(arguments)->chosen();
  ASSERT_EQ(chosen.size(), 3u) << "threads shape no result";
  EXPECT_EQ(chosen[0].key, "targets");
  EXPECT_EQ(chosen[0].values, (Values{"env"}));
  EXPECT_EQ(chosen[0].origin, Origin::Environment);
  EXPECT_EQ(chosen[1].key, "preview");
  EXPECT_EQ(chosen[1].values, (Values{"true"}));
  EXPECT_EQ(chosen[1].origin, Origin::UserFile);
  EXPECT_EQ(chosen[2].values, (Values{"a/**"}));
  EXPECT_EQ(chosen[2].origin, Origin::CommandLine);
  unsetenv("UNWARP_TEST_TARGETS");
  EXPECT_EQ(resolve()->chosen()[0].origin, Origin::ProjectFile);
}

TEST_F(SettingsTest, KeysOfOtherCommandsAreLeftAlone) {
  EXPECT_EQ(error("output = \"x\"\n"), "");
}

TEST_F(SettingsTest, TheManifestOfCostIsNoSetting) {
  EXPECT_EQ(error("threads = 1\n[cost]\ncurrency = \"INR\"\n[workload.chat]\nmodel = \"x\"\n"), "");
}

TEST_F(SettingsTest, MistakesInAFileAreErrorsWithTheirLine) {
  EXPECT_NE(error("\ntragets = []\n").find("unwarp.toml:2: unknown key 'tragets'; did you mean targets?"),
            std::string::npos);
  EXPECT_NE(error("preview = \"yes\"\n").find("must be true or false"), std::string::npos);
  EXPECT_NE(error("threads = [1]\n").find("takes one value"), std::string::npos);
  EXPECT_NE(error("targets = [true]\n").find("must hold strings"), std::string::npos);
  EXPECT_NE(error("threads = 1.5\n").find("threads must be a whole number"), std::string::npos);
  for (std::string_view list : {"[1]", "[\"a\", 1]", "[\"a\", true]", "[\"a\", [\"b\"]]"})
    EXPECT_NE(error("exclude = " + std::string(list) + "\n").find("exclude must hold strings"), std::string::npos)
        << list;
  EXPECT_NE(error("exclude = 1\n").find("exclude must be a string"), std::string::npos);
  EXPECT_NE(error("threads = \n").find("unwarp.toml:1: "), std::string::npos);
  EXPECT_NE(error("threads = 1\nthreads = 2\n").find("unwarp.toml:2: key 'threads' stands twice"), std::string::npos);
  EXPECT_NE(error("[audit]\nthreads = 1\n").find("unwarp.toml:1: unknown key 'audit'"), std::string::npos);
  EXPECT_NE(error("targets = gfx942\n").find("unwarp.toml:1: targets must be a string in quotes"), std::string::npos);
  EXPECT_NE(error("targets = [\"gfx942\"\n").find("unwarp.toml:1: a list is not closed"), std::string::npos);
  EXPECT_NE(error("x = \"\xff\"\n"), "");
}

TEST_F(SettingsTest, NumbersMayBeWrittenInAnyBase) {
  for (std::string_view two : {"2", "0x2", "0b10", "0o2", "+2", "\"2\""}) {
    project("threads = " + std::string(two) + "\n");
    auto settings = resolve();
    ASSERT_TRUE(settings) << settings.error();
    EXPECT_EQ(settings->text("--threads"), "2") << two;
  }
}

TEST_F(SettingsTest, AConfigurationThatIsNamedMustExist) {
  Arguments arguments;
  arguments.flags["--config"] = {root_ + "/missing.toml"};
  EXPECT_FALSE(resolve(arguments));
}

TEST_F(SettingsTest, OptionsCheckTheirNumbers) {
  for (std::string value : {"0", "-1", "1025", "x", "", "1.5"}) {
    Arguments arguments;
    arguments.flags["--threads"] = {value};
    EXPECT_FALSE(auditOptions(*resolve(arguments), ".")) << value;
  }
  Arguments arguments;
  arguments.flags["--threads"] = {"4"};
  arguments.flags["--target"] = {"gfx942", "gfx942"};
  auto options = auditOptions(*resolve(arguments), ".");
  ASSERT_TRUE(options) << options.error();
  EXPECT_EQ(options->threads, 4u);
  EXPECT_EQ(options->targets, (Values{"gfx942"}));
}

}  // namespace unwarp::cli
