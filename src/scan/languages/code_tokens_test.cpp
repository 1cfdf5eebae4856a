// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strings, characters and comments of each dialect: what is inside them must never become code, nor the other way
// round.
#include "scan/languages/code_tokens.h"

#include <gtest/gtest.h>

#include <string>

namespace unwarp::scan::languages {
namespace {

/// Tokens by blanks, strings in double quotes.
std::string tokens(std::string_view text, CodeDialect dialect) {
  std::string out;
  for (const CodeToken& token : readCodeTokens(text, dialect)) {
    const std::string mark = token.isString() ? "\"" : "";
    out += (out.empty() ? "" : " ") + mark + std::string(token.text) + mark;
  }
  return out;
}

TEST(CodeTokens, StringsOfEachLanguage) {
  EXPECT_EQ(tokens("a := `x\\\n\"` + \"b\\\"c\" // d", CodeDialect::Go), "a : = \"x\\\n\"\" + \"b\\\"c\"");
  EXPECT_EQ(tokens("r#\"a\"b\"# br\"c\\\" b\"d\" r#type", CodeDialect::Rust), "\"a\"b\" \"c\\\" \"d\" r # type");
  EXPECT_EQ(tokens("@\"a\\\" + $@\"b\"\"c\" + \"\"\"d\"e\"\"\"", CodeDialect::CSharp),
            "\"a\\\" + \"b\"\"c\" + \"d\"e\"");
  EXPECT_EQ(tokens("x = \"\"\"\na\n\"\"\"; y", CodeDialect::Java), "x = \"\na\n\" ; y");
}

TEST(CodeTokens, CharactersLifetimesAndComments) {
  EXPECT_EQ(tokens("fn f<'a>(x: &'a str) { '\"' '\\'' '\xc3\xa4' /* a /* b */ c */ d }", CodeDialect::Rust),
            "fn f < a > ( x : & a str ) { d }");
  EXPECT_EQ(tokens("/* a /* b */ c '\"'", CodeDialect::Java), "c");
  EXPECT_EQ(tokens("a::b.c", CodeDialect::Rust), "a :: b . c");
}

TEST(CodeTokens, PlacesAreCounted) {
  const auto found = readCodeTokens("a\n  b /* \n */ c `d\ne` f", CodeDialect::Go);
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(std::pair(found[1].line, found[1].column), std::pair(2u, 3u));
  EXPECT_EQ(std::pair(found[2].line, found[2].column), std::pair(3u, 5u));
  EXPECT_EQ(found[3].line, 3u);
  EXPECT_EQ(std::pair(found[4].line, found[4].column), std::pair(4u, 4u));
}

TEST(CodeTokens, WhatDoesNotEndEndsWithItsLineOrTheFile) {
  EXPECT_EQ(tokens("\"a\nb", CodeDialect::Go), "\"a\" b");
  for (std::string_view text : {"/*", "`", "r#\"", "'", "'\\", "@\"", "\"\"\"", "\"\\"})
    for (CodeDialect dialect : {CodeDialect::Go, CodeDialect::Rust, CodeDialect::CSharp, CodeDialect::Java})
      readCodeTokens(text, dialect);
}

}  // namespace
}  // namespace unwarp::scan::languages
