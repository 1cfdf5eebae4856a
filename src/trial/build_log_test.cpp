// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outputs of CMake, make, compilers and linkers, and the lines that say why.
#include "trial/build_log.h"

#include <gtest/gtest.h>

namespace unwarp::trial {
namespace {

using Lines = std::vector<std::string>;

TEST(TrialBuildLog, CMakeSaysWhereAndWhat) {
  EXPECT_EQ(configureErrors("-- Found\nCMake Warning (dev) x\nCMake Error at a/CMakeLists.txt:12 (find_package):\n"
                            "  Could not find a package of the name\n  MPI.\n\n  Reason given.\n\n\n"
                            "CMake Error at /usr/share/FindX.cmake:230 (message):\n  No X\n"
                            "Call Stack (most recent call first):\n  /usr/share/FindX.cmake:600 (fail)\n"
                            "  CMakeLists.txt:13 (find_package)\n\n\n-- Configuring incomplete, errors occurred!\n"),
            (Lines{"a/CMakeLists.txt:12: Could not find a package of the name MPI.", "CMakeLists.txt:13: No X"}));
  EXPECT_EQ(configureErrors("CMake Error: The source directory \"/x\" does not exist.\n"),
            (Lines{"The source directory \"/x\" does not exist."}));
}

TEST(TrialBuildLog, WithoutAnErrorTheLastLinesStand) {
  EXPECT_EQ(configureErrors("one\ntwo\nthree\nfour\n\n"), (Lines{"two", "three", "four"}));
}

TEST(TrialBuildLog, EachTargetHasItsFirstErrors) {
  auto failures = makeFailures(
      "nvcc -c a.cu\na.cu(3): warning: x\na.cu:4:1: error: unknown type 'foo'\na.cu:5:1: error: more\n"
      "make[2]: *** [CMakeFiles/a.dir/build.make:76: CMakeFiles/a.dir/a.cu.o] Error 1\n"
      "make[2]: Target 'CMakeFiles/a.dir/build' not remade because of errors.\n"
      "make[1]: *** [CMakeFiles/Makefile2:83: CMakeFiles/a.dir/all] Error 2\n"
      "/usr/bin/ld: cannot find -lfoo: No such file or directory\n"
      "make[2]: *** [CMakeFiles/b.dir/build.make:97: b] Error 1\n"
      "make[1]: *** [CMakeFiles/Makefile2:99: CMakeFiles/b.dir/all] Error 2\n"
      "make: *** [Makefile:91: all] Error 2\n");
  ASSERT_EQ(failures.size(), 2u);
  EXPECT_EQ(failures[0].what, "CMakeFiles/a.dir/a.cu.o");
  EXPECT_EQ(failures[0].why, (Lines{"a.cu:4:1: error: unknown type 'foo'", "a.cu:5:1: error: more"}));
  EXPECT_EQ(failures[1].what, "b");
  EXPECT_EQ(failures[1].why, (Lines{"/usr/bin/ld: cannot find -lfoo: No such file or directory"}));
}

TEST(TrialBuildLog, AMissingRuleIsAFailure) {
  auto failures = makeFailures("make: *** No rule to make target 'x.cu', needed by 'x'.  Stop.\n");
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].what, "No rule to make target 'x.cu', needed by 'x'.  Stop.");
}

}  // namespace
}  // namespace unwarp::trial
