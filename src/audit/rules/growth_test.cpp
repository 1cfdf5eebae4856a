// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine-made files: one function with tens of thousands of equal lines, of each kind that rules look at from a
// distance. Work that grows with the square of the lines takes minutes on them, so a generous limit tells the two
// apart.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "audit/audit.h"
#include "audit/rules/detector.h"
#include "audit/rules/warp_model.h"
#include "source_fixture.h"

namespace unwarp::audit {

namespace {

struct Shape {
  std::string_view name, head, line, tail;  ///< `@` in the line stands for its number
  std::string_view closer = {};             ///< stands once per line before the tail: the lines nest
  std::string_view between = {};            ///< stands before the first of them
};

constexpr std::string_view kernel =
    "__global__ void k(const int* x, int* y, int n) {\n  int lane = threadIdx.x & 31;\n";

constexpr Shape shapes[] = {
    {"a vote into a variable of its own", kernel, "  unsigned m@ = __ballot_sync(0xffffffff, x[@] > 0);\n", "}\n"},
    {"a vote into one variable", kernel, "  m = __ballot_sync(FULL, x[@] > 0);\n", "}\n"},
    {"a counted vote", kernel, "  unsigned m@ = __ballot_sync(~0, x[@]); y[@] = __popc(m@);\n", "}\n"},
    {"an atomic by a counted vote", kernel,
     "  unsigned m@ = __ballot_sync(~0, x[@]); if (lane == 0) atomicAdd(y, __popc(m@));\n", "}\n"},
    {"a shift by the lane", kernel, "  y[@] = __shfl_sync(FULL, v, 0) + (1u << lane);\n", "}\n"},
    {"a shuffle behind an exit", kernel,
     "  if (n == @) return;\n  __syncthreads(); v += __shfl_down_sync(0xffffffff, v, 16);\n", "}\n"},
    {"a shuffle under a condition", kernel, "  if (lane < @) v += __shfl_down_sync(0xffffffff, v, 16);\n", "}\n"},
    {"votes of one warp", "__global__ void k(const int* x) {\n if (threadIdx.x < 32) {\n",
     "  unsigned m@ = __ballot_sync(0xffffffff, x[threadIdx.x]);\n", "}}\n"},
    {"an assignment to thousands", kernel, " a@ =", " 0; }\n"},
    {"a fence", "__global__ void k() {\n  __shared__ int s[64]; int lane = threadIdx.x & 31;\n",
     "  s[lane] = @; __threadfence_block(); v += s[lane + 1];\n", "}\n"},
    {"a width constant per function", "",
     "__device__ int f@() { const int warpSize = 32; return threadIdx.x % warpSize + __popc(__ballot_sync(~0, 1)); }\n",
     ""},
    {"a shared array per kernel", "",
     "__global__ void f@(int* x) { __shared__ int s@[32]; s@[threadIdx.x / 32] = __shfl_sync(~0, x[0], 2); }\n", ""},
    {"a launch",
     "__global__ void k(int* x, int n) { int i = threadIdx.y; x[i] = __ballot(n); }\nvoid f(int n) {\n dim3 b;\n",
     "  int g@ = threads / 32; k<<<g@, b>>>(x, n / 32);\n", "}\n"},
    {"guards of architectures inside each other", "__global__ void k() {\n",
     "#if __CUDA_ARCH__ >= @\n __syncwarp();\n#else\n", "}\n", "#endif\n"},
    {"empty guards inside each other", "__global__ void k() {\n", "#ifdef __CUDA_ARCH__\n#else\n", "}\n", "#endif\n"},
    {"guards of the compiler inside each other", "#include <cuda_runtime.h>\n",
     "#ifdef __CUDACC__\n__device__ int x@;\n", "", "#endif\n"},
    {"a launch by configuration",
     "void f(int n) {\n cudaLaunchConfig_t c = {};\n a.id = cudaLaunchAttributeCooperative;\n",
     "  c.gridDim = n * @; a.val.cooperative = 1; cudaLaunchKernelEx(&c, k, n);\n", "}\n"},
    {"a callback by name", "void f(cudaStream_t s) {\n",
     "  auto f@ = [](void* p) { cudaFree(p); }; cudaLaunchHostFunc(s, f@, 0);\n", "}\n"},
    {"a lane by a constant", "constexpr int W = 32;\n",
     "__device__ int f@(int v) { return threadIdx.x % W + (threadIdx.x & (W - 1)) + __shfl_sync(~0, v, 0); }\n", ""},
    {"an elapsed time", "void f() {\n", "  cudaEventElapsedTime(&t, a, b); if (t < best) best = t;\n", "}\n"},
    {"an active mask read in every block", "__device__ int f(int v) {\n",
     " if (threadIdx.x < 3) { for (int i = 0; i < 64; ++i) v += __shfl_sync(m, v, i); unsigned m = __activemask();\n",
     "}\n", "}"},
    {"a masked shuffle in every block", "__device__ int f(int v) {\n  unsigned m = __activemask();\n",
     " if (threadIdx.x < 16 || v > @) { v += __shfl_sync(0xffff, v, 1) + __shfl_sync(m, v, 2);\n", "}\n", "}"},
    {"a mask under nested conditional expressions", "__device__ int f(int v) {\n  return ",
     "threadIdx.x < 16 ? __shfl_sync(0xffff, v, 1) :\n", " v; }\n"},
    {"masked shuffles under one long condition", "__device__ int f(int v) {\n  if (v == 0", " || v == @\n", "}}\n",
     " v += __shfl_sync(0xffff, v, 1) + __shfl_sync(~0, v, 2); m = __activemask(); v += __shfl_sync(m, v, 2);\n",
     ") {"},
    {"a masked shuffle as an argument", "__device__ int f(int v) {\n  g(", "v, __shfl_sync(0xffff, v, 1),\n",
     " v); }\n"},
};

std::string textOf(const Shape& shape, int lines) {
  std::string text(shape.head);
  for (int i = 0; i < lines; ++i) {
    for (char c : shape.line) {
      if (c == '@')
        text += std::to_string(i);
      else
        text += c;
    }
  }
  text += shape.between;
  for (int i = 0; i < lines; ++i) text += shape.closer;
  return text + std::string(shape.tail);
}

}  // namespace

TEST(RuleGrowth, TimeGrowsWithTheLinesOfAFunction) {
  auto knowledge = knowledge::Knowledge::load("");
  ASSERT_TRUE(knowledge) << knowledge.error();
  for (const Shape& shape : shapes) {
    std::string text = textOf(shape, 25'000);
    auto start = std::chrono::steady_clock::now();
    auditText(**knowledge, "a.cu", text);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 20) << shape.name;
  }
}

TEST(RuleGrowth, ASiteIsReportedOnceByARule) {
  for (const Shape& shape : shapes) {
    std::string text = textOf(shape, 1000);
    scan::SourceFacts facts = scan::testing::factsOf(text);
    patterns::WarpModel model(facts);
    for (auto detectors : {warpWidthDetectors, laneMaskDetectors, shuffleDetectors, synchronyDetectors, groupDetectors,
                           launchDetectors, assemblyDetectors, runtimeDetectors, numericsDetectors, libraryDetectors}) {
      for (const Detector& detector : detectors()) {
        Hits hits;
        detector.overWarps != nullptr ? detector.overWarps(model, hits) : detector.overTokens(facts, hits);
        EXPECT_LE(hits.all().size(), 4'000u) << detector.rule << ": " << shape.name;
      }
    }
  }
}

}  // namespace unwarp::audit
