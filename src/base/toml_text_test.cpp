// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/toml_text.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace unwarp {
namespace {

TEST(TomlText, whatGoesInComesOut) {
  std::string every;
  for (const char* character : {"a", "\n", "\x7F", "é", "Ǩ", "؏", "\u2028", "\uE0A9", "\uFEFF", "😀"})
    every += character;
  auto shielded = shieldToml(every);
  ASSERT_TRUE(shielded);
  EXPECT_EQ(unshieldToml(*shielded), every);
}

TEST(TomlText, shieldedTextIsUtf8AndHoldsNoOtherCharacters) {
  std::string shielded = shieldToml("é = \"Ǩ\"\n").value_or("");
  EXPECT_EQ(shielded, "\uE0C3\uE0A9 = \"\uE0C7\uE0A8\"\n");
  EXPECT_EQ(toValidUtf8(shielded), shielded);
}

TEST(TomlText, asciiStaysAsItIs) {
  EXPECT_EQ(shieldToml("a = [\"b\", 1]\n"), "a = [\"b\", 1]\n");
  EXPECT_EQ(shieldToml(""), "");
}

TEST(TomlText, invalidUtf8IsRefused) {
  EXPECT_FALSE(shieldToml("a = \"\xFF\""));
  EXPECT_FALSE(shieldToml("a = \"\xC3"));
}

TEST(TomlText, aCutShieldIsLeftAlone) {
  EXPECT_EQ(unshieldToml("x\xEE\x82"), "x\xEE\x82");
}

}  // namespace
}  // namespace unwarp
