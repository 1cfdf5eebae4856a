// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole sources: which files count as GPU code, what large ones lose, and what is noted.
#include "source_fixture.h"

namespace unwarp::scan {

using namespace testing;

namespace {

FileFacts read(std::string_view text, std::string_view path = "a.cu") {
  FileFacts facts;
  facts.path = path;
  readSource(ReadContext{sourceKnowledge()}, {path, text}, facts);
  return facts;
}

}  // namespace

TEST(ReadSource, PlainSourcesHaveNoGpuFacts) {
  EXPECT_EQ(read("int main() { return max(1, 2); }", "a.cpp").source, nullptr);
  EXPECT_NE(read("int main() { cudaFree(p); }", "a.cpp").source, nullptr);
  EXPECT_NE(read("#include <hip/hip_runtime.h>", "a.cpp").source, nullptr);
  EXPECT_NE(read("", "a.cu").source, nullptr);
}

TEST(ReadSource, TextThatDoesNotEndIsNoted) {
  EXPECT_EQ(read("cudaFree(p); /* open").notes.size(), 1u);
}

TEST(ReadSource, ANameThatASpliceDividesIsFound) {
  FileFacts facts = read("void f() {\n  cuda\\\nFree(p);\n  cudaMal\\\r\nloc(&p, 1);\n}");
  ASSERT_EQ(facts.apis.size(), 2u);
  EXPECT_EQ(facts.apis[0].line, 2u);
  EXPECT_EQ(facts.apis[0].column, 3u);
  EXPECT_EQ(facts.apis[1].line, 4u);
  ASSERT_NE(facts.sourceText, nullptr);
  EXPECT_FALSE(facts.source->named("cudaFree").empty());
}

TEST(ReadSource, LargeFilesAreReadInPiecesWithTheRightLines) {
  std::string text = repeated("int padding = 1; // twenty bytes more\n", 1'000'000);
  text += "cudaFree(p);\n";
  FileFacts facts = read(text);
  EXPECT_EQ(facts.source, nullptr);
  ASSERT_EQ(facts.apis.size(), 1u);
  EXPECT_EQ(facts.apis[0].line, 1'000'001u);
  EXPECT_EQ(facts.notes.size(), 1u);
}

TEST(ReadSource, ACommentOrRawStringAcrossPiecesHidesItsText) {
  for (auto [begin, end] : {std::pair{"/*", "*/"}, std::pair{"x = R\"t(", ")t\";"}}) {
    FileFacts facts = read(begin + repeated("cudaFree(p);\n", 1'000'000) + end + "\ncudaFree(q);\n");
    ASSERT_EQ(facts.apis.size(), 1u) << begin;
    EXPECT_EQ(facts.apis[0].line, 1'000'002u);
    EXPECT_EQ(facts.notes.size(), 1u);
  }
  FileFacts facts = read("// " + repeated("cudaFree(p); ", 1'000'000) + "\ncudaFree(q);\n");
  ASSERT_EQ(facts.apis.size(), 1u);
  EXPECT_EQ(facts.apis[0].line, 2u);
  EXPECT_EQ(read("/*" + repeated("cudaFree(p);\n", 1'000'000)).notes.size(), 2u);
}

TEST(ReadSource, AHoleOfNulsCostsLittle) {
  std::string text = std::string(std::size_t{100} << 20, '\0') + "\ncudaFree(p);\n";
  FileFacts facts;
  EXPECT_LT(secondsOf([&] { facts = read(text); }), generousSeconds);
  EXPECT_EQ(facts.apis.size(), 1u);
}

TEST(ReadSource, ALongLineCostsNoMoreThanManyShortOnes) {
  std::string text = repeated("cudaFree(p); ", 200'000);
  FileFacts facts;
  EXPECT_LT(secondsOf([&] { facts = read(text); }), generousSeconds);
  EXPECT_EQ(facts.apis.size(), 200'000u);
  EXPECT_EQ(facts.apis.back().column, 13u * 199'999 + 1);
}

TEST(ReadSource, EveryPrefixOfASourceCanBeRead) {
  std::string_view text =
      "#include <cuda_runtime.h>\n#if defined(USE_ROCM) && \\\n !X\nR\"d(x)d\" /* c */ '\\''\n#else\n"
      "template <class T> __global__ void __launch_bounds__(4 * 8) k(T* p) { extern __shared__ float s[N][2]; "
      "asm volatile(\"mma.sync.x %0;\" : : \"r\"(p)); }\n#endif\nusing namespace cub; namespace cg = "
      "cooperative_groups;\n"
      "void f() { k<int><<<dim3(1), cg::x>>>(a[1]); ::cudaFree(p); }";
  for (std::size_t i = 0; i <= text.size(); ++i) read(text.substr(0, i));
  for (std::size_t i = 0; i <= text.size(); ++i) read(text.substr(i));
}

}  // namespace unwarp::scan
