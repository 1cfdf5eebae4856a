// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and names as prose shows them.
#include "report/wording.h"

#include <gtest/gtest.h>

namespace unwarp::report {
namespace {

TEST(Wording, GroupsThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(Wording, RoundsNoShareUpToAllNorDownToNothing) {
  EXPECT_EQ(percent(1), "100%");
  EXPECT_EQ(percent(0.99999), "99%");
  EXPECT_EQ(percent(0.29), "29%");
  EXPECT_EQ(percent(0.00001), "<1%");
  EXPECT_EQ(percent(0), "0%");
  EXPECT_EQ(percent(-1), "0%");
}

TEST(Wording, CountsNouns) {
  EXPECT_EQ(counted(1, "site"), "1 site");
  EXPECT_EQ(counted(2000, "site"), "2,000 sites");
  EXPECT_EQ(counted(2, "dependency"), "2 dependencies");
}

TEST(Wording, SpellsOutControlCharacters) {
  EXPECT_EQ(printable("a\x1b[31m\nb\x7f"), "a\\x1b[31m\\x0ab\\x7f");
  EXPECT_EQ(printable("a\xc2\x9b"
                      "1m"),
            "a\\x9b1m");
  EXPECT_EQ(printable("\xe2\x82\xac"), "\xe2\x82\xac");
  EXPECT_EQ(printable("\xff"), "\xef\xbf\xbd");
}

TEST(Wording, ClipsWithoutSplittingACharacter) {
  EXPECT_EQ(clipped("abcdef", 6, "…"), "abcdef");
  EXPECT_EQ(clipped("abcdefg", 6, "…"), "abcde…");
  EXPECT_EQ(clipped("\xc3\xa4\xc3\xa4\xc3\xa4", 2, "…"), "\xc3\xa4…");
  EXPECT_EQ(clippedInFront("\xc3\xa4\xc3\xa4\xc3\xa4", 2, "…"), "…\xc3\xa4");
  EXPECT_EQ(clippedInFront("a/b/c.cu", 6, "..."),
            "...."
            "cu");
  EXPECT_EQ(clipped("abc", 0, "…"), "…");
}

}  // namespace
}  // namespace unwarp::report
