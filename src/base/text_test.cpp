// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text functions at their edges: empty, hostile, invalid.
#include "base/text.h"

#include <gtest/gtest.h>

#include <chrono>

namespace unwarp {

TEST(Text, GlobsMatchWholeStrings) {
  EXPECT_TRUE(globMatch("", ""));
  EXPECT_TRUE(globMatch("*", ""));
  EXPECT_TRUE(globMatch("a*b?d", "axxbcd"));
  EXPECT_FALSE(globMatch("a*b", "abx"));
  EXPECT_FALSE(globMatch("?", ""));
}

TEST(Text, PathGlobsKeepTheirSegments) {
  EXPECT_TRUE(pathGlobMatch("src/*.cu", "src/a.cu"));
  EXPECT_FALSE(pathGlobMatch("src/*.cu", "src/a/b.cu"));
  EXPECT_TRUE(pathGlobMatch("src/**/*.cu", "src/a.cu"));
  EXPECT_TRUE(pathGlobMatch("src/**/x/**/*.cu", "src/x/y/x/z/a.cu"));
  EXPECT_FALSE(pathGlobMatch("src/**/x/**/y.cu", "src/x"));
  EXPECT_FALSE(pathGlobMatch("a/**", "a"));
  EXPECT_TRUE(pathGlobMatch("**", "a/b"));
  EXPECT_TRUE(pathGlobMatch("a/", "a/"));
  EXPECT_FALSE(pathGlobMatch("a\\", "a"));
  EXPECT_TRUE(pathGlobMatch("[a-c\\]]", "]"));
}

TEST(Text, WorstPatternsStayFast) {
  auto start = std::chrono::steady_clock::now();
  std::string stars, path;
  for (int i = 0; i < 500; ++i) stars += "*a";
  for (int i = 0; i < 2000; ++i) path += "a/";
  std::string segments;
  for (int i = 0; i < 500; ++i) segments += "**/a/";
  EXPECT_FALSE(globMatch(stars + "b", std::string(4000, 'a')));
  EXPECT_FALSE(pathGlobMatch(stars + "b", std::string(4000, 'a')));
  EXPECT_FALSE(pathGlobMatch(segments + "b", path));
  EXPECT_FALSE(pathGlobMatch("[" + std::string(4000, 'a'), "b"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Text, CIntegersOfEveryBase) {
  EXPECT_EQ(parseCInteger("42"), 42);
  EXPECT_EQ(parseCInteger("0xFFull"), 255);
  EXPECT_EQ(parseCInteger("0b101"), 5);
  EXPECT_EQ(parseCInteger("017"), 15);
  EXPECT_EQ(parseCInteger("0"), 0);
  EXPECT_EQ(parseCInteger("1'000'000z"), 1000000);
  for (std::string_view bad : {"", "u", "0x", "0b", "08", "1.5", "1e5", "0xg", "18446744073709551616", "'"})
    EXPECT_EQ(parseCInteger(bad), std::nullopt) << bad;
  EXPECT_EQ(parseCInteger(std::string(1000, '1')), std::nullopt);
}

TEST(Text, DecimalsAreExact) {
  EXPECT_EQ(parseDecimal("-7"), -7);
  for (std::string_view bad : {"", "+1", " 1", "1 ", "1k", "9223372036854775808"})
    EXPECT_EQ(parseDecimal(bad), std::nullopt) << bad;
}

TEST(Text, LinesAreCountedWithAnyEnding) {
  LineReader lines("a\r\n\nb");
  std::string_view line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "a");
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "");
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "b");
  EXPECT_EQ(lines.number(), 3u);
  EXPECT_EQ(lines.offset(), 4u);
  EXPECT_FALSE(lines.next(line));
}

TEST(Text, OutputIsAlwaysValidUtf8) {
  EXPECT_EQ(toValidUtf8("a\xc3\xa9z"), "a\xc3\xa9z");
  constexpr std::string_view replacement = "\xef\xbf\xbd";
  for (std::string_view bad : {"\x80", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xff"})
    EXPECT_TRUE(toValidUtf8(bad).starts_with(replacement));
}

TEST(Text, Utf16BecomesUtf8) {
  const auto decoded = [](std::string_view bytes) { return utf8FromUtf16(bytes).value_or("none"); };
  EXPECT_EQ(decoded(std::string_view("\xff\xfe"
                                     "a\0\xe9\0",
                                     6)),
            "a\xc3\xa9");
  EXPECT_EQ(decoded(std::string_view("\xfe\xff\xd8\x3d\xde\x00", 6)), "\xf0\x9f\x98\x80") << "a pair";
  EXPECT_EQ(decoded(std::string_view("\xfe\xff\xde\x00\xd8\x3d", 6)), "\xef\xbf\xbd\xef\xbf\xbd") << "halves";
  EXPECT_EQ(decoded(std::string_view("i\0n\0t\0;\0", 8)), "int;");
  EXPECT_EQ(decoded(std::string_view("\0i\0n\0t\0;", 8)), "int;");
  for (std::string_view other : {std::string_view("int;"), std::string_view(), std::string_view("a\0", 2),
                                 std::string_view("i\0n\0t\0;\0\0\0", 10), std::string_view("i\0n\0t\0;\0x", 9)})
    EXPECT_EQ(decoded(other), "none");
}

TEST(Text, PathsStayDifferentAndComeBack) {
  EXPECT_EQ(pathText("src/caf\xc3\xa9.cu"), "src/caf\xc3\xa9.cu");
  EXPECT_EQ(pathText("caf\xe9\xff.cu"), "caf\\xe9\\xff.cu");
  EXPECT_EQ(pathText("caf\\xe9"), "caf\\\\xe9") << "a name that spells an escape is another name";
  for (std::string_view name :
       {"", "a/b.cu", "\xe9", "\xff", "\\", "\\xe9", "\\\xe9", "\\\\x", "x\xe2\x82", "\xef\xbf\xbd"}) {
    EXPECT_EQ(pathBytes(pathText(name)), name);
    EXPECT_EQ(toValidUtf8(pathText(name)), pathText(name));
  }
  EXPECT_EQ(pathBytes("\\"), "\\") << "what was never escaped stays as it is";
  EXPECT_EQ(pathBytes("\\xZZ\\x4"), "\\xZZ\\x4");
}

TEST(Text, TheNearestWordIsNear) {
  EXPECT_EQ(nearest("slient", {"silent", "crash"}), "silent");
  EXPECT_EQ(nearest("W99", {"silent"}), "");
  EXPECT_EQ(nearest("", {"a"}), "a");
}

TEST(Text, HashesNeverChange) {
  EXPECT_EQ(stableHash(""), 17058014651485797458ull);
  EXPECT_NE(stableHash("a"), stableHash("a", 1));
}

}  // namespace unwarp
