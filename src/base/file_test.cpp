// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that change, are no files, or are written to in odd places.
#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace unwarp {

namespace {

namespace fs = std::filesystem;

class FileTest : public ::testing::Test {
 protected:
  FileTest() : root_(::testing::TempDir() + "unwarp-file-XXXXXX") { EXPECT_NE(mkdtemp(root_.data()), nullptr); }
  ~FileTest() override { fs::remove_all(root_); }
  std::string make(const std::string& name, std::size_t sizeBytes, char fill = 'x') {
    std::string path = root_ + "/" + name;
    std::ofstream(path, std::ios::binary) << std::string(sizeBytes, fill);
    return path;
  }

  std::string root_;
};

std::string contents(const std::string& path) {
  Result<FileBytes> bytes = FileBytes::open(path);
  return bytes ? std::string(bytes->view()) : "?";
}

}  // namespace

TEST_F(FileTest, ReadsSmallAndLargeFiles) {
  for (std::size_t size : {std::size_t(0), std::size_t(1), std::size_t(1) << 20, (std::size_t(17) << 20) + 3}) {
    Result<FileBytes> bytes = FileBytes::open(make("a", size));
    ASSERT_TRUE(bytes);
    EXPECT_EQ(bytes->view(), std::string(size, 'x'));
    EXPECT_FALSE(bytes->torn());
    FileBytes moved = std::move(*bytes);
    EXPECT_EQ(moved.view().size(), size);
  }
}

TEST_F(FileTest, WhatIsNoRegularFileIsRefusedWithoutWaiting) {
  std::string pipe = root_ + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, root_, std::string("/dev/zero"), root_ + "/missing"})
    EXPECT_FALSE(FileBytes::open(path)) << path;
}

TEST_F(FileTest, AFileCutShortWhileInUseReadsAsZeros) {
  std::string path = make("large", std::size_t(32) << 20);
  Result<FileBytes> bytes = FileBytes::open(path);
  ASSERT_TRUE(bytes);
  ASSERT_EQ(truncate(path.c_str(), 5000), 0);
  EXPECT_EQ(bytes->view()[4000], 'x');
  EXPECT_EQ(bytes->view()[20u << 20], '\0');
  EXPECT_EQ(bytes->view().back(), '\0');
  EXPECT_TRUE(bytes->torn());
}

TEST_F(FileTest, AForeignBusErrorStillEndsTheProgram) {
  Result<FileBytes> bytes = FileBytes::open(make("large", std::size_t(17) << 20));
  ASSERT_TRUE(bytes);
  // Killed by the signal, or ended by the sanitizer whose handler was there before ours.
  auto died = [](int status) { return !WIFEXITED(status) || WEXITSTATUS(status) != 0; };
  EXPECT_EXIT(raise(SIGBUS), died, "");
}

TEST_F(FileTest, WritesReplaceAtomically) {
  std::string path = make("out", 3);
  ASSERT_TRUE(writeFileAtomic(path, "new"));
  EXPECT_EQ(contents(path), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(root_), fs::directory_iterator()), 1);
  EXPECT_FALSE(writeFileAtomic(root_ + "/no/such/folder", "x"));
  EXPECT_FALSE(writeFileAtomic(root_, "x"));
}

TEST_F(FileTest, ALinkStaysALink) {
  std::string target = make("target", 3), link = root_ + "/link";
  fs::create_symlink("target", link);
  ASSERT_TRUE(writeFileAtomic(link, "new"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(contents(target), "new");
}

TEST_F(FileTest, SpellingsAndLinksOfOneFileHaveOneWriteTarget) {
  fs::create_directory(root_ + "/folder");
  fs::create_symlink("folder", root_ + "/way");
  fs::create_symlink("folder/new", root_ + "/link");
  fs::create_symlink("loop", root_ + "/loop");
  std::string target = writeTarget(root_ + "/folder/new");
  for (const char* spelling : {"/./folder/new", "/folder/../folder//new", "/way/new", "/link"})
    EXPECT_EQ(writeTarget(root_ + spelling), target) << spelling;
  EXPECT_NE(writeTarget(root_ + "/folder/other"), target);
  ASSERT_TRUE(writeFileAtomic(root_ + "/link", "new"));
  EXPECT_EQ(contents(root_ + "/folder/new"), "new");
  EXPECT_FALSE(writeFileAtomic(root_ + "/loop", "new"));
  EXPECT_EQ(writeTarget("/dev/null"), "");
}

TEST_F(FileTest, APipeIsWrittenToAndNotReplaced) {
  std::string pipe = root_ + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  ASSERT_TRUE(writeFileAtomic(pipe, "new"));
  char buffer[8] = {};
  EXPECT_EQ(read(reader, buffer, sizeof buffer), 3);
  close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(FileTest, LinesAreAppendedWhole) {
  std::string path = root_ + "/history.jsonl";
  ASSERT_TRUE(appendLine(path, "{\"a\":1}"));
  std::ofstream(path, std::ios::app) << "{\"cut";  // a writer that was stopped
  ASSERT_TRUE(appendLine(path, "{\"b\":2}"));
  EXPECT_EQ(contents(path), "{\"a\":1}\n{\"cut\n{\"b\":2}\n");
  EXPECT_FALSE(appendLine(root_, "x"));
}

}  // namespace unwarp
