// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/toml_text.h"

#include <gtest/gtest.h>

namespace unwarp {
namespace {

TEST(TomlText, charactersInStringsAndCommentsAreNoneOfItsBusiness) {
  EXPECT_EQ(lineOfForeignCharacter("# é\na = \"é\" # é\nb = 'é'\n"), 0u);
  EXPECT_EQ(lineOfForeignCharacter("a = \"\"\"é\n\"é\"\" é\\\"\"\"\"\nb = '''é''''' # é\n"), 0u);
  EXPECT_EQ(lineOfForeignCharacter("\xEF\xBB\xBF"
                                   "a = 1\n"),
            0u);
  EXPECT_EQ(lineOfForeignCharacter(""), 0u);
}

TEST(TomlText, charactersOutsideAreFoundWithTheirLine) {
  EXPECT_EQ(lineOfForeignCharacter("é = 1\n"), 1u);
  EXPECT_EQ(lineOfForeignCharacter("a = 1\nb = \"x\" Ǩ\n"), 2u);
  EXPECT_EQ(lineOfForeignCharacter("a = \"\"\"x\n\"\"\"\"\" é\n"), 2u);
  EXPECT_EQ(lineOfForeignCharacter("a = \"open\né = 1\n"), 2u);
  EXPECT_EQ(lineOfForeignCharacter("a = \"\" é"), 1u);
}

TEST(TomlText, textThatEndsInTheMiddleEndsThere) {
  for (const char* text : {"\"", "\"\\", "'''", "\"\"\"a\"", "a = '", "#"})
    EXPECT_EQ(lineOfForeignCharacter(text), 0u) << text;
}

}  // namespace
}  // namespace unwarp
