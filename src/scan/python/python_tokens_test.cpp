// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Python tokenizer on well-formed, odd and broken texts.
#include "scan/python/python_tokens.h"

#include <gtest/gtest.h>

#include "scan/build/hip_words.h"

namespace unwarp::scan::python {
namespace {

/// Lines as "indent:tok tok", joined by " / "; guarded ones end in "!".
std::string show(std::string_view text) {
  const PyFile file = tokenizePython(text);
  std::string out;
  for (const PyLine& line : file.lines) {
    if (!out.empty()) out += " / ";
    out += std::to_string(line.indent) + ":";
    for (std::uint32_t i = line.first; i < line.last; ++i) (out += ' ') += file.at(i);
    if (line.guarded) out += "!";
  }
  return out;
}

TEST(PythonTokens, JoinsLinesInBracketsAndBehindBackslashes) {
  EXPECT_EQ(show("f(a,\n  b)\nx = 1 + \\\n  2\n"), "0: f ( a , b ) / 0: x = 1 + 2");
}

TEST(PythonTokens, DropsCommentsButKeepsHashesInStrings) {
  EXPECT_EQ(show("# torch.cuda\nx = '# no' # y\n"), "0: x = '# no'");
}

TEST(PythonTokens, TakesStringsOfAllKindsWhole) {
  EXPECT_EQ(show("a = r'\\d' + b\"x\" + '''p\nq''' + Rb'z'"), "0: a = r'\\d' + b\"x\" + '''p\nq''' + Rb'z'");
}

TEST(PythonTokens, ReadsExpressionsInsideFormattedStrings) {
  EXPECT_EQ(show("p(f\"{torch.cuda.x()} {y!r:>{w}} {{no}}\")"),
            "0: p ( f\"{torch.cuda.x()} {y!r:>{w}} {{no}}\" ) / 0: torch . cuda . x ( ) / 0: y ! r : > { w }");
}

TEST(PythonTokens, AcceptsTheSameQuotesInsideAFormattedString) {
  EXPECT_EQ(show("f\"{d[\"k\"]}\" + z"), "0: f\"{d[\"k\"]}\" + z / 0: d [ \"k\" ]");
}

TEST(PythonTokens, EndsUnterminatedStringsAtTheLine) {
  EXPECT_EQ(show("x = 'abc\ny = f\"{z\nw"), "0: x = 'abc / 0: y = f\"{z / 0: w");
}

TEST(PythonTokens, CountsIndentationAndSplitsAtSemicolons) {
  EXPECT_EQ(show("if a:\n\tb; c\n"), "0: if a : / 8: b / 8: c");
}

TEST(PythonTokens, TheBlockBehindAColonIsALineOfItsOwn) {
  EXPECT_EQ(show("try: import a\nexcept E: b; c\nelse: d # e\nf\n"),
            "0: try : / 1: import a / 0: except E : / 1: b / 1: c / 0: else : / 1: d / 0: f");
  EXPECT_EQ(show("  for x in y[1:2]: f(lambda: 0)\n  while lambda: 0: g\n"),
            "2: for x in y [ 1 : 2 ] : / 3: f ( lambda : 0 ) / 2: while lambda : 0 : / 3: g");
  EXPECT_EQ(show("with a: \\\n  b\nx: int = 3\nc = {1: 2}; d: e = f\nif (g := h): i\n"),
            "0: with a : / 1: b / 0: x : int = 3 / 0: c = { 1 : 2 } / 0: d : e = f / 0: if ( g := h ) : / 1: i");
  EXPECT_EQ(show("match x:\n  case 1: a\n  case _: b\ncase: int = 1\n"),
            "0: match x : / 2: case 1 : / 3: a / 2: case _ : / 3: b / 0: case : int = 1");
  EXPECT_EQ(show("if is_hip(): a\nelse: b\nc"), "0: if is_hip ( ) :! / 1: a! / 0: else :! / 1: b! / 0: c");
}

TEST(PythonTokens, GuardsWholeChainsThatAskForHip) {
  EXPECT_EQ(show("if torch.version.hip:\n  a\nelif b:\n  c\nelse:\n  d\ne\n"),
            "0: if torch . version . hip :! / 2: a! / 0: elif b :! / 2: c! / 0: else :! / 2: d! / 0: e");
}

TEST(PythonTokens, GuardsTheFirstBranchWhenALaterOneIsHip) {
  EXPECT_EQ(show("if is_cuda:\n  a\nelif is_rocm():\n  b\nif ship:\n  c\n"),
            "0: if is_cuda :! / 2: a! / 0: elif is_rocm ( ) :! / 2: b! / 0: if ship : / 2: c");
}

TEST(PythonTokens, GuardsWhatAMarkLeavesOutByPlatform) {
  EXPECT_EQ(
      show("@pytest.mark.skipif(is_hip(), reason='')\n@other\ndef test_a():\n  b\nc\n"),
      "0: @ pytest . mark . skipif ( is_hip ( ) , reason = '' )! / 0: @ other! / 0: def test_a ( ) :! / 2: b! / 0: c");
  EXPECT_EQ(show("@requires_cuda\nclass T:\n  a\n@x\ndef f():\n  b\n"),
            "0: @ requires_cuda! / 0: class T :! / 2: a! / 0: @ x / 0: def f ( ) : / 2: b");
  EXPECT_EQ(show("@skipIf(not is_sm_at_least_89())\ndef f(): a\n"),
            "0: @ skipIf ( not is_sm_at_least_89 ( ) )! / 0: def f ( ) :! / 1: a!");
  EXPECT_EQ(show("class T:\n  pytestmark = skipif(IS_ROCM)\n  def f(): a\nb\n"),
            "0: class T : / 2: pytestmark = skipif ( IS_ROCM )! / 2: def f ( ) :! / 3: a! / 0: b");
  EXPECT_EQ(show("@skipif(not torch.cuda.is_available())\ndef f(): a\n"),
            "0: @ skipif ( not torch . cuda . is_available ( ) ) / 0: def f ( ) : / 1: a");
}

TEST(PythonTokens, GuardsConditionalExpressions) {
  EXPECT_EQ(show("x = a if IS_HIP else b"), "0: x = a if IS_HIP else b!");
}

TEST(PythonTokens, SurvivesHostileTexts) {
  tokenizePython(std::string(200000, '('));
  tokenizePython(std::string(200000, ')'));
  std::string nested;
  for (int i = 0; i < 50000; ++i) nested += "f'{";
  tokenizePython(nested);
  std::string triples;
  for (int i = 0; i < 20000; ++i) triples += "f\"\"\"{\n";
  tokenizePython(triples);
  tokenizePython(std::string("x = '\\", 6));
  tokenizePython(std::string("\0\xff\xfe'''", 6));
}

TEST(PythonTokens, DecodesStringValues) {
  EXPECT_EQ(stringValue("'a\\n\\'b'"), "a\n'b");
  EXPECT_EQ(stringValue("r\"\"\"a\\n\"\"\""), "a\\n");
  EXPECT_EQ(stringValue("'open"), "open");
}

TEST(HipWords, KnowsWordsNotLetters) {
  for (std::string_view word :
       {"hip", "is_hip", "IS_HIP_EXTENSION", "USE_ROCM", "isRocm", "HIP_FOUND", "hipcc", "GGML_HIPBLAS"})
    EXPECT_TRUE(build::isHipWord(word)) << word;
  for (std::string_view word : {"ship", "chip", "relationship", "whip_x", "hipster", "", "_"})
    EXPECT_FALSE(build::isHipWord(word)) << word;
}

}  // namespace
}  // namespace unwarp::scan::python
