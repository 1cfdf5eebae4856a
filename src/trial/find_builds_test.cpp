// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where builds start, and which sources are programs by themselves.
#include "trial/find_builds.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>

#include "trial/scratch.h"

namespace unwarp::trial {
namespace {

namespace fs = std::filesystem;

class TrialBuilds : public testing::Test {
 protected:
  TrialBuilds()
      : outer(std::move(*Scratch::make())), tree(outer.path()), knowledge(std::move(*knowledge::Knowledge::load(""))) {}
  void write(const std::string& name, const std::string& text) {
    fs::create_directories((tree / name).parent_path());
    std::ofstream(tree / name) << text;
  }
  std::string folders() {
    std::string text;
    for (const BuildFolder& one : findBuildFolders(tree))
      text += one.folder.lexically_relative(tree).string() + (one.hasCMake ? " cmake" : "") +
              (one.makefile.empty() ? "" : " make") + "\n";
    return text;
  }
  Scratch outer;
  fs::path tree;
  std::unique_ptr<knowledge::Knowledge> knowledge;
};

TEST_F(TrialBuilds, TheTopmostFolderIsTheBuild) {
  write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\n  Project ( x )\n");
  write("sub/CMakeLists.txt", "project(y)\n");
  write("Makefile", "all:\n");
  EXPECT_EQ(folders(), ". cmake make\n");
}

TEST_F(TrialBuilds, WithoutOneTheFoldersBelowAreAsked) {
  write("a/CMakeLists.txt", "add_library(a a.cu)\n");
  write("a/inner/makefile", "all:\n");
  write("b/GNUmakefile", "all:\n");
  write(".ci/Makefile", "all:\n");
  EXPECT_EQ(folders(), "a/inner make\nb make\n");
}

TEST_F(TrialBuilds, ASourceWithMainIsAProgram) {
  for (const char* text : {"int main() {}", "int\nmain ( int argc, char** argv) {}", "auto main() -> int {}"})
    EXPECT_TRUE(definesMain(text, *knowledge)) << text;
  for (const char* text : {"// int main()", "/* int main() */", "const char* s = \"int main()\";", "int domain();",
                           "int main;", "x.main();", ""})
    EXPECT_FALSE(definesMain(text, *knowledge)) << text;
}

TEST_F(TrialBuilds, SourcesOfABuildAreNotAlone) {
  write("one/a.cu", "int main() {}\n");
  write("two/b.cu", "int main() {}\n");
  write("two/kernel.cu", "void f() {}\n");
  write("two/host.cpp", "int main() {}\n");
  EXPECT_EQ(findLoneSources(tree, {tree / "one"}, *knowledge), std::vector<fs::path>{tree / "two/b.cu"});
}

}  // namespace
}  // namespace unwarp::trial
