// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy of a project: what is in it, where its links lead, and that nothing of it remains.
#include "trial/scratch.h"

#include <gtest/gtest.h>

#include <fstream>

namespace unwarp::trial {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

class TrialScratch : public testing::Test {
 protected:
  TrialScratch() : outer(std::move(*Scratch::make())), tree(outer.path() / "tree"), copy(outer.path() / "copy") {
    fs::create_directory(tree);
  }
  Scratch outer;
  fs::path tree, copy;
};

TEST_F(TrialScratch, HoldsTheProjectWithoutVersionControlAndReports) {
  write(tree / "src/a.cu", "a");
  write(tree / ".git/config", "c");
  write(tree / "unwarp-report/result.json", "r");
  auto copied = copyProject(tree, copy, {(tree / "unwarp-report").string()});
  ASSERT_TRUE(copied);
  EXPECT_EQ(copied->files, std::set<fs::path>{copy / "src/a.cu"});
  EXPECT_FALSE(fs::exists(copy / ".git") || fs::exists(copy / "unwarp-report"));
}

TEST_F(TrialScratch, LinksNeverLeadBackIntoTheProject) {
  write(tree / "a.h", "a");
  write(outer.path() / "outside.h", "o");
  fs::create_symlink("a.h", tree / "near.h");
  fs::create_symlink(tree / "a.h", tree / "absolute.h");
  fs::create_symlink("../outside.h", tree / "out.h");
  ASSERT_TRUE(copyProject(tree, copy, {}));
  EXPECT_EQ(fs::canonical(copy / "near.h"), fs::canonical(copy / "a.h"));
  EXPECT_EQ(fs::canonical(copy / "absolute.h"), fs::canonical(copy / "a.h"));
  EXPECT_EQ(fs::canonical(copy / "out.h"), fs::canonical(outer.path() / "outside.h"));
}

TEST_F(TrialScratch, AReadOnlyProjectGivesAWritableCopy) {
  write(tree / "sub/a.cu", "a");
  fs::permissions(tree / "sub/a.cu", fs::perms::owner_read);
  fs::permissions(tree / "sub", fs::perms::owner_read | fs::perms::owner_exec);
  auto copied = copyProject(tree, copy, {});
  fs::permissions(tree / "sub", fs::perms::owner_all);
  ASSERT_TRUE(copied);
  auto writable = [](const fs::path& path) {
    return (fs::status(path).permissions() & fs::perms::owner_write) != fs::perms::none;
  };
  EXPECT_TRUE(writable(copy / "sub") && writable(copy / "sub/a.cu"));
}

TEST_F(TrialScratch, GoesEvenWhenABuildHasLockedAFolder) {
  fs::path path;
  {
    auto scratch = Scratch::make();
    ASSERT_TRUE(scratch);
    path = scratch->path();
    write(path / "locked/deep/file", "x");
    fs::permissions(path / "locked/deep", fs::perms::none);
    fs::permissions(path / "locked", fs::perms::none);
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace unwarp::trial
