// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ignore files by git's meaning: a table of cases whose answers are git's own, and the same table put to git where it
// is installed.
#include "scan/ignore.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

namespace unwarp::scan {

namespace {

struct Case {
  std::string_view patterns, path;
  bool ignored;
};

constexpr Case cases[] = {
    {"*.o", "a.o", true},
    {"*.o", "b/c/a.o", true},
    {"*.o", "a.ob", false},
    {"/a", "a", true},
    {"/a", "b/a", false},
    {"b/a", "b/a", true},
    {"b/a", "c/b/a", false},
    {"a/*", "a/b", true},
    {"a/*.c", "a/b/x.c", false},
    {"**/x", "x", true},
    {"**/x", "a/b/x", true},
    {"a/**", "a/b/c", true},
    {"a/**/z", "a/z", true},
    {"a/**/z", "a/b/c/z", true},
    {"a/**/z", "ba/z", false},
    {"a**z", "abcz", true},
    {"a**z", "a/z", false},
    {"*.py[cod]", "m.pyc", true},
    {"*.py[cod]", "m.py", false},
    {"[Bb]in", "Bin", true},
    {"[!a-c]x", "dx", true},
    {"[!a-c]x", "bx", false},
    {"[^a-c]x", "bx", false},
    {"[]x]y", "]y", true},
    {"[[:digit:]]*", "7up", true},
    {"[[:digit:]]*", "up", false},
    {"[a", "a", false},
    {"?.c", "a.c", true},
    {"?.c", "ab.c", false},
    {"a?c", "a/c", false},
    {"\\#x", "#x", true},
    {"#x", "#x", false},
    {"\\!x", "!x", true},
    {"\\*", "*", true},
    {"\\*", "a", false},
    {"a ", "a", true},
    {"a\\ ", "a ", true},
    {"a\t", "a", false},
    {"*.c\n!keep.c", "keep.c", false},
    {"!keep.c\n*.c", "keep.c", true},
    {"*.c\r\n", "a.c", true},
    {"\xef\xbb\xbf*.c", "a.c", true},
    {"/", "a", false},
    {"", "a", false},
    {"a/", "a", false},  // a file of that name
    {"*", ".hidden", true},
    {"foo/*\n!foo/bar", "foo/bar", false},
};

bool decides(const Case& c) {
  IgnoreList list;
  list.add(c.patterns, ".gitignore");
  std::string_view file;
  // As a walk does it: a folder that is ignored is not entered.
  for (std::size_t slash = c.path.find('/'); slash != std::string_view::npos; slash = c.path.find('/', slash + 1))
    if (list.decide(c.path.substr(0, slash), true, file) > 0) return true;
  return list.decide(c.path, false, file) > 0;
}

}  // namespace

TEST(IgnoreList, DecidesAsGitDoes) {
  for (const Case& c : cases) EXPECT_EQ(decides(c), c.ignored) << c.patterns << " on " << c.path;
}

TEST(IgnoreList, FolderPatternsMeanFolders) {
  IgnoreList list;
  list.add("build/\n", "f");
  std::string_view file;
  EXPECT_EQ(list.decide("build", true, file), 1);
  EXPECT_EQ(file, "f");
  EXPECT_EQ(list.decide("a/build", true, file), 1);
  EXPECT_EQ(list.decide("build", false, file), 0);
}

TEST(IgnoreList, TheTableAgreesWithGit) {
  if (std::system("git --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no git here";
  std::string root = ::testing::TempDir() + "unwarp-ignore-XXXXXX";
  ASSERT_NE(mkdtemp(root.data()), nullptr);
  ASSERT_EQ(std::system(("git init -q " + root).c_str()), 0);
  for (const Case& c : cases) {
    std::ofstream(root + "/.gitignore", std::ios::binary) << c.patterns;
    std::ofstream(root + "/asked", std::ios::binary) << c.path << '\0';
    std::string ask =
        "cd " + root + " && git -c core.excludesFile= check-ignore -q -z --stdin --no-index < asked > /dev/null";
    EXPECT_EQ(std::system(ask.c_str()) == 0, c.ignored) << c.patterns << " on " << c.path;
  }
  std::filesystem::remove_all(root);
}

TEST(IgnoreList, PatternsThatAreNoneAreNamed) {
  for (std::string_view glob : {"[", "a/[x", "[!", "[]", "[[:digit:]", "[a/b]", "a[b-", "x\\", "a\\/b", ""})
    EXPECT_FALSE(globFault(glob).empty()) << glob;
  for (std::string_view glob : {"[]]", "[!]a]", "[[:digit:]]", "\\[", "a[\\]]", "**/x", "]", "a]b", "x\\\\"})
    EXPECT_TRUE(globFault(glob).empty()) << glob;
  IgnoreList list;
  const std::vector<BadPattern> bad = list.add("*.o\n# [\n!/a[b/\n", ".unwarpignore");
  ASSERT_EQ(bad.size(), 1u);
  EXPECT_EQ(bad[0].line, 3u);
  EXPECT_EQ(bad[0].glob, "a[b");
}

}  // namespace unwarp::scan
