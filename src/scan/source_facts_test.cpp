// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brackets, columns, functions, launches, shared arrays, constants: on good text, on text that is broken in the middle,
// and on text made to be slow.
#include "scan/source_facts.h"

#include "source_fixture.h"

namespace unwarp::scan {

using namespace testing;

TEST(SourceFacts, BracketsFindTheirPartners) {
  SourceFacts facts = factsOf("f(a[1], {2}); k<<<1, 2>>>(3);");
  for (TokenIndex t = 0; t < facts.tokens.size(); ++t)
    if (facts.is(t, "(") || facts.is(t, "<<<") || facts.is(t, "[")) EXPECT_EQ(facts.match[facts.match[t]], t);
}

TEST(SourceFacts, AnUnmatchedBracketDoesNotSpoilItsSurroundings) {
  SourceFacts facts = factsOf("{ ( } [ ) ]");
  EXPECT_EQ(facts.match[0], 2u);
  EXPECT_EQ(facts.match[1], noToken);
  EXPECT_EQ(facts.match[3], 5u);
  EXPECT_EQ(facts.match[4], noToken);
}

TEST(SourceFacts, ColumnsCountBytesFromOne) {
  std::string text = "a b\n\n  \"x\\\ny\" c\r\n/* \n */ d";
  SourceFacts facts = factsOf(text);
  for (TokenIndex t = 0; t < facts.tokens.size(); ++t) {
    std::size_t start = text.rfind('\n', facts.tokens[t].offset);
    start = start == std::string::npos ? 0 : start + 1;
    EXPECT_EQ(facts.column(t), facts.tokens[t].offset - start + 1) << facts.at(t);
  }
}

TEST(SourceFacts, FindsKernelsDeviceFunctionsAndLambdas) {
  SourceFacts facts = factsOf(
      "template <class T> __global__ void __launch_bounds__(128, 2) k(T* p) { p[0] = 1; }\n"
      "__device__ int d(int);\n"
      "struct S { S() : a(1), b{2} { init(); } int a, b; };\n"
      "void host() { run([=] __device__ (int i) { use(i); }); }\n");
  ASSERT_EQ(facts.functions.size(), 5u);
  EXPECT_EQ(facts.functions[0].name, "k");
  EXPECT_TRUE(facts.functions[0].isKernel);
  EXPECT_EQ(facts.functions[0].launchBoundsThreads, 128);
  EXPECT_TRUE(facts.functions[0].launchBoundsHasSecond);
  EXPECT_TRUE(facts.functions[1].isDevice && facts.functions[1].body.empty());
  EXPECT_EQ(facts.functions[2].name, "S");
  EXPECT_FALSE(facts.functions[3].isDevice);
  EXPECT_TRUE(facts.functions[4].isDevice);
  EXPECT_TRUE(facts.inDevice(facts.named("use").front()));
}

TEST(SourceFacts, FindsLaunchesWithTemplateArguments) {
  SourceFacts facts = factsOf("void f() { ns::k<float, (3 > 2)><<<dim3(1, 2), 64, 0, s>>>(a, b); }");
  ASSERT_EQ(facts.launches.size(), 1u);
  EXPECT_EQ(facts.at(facts.launches[0].kernel), "k");
  EXPECT_EQ(facts.launches[0].configuration.size(), 4u);
  EXPECT_EQ(facts.launches[0].arguments.size(), 2u);
}

TEST(SourceFacts, FindsSharedArraysWithTheirExtents) {
  SourceFacts facts = factsOf("void f() { __shared__ float a[4][N + 1], b[2]; extern __shared__ char c[]; }");
  ASSERT_EQ(facts.sharedVariables.size(), 3u);
  EXPECT_EQ(facts.sharedVariables[0].extents.size(), 2u);
  EXPECT_TRUE(facts.sharedVariables[2].isExtern);
}

TEST(SourceFacts, ConstantsHaveOneValueOrNone) {
  SourceFacts facts = factsOf(
      "#define A 0x20u\n#define F(x) 3\nconstexpr int B = A * 2 - 1;\nenum { C = 1 << 4, D };\n"
      "#ifdef X\n#define E 1\n#else\n#define E 2\n#endif\nint notConst = 9;\nconst int G = sizeof(float4) / 2;\n");
  EXPECT_EQ(facts.constants.at("A"), 32);
  EXPECT_EQ(facts.constants.at("B"), 63);
  EXPECT_EQ(facts.constants.at("C"), 16);
  EXPECT_EQ(facts.constants.at("G"), 8);
  for (std::string_view name : {"E", "F", "D", "notConst"}) EXPECT_FALSE(facts.constants.contains(name)) << name;
}

TEST(SourceFacts, ArithmeticThatHasNoValueHasNone) {
  for (std::string_view expression :
       {"1 / 0", "1 % 0", "9223372036854775807 + 1", "1 << 63", "-9223372036854775807 - 2", "1 +", "(1", "1 2", "",
        "4611686018427387904 * 4", "0x", "1.5f"}) {
    std::string text = "x = " + std::string(expression);
    SourceFacts facts = factsOf(text);
    EXPECT_EQ(facts.evaluate({2, static_cast<TokenIndex>(facts.tokens.size())}), std::nullopt) << expression;
  }
  SourceFacts facts = factsOf("x = ~0 & 0b1100 | (unsigned) 'a' * 0");
  EXPECT_EQ(facts.evaluate({2, 6}), 12);
}

TEST(SourceFacts, StatementsReachFromStopToStop) {
  SourceFacts facts = factsOf("a; b c d; { e }");
  TokenRange range = facts.statement(3);
  EXPECT_EQ(facts.textOf(range), "b c d");
  EXPECT_EQ(facts.textOf(facts.statement(0)), "a");
  EXPECT_EQ(facts.textOf(facts.statement(7)), "e");
}

TEST(SourceFacts, TimeGrowsWithTheText) {
  constexpr std::size_t many = 100'000;
  const std::string texts[] = {
      repeated("(", many) + repeated("]", many),
      repeated("{", many) + repeated(")", many) + repeated("}", many),
      repeated("(", many) + repeated(")", many),
      repeated("#if A\n", many),
      repeated("#ifdef USE_ROCM\n", many) + "x\n" + repeated("#endif\n", many),
      repeated("#if A\n#ifdef USE_ROCM\nx\n#else\n", many),
      "#if A\n" + repeated("#elif B\nx\n", many) + "#endif\n",
      "#if " + repeated("(", many) + "1" + repeated(")", many) + "\nx\n#endif\n",
      "#if " + repeated("!", many) + "1\nx\n#endif\n",
      repeated("__shared__ float a[2], ", many),
      repeated("f(a): ", many),
      "void f() { " + repeated("__device__ ", many) + " }",
      "void f() { " + repeated("k<<<", many) + repeated(">>>()", many) + " }",
      repeated("f<", many),
      repeated("const int a = ", many),
      repeated("cudaMalloc(p); ", many),
      repeated("using namespace cub; ", many) + repeated("x ", many),
      repeated("namespace a = cub; a::b::", many),
      repeated("asm(x ", many),
      "__device__ void f() { asm(\"" + repeated("@p mma.sync.x; ", many) + "\"); }",
  };
  for (const std::string& text : texts)
    EXPECT_LT(secondsOf([&] { sites(text); }), generousSeconds) << text.substr(0, 60);
}

TEST(SourceFacts, AConstantOfABlockIsKnownInThatBlockOnly) {
  SourceFacts facts = factsOf(
      "constexpr int kTile = 8;\n"
      "void a() { const int mask = 0x1ff; use(mask); { const int mask = 7; inner(mask); } outer(mask); }\n"
      "void b() { const int mask = FULL; hidden(mask); }\n"
      "template <int N> void c() { absent(N); const int kTile = 16; shadowed(kTile); }\n"
      "void d() { const int N = 4; file(kTile); }\n"
      "void e() {\n#if NARROW\n const int w = 32;\n#else\n const int w = 64;\n#endif\n either(w); }\n");
  auto argument = [&](std::string_view call) {
    TokenIndex open = facts.named(call).front() + 1;
    return facts.evaluate({open + 1, facts.match[open]});
  };
  EXPECT_EQ(argument("use"), 0x1ff);
  EXPECT_EQ(argument("inner"), 7);
  EXPECT_EQ(argument("outer"), 0x1ff);
  EXPECT_EQ(argument("hidden"), std::nullopt);
  EXPECT_EQ(argument("absent"), std::nullopt);
  EXPECT_EQ(argument("shadowed"), 16);
  EXPECT_EQ(argument("file"), 8);
  EXPECT_EQ(argument("either"), std::nullopt);
}

TEST(SourceFacts, WhatTheHipArmSaysCountsBesideTheOtherArm) {
  SourceFacts facts = factsOf(
      "#ifdef USE_ROCM\n#define WIDTH (warpSize)\n#define SAME 32\n#define OTHER 64\n#else\n"
      "#define WIDTH 32\n#define SAME 32\n#define OTHER 32\n#endif\n");
  EXPECT_FALSE(facts.constants.contains("WIDTH"));
  EXPECT_EQ(facts.constants["SAME"], 32);
  EXPECT_EQ(facts.constants["OTHER"], 64);
}

}  // namespace unwarp::scan
