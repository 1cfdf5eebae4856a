// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lexer promises on good and on hostile text: spellings, lines, recovery, and time that grows with the text.
#include "scan/lexer.h"

#include <algorithm>

#include "source_fixture.h"

namespace unwarp::scan {

using namespace testing;

TEST(Lexer, SplitsCodeIntoTokens) {
  EXPECT_EQ(spellings("a+=b->c::d[0x1Fu]; // end"), "a += b -> c :: d [ 0x1Fu ] ;");
  EXPECT_EQ(spellings("1'000'000 1.5e-3f .5f 0x1p-3 0xe+1"), "1'000'000 1.5e-3f .5f 0x1p-3 0xe + 1");
  EXPECT_EQ(spellings("u8\"x\" L'y' R\"(a \" b)\" uR\"--()-\" )--\""), "u8\"x\" L'y' R\"(a \" b)\" uR\"--()-\" )--\"");
}

TEST(Lexer, LaunchBracketsAreTokensOnlyWhileOneIsOpen) {
  EXPECT_EQ(spellings("k<<<1, 2>>>(a)"), "k <<< 1 , 2 >>> ( a )");
  EXPECT_EQ(spellings("A<B<C<int>>> x;"), "A < B < C < int >> > x ;");
  EXPECT_EQ(spellings("k<<<1; A<B<C<int>>> x;"), "k <<< 1 ; A < B < C < int >> > x ;");
}

TEST(Lexer, AMergeConflictMarkIsNoLaunch) {
  EXPECT_EQ(spellings("<<<<<<< ours\n>>>>>>> theirs"), "<<<<<<< ours >> >> >> > theirs");
}

TEST(Lexer, CommentsVanishAndLinesStayRight) {
  LexedFile file = lexed("a /* 1\n2 */ b // c \\\n still\nd");
  ASSERT_EQ(file.tokens.size(), 3u);
  EXPECT_EQ(file.tokens[1].line, 2u);
  EXPECT_EQ(file.tokens[2].line, 4u);
}

TEST(Lexer, NamesThatASpliceDividesAreMadeWhole) {
  EXPECT_FALSE(lexed("cudaMalloc\\\n(p); #define a \\\n b").splitsNames);
  EXPECT_TRUE(lexed("cuda\\\nMalloc(p)").splitsNames);
  EXPECT_TRUE(lexed("cuda\\\r\nMalloc(p)").splitsNames);
  EXPECT_EQ(withWholeNames("cu\\\nda\\\r\nFree(p)\nx"), "cudaFree\\\n\\\r\n(p)\nx");
  EXPECT_EQ(withWholeNames("a \\\nb; c\\\n\\\n d\\\n"), "a \\\nb; c\\\n\\\n d\\\n");
  EXPECT_EQ(withWholeNames("#def\\\nine x\\\n"), "#define\\\n x\\\n");
}

TEST(Lexer, UnterminatedTextEndsWhereItMust) {
  EXPECT_EQ(spellings("\"abc\nx"), "\"abc x");
  EXPECT_EQ(spellings("'ab\nx"), "'ab x");
  EXPECT_TRUE(lexed("a /* b").unterminated());
  EXPECT_TRUE(lexed("R\"(b").unterminated());
  EXPECT_FALSE(lexed("R\"b").unterminated());
  EXPECT_FALSE(lexed("// b").unterminated());
  for (std::string_view text : {"\"", "'", "\\", "\"\\", "/", "/*", "//", "R\"", "R\"(", "#", "#include", "#include <",
                                "#include \"", "<", "<<", "0x", "1'", "u8", "\xef\xbb\xbf"})
    lexed(text);
}

TEST(Lexer, AByteOrderMarkIsNoToken) {
  EXPECT_EQ(lexed("\xef\xbb\xbf#include <cuda_runtime.h>").directives.size(), 1u);
}

TEST(Lexer, NulsAndLineEndsSeparateTokens) {
  // A sparse gigabyte under a source's name must not become a gigabyte of tokens.
  EXPECT_EQ(lexed(std::string_view("a\0b\0\0", 5)).tokens.size(), 2u);
  EXPECT_EQ(spellings("a\r\nb\r\n"), "a b");
}

TEST(Lexer, DirectivesEndWithTheirLineUnlessSpliced) {
  std::string text = "#define A \\\r\n  B \\\n  C\nx\n  # /* c */ ifdef D\r\n#";
  LexedFile file = lexed(text);
  ASSERT_EQ(file.directives.size(), 3u);
  EXPECT_EQ(file.directives[0].name, "define");
  EXPECT_EQ(file.directives[0].last - file.directives[0].first, 5u);
  EXPECT_EQ(file.directives[1].name, "ifdef");
  EXPECT_EQ(file.directives[1].line, 5u);
  EXPECT_EQ(file.directives[2].name, "");
}

TEST(Lexer, TheHeaderPathIsOneTokenWhereverItStands) {
  for (std::string_view text : {"#include <a/b.h>", "#  include \"a/b.h\"", "#include /* why */ <a/b.h>",
                                "#include \\\n<a/b.h>", "#include <a/b.h>\r\n", "#import <a/b.h>"}) {
    LexedFile file = lexed(text);
    ASSERT_GE(file.tokens.size(), 3u) << text;
    EXPECT_EQ(file.tokens[2].kind, TokenKind::HeaderName) << text;
    EXPECT_EQ(text.substr(file.tokens[2].offset, file.tokens[2].length), "a/b.h");
  }
  EXPECT_EQ(lexed("#include HEADER <x>").tokens[3].kind, TokenKind::Punctuation);
  EXPECT_EQ(lexed("#define include \"x\"").tokens[3].kind, TokenKind::String);
}

TEST(Lexer, RemembersCommentsWithAMark) {
  EXPECT_EQ(lexed("// unwarp: ignore[W01] x\n\"unwarp: y\" /* a: unwarp: z */ // unwrap: no").markedComments.size(),
            2u);
}

TEST(Lexer, KnowsApiNamesAndHeaders) {
  LexedFile file = lexed("#include <cuda_runtime.h>\ncudaMalloc cudaMallocX");
  EXPECT_NE(file.tokens[2].api, knowledge::Knowledge::none);
  EXPECT_NE(file.tokens[3].api, knowledge::Knowledge::none);
  EXPECT_EQ(file.tokens[4].api, knowledge::Knowledge::none);
}

TEST(Lexer, TimeGrowsWithTheText) {
  for (std::string_view piece :
       {"R\"a(", "/*", "\"", "'", "\\\n", "//\\\n", "<", ">", "<<<", "1'", "#", "u8R\"", ")\""}) {
    std::string text = repeated(piece, 2'000'000 / piece.size());
    EXPECT_LT(secondsOf([&] { lexed(text); }), generousSeconds) << piece;
  }
  std::string line = repeated("x + ", 2'500'000);  // 10 MB without a line break
  EXPECT_EQ(lexed(line).tokens.size(), 5'000'000u);
}

}  // namespace unwarp::scan
