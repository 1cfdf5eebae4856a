// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees as they come: links in circles, pipes, folders that cannot be read, names of any bytes.
#include "scan/walk.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace unwarp::scan {

namespace {

namespace fs = std::filesystem;

class WalkTest : public ::testing::Test {
 protected:
  WalkTest() : root_(::testing::TempDir() + "unwarp-walk-XXXXXX") { EXPECT_NE(mkdtemp(root_.data()), nullptr); }
  ~WalkTest() override {
    std::error_code error;
    fs::remove_all(root_, error);
  }
  void file(const std::string& path, const std::string& text = "x") {
    fs::create_directories(fs::path(root_ + "/" + path).parent_path());
    std::ofstream(root_ + "/" + path) << text;
  }
  std::string reasonFor(const WalkResult& result, const std::string& path) {
    for (const auto& [name, reason] : result.skipped)
      if (name == path) return reason;
    return {};
  }

  std::string root_;
};

using Paths = std::vector<std::string>;

}  // namespace

TEST_F(WalkTest, ListsFilesSortedWithPathsFromTheRoot) {
  file("b/c.cu");
  file("a.cu");
  file("b.cu");
  EXPECT_EQ(walk(root_, {}).files, (Paths{"a.cu", "b.cu", "b/c.cu"}));
  EXPECT_EQ(walk(root_ + "/", {}).files, (Paths{"a.cu", "b.cu", "b/c.cu"}));
  EXPECT_EQ(walk(root_ + "/b/c.cu", {}).files, (Paths{"c.cu"}));
}

TEST_F(WalkTest, LinksAreNamedAndNotFollowed) {
  file("a.cu");
  fs::create_directory_symlink(".", root_ + "/loop");
  fs::create_symlink("a.cu", root_ + "/link.cu");
  fs::create_symlink("nowhere", root_ + "/dead");
  WalkResult result = walk(root_, {});
  EXPECT_EQ(result.files, (Paths{"a.cu"}));
  ASSERT_EQ(result.skipped.size(), 3u);
  EXPECT_EQ(result.skipped[0].second, "symbolic link, not followed");
}

TEST_F(WalkTest, APipeIsNamedAndNeverOpened) {
  ASSERT_EQ(mkfifo((root_ + "/pipe.cu").c_str(), 0600), 0);
  WalkResult result = walk(root_, {});
  EXPECT_TRUE(result.files.empty());
  EXPECT_EQ(reasonFor(result, "pipe.cu"), "named pipe");
  EXPECT_EQ(walk(root_ + "/pipe.cu", {}).skipped.size(), 1u);
}

TEST_F(WalkTest, AFolderThatCannotBeReadIsNamed) {
  file("closed/a.cu");
  file("b.cu");
  fs::permissions(root_, fs::perms::all);
  fs::permissions(root_ + "/closed", fs::perms::none);
  // Root may read everything, so that the walk runs as somebody else in a process of its own.
  auto asNobody = [&] {
    if (geteuid() == 0 && setuid(65534) != 0) _exit(3);
    WalkResult result = walk(root_, {});
    bool named = reasonFor(result, "closed/").starts_with("unreadable folder");
    _exit(named && result.files == Paths{"b.cu"} ? 0 : 1);
  };
  EXPECT_EXIT(asNobody(), ::testing::ExitedWithCode(0), "");
  fs::permissions(root_ + "/closed", fs::perms::owner_all);
}

TEST_F(WalkTest, NamesOfAnyBytesAreKept) {
  std::string name = "bad\xff\xfe\n name.cu";
  file(name);
  EXPECT_EQ(walk(root_, {}).files, (Paths{name}));
}

TEST_F(WalkTest, IgnoreFilesHoldForTheirFolderAndBelow) {
  file(".gitignore", "*.log\n/out/\n");
  file("a.log");
  file("out/x.cu");
  file("sub/out/x.cu");
  file("sub/.gitignore", "!keep.log\n");
  file("sub/keep.log");
  file("sub/lose.log");
  file("sub/.unwarpignore", "*.tmp");
  file("sub/deep/a.tmp");
  WalkResult result = walk(root_, {});
  EXPECT_EQ(result.files, (Paths{".gitignore", "sub/.gitignore", "sub/.unwarpignore", "sub/keep.log", "sub/out/x.cu"}));
  EXPECT_EQ(reasonFor(result, "out/"), "ignored by .gitignore");
  EXPECT_EQ(reasonFor(result, "sub/deep/a.tmp"), "ignored by sub/.unwarpignore");
  WalkOptions all;
  all.useIgnoreFiles = false;
  EXPECT_EQ(walk(root_, all).files.size(), 9u);
}

TEST_F(WalkTest, ExcludesAndVersionControlAreNamed) {
  file(".git/config");
  file("third_party/a/b.cu");
  file("third_party.cu");
  file("x/gen/a.cu");
  WalkOptions options;
  options.exclude = {"third_party/", "**/gen/**"};
  WalkResult result = walk(root_, options);
  EXPECT_EQ(result.files, (Paths{"third_party.cu"}));
  EXPECT_EQ(reasonFor(result, "third_party/"), "excluded by the configuration: third_party/");
  EXPECT_EQ(reasonFor(result, ".git/"), "version control data");
  EXPECT_EQ(reasonFor(result, "x/gen/"), "excluded by the configuration: **/gen/**");
}

TEST_F(WalkTest, DeepTreesNeedNoStack) {
  std::string path = root_;
  for (int i = 0; i < 300; ++i) ASSERT_EQ(mkdir((path += "/d").c_str(), 0700), 0);
  std::ofstream(path + "/a.cu") << "x";
  EXPECT_EQ(walk(root_, {}).files.size(), 1u);
}

}  // namespace unwarp::scan
