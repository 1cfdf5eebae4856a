// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static shared memory is summed per function; what is not known adds nothing.
#include "audit/rules/shared_memory.h"

#include "source_fixture.h"

namespace unwarp::audit {

namespace {

std::int64_t largestIn(std::string_view text) {
  return largestStaticSharedBytes(scan::testing::factsOf(text));
}

}  // namespace

TEST(StaticSharedMemory, SumsTheArraysOfOneKernel) {
  EXPECT_EQ(1024 * 8 + 64 * 4, largestIn("__global__ void k() {\n"
                                         "  __shared__ double sums[32][32];\n"
                                         "  __shared__ float row[64];\n"
                                         "}\n"));
}

TEST(StaticSharedMemory, IsThatOfTheLargestKernel) {
  EXPECT_EQ(4096, largestIn("__global__ void a() { __shared__ float4 tile[256]; }\n"
                            "__global__ void b() { __shared__ char bytes[100]; }\n"));
}

TEST(StaticSharedMemory, ReadsConstantsOfTheFile) {
  EXPECT_EQ(512, largestIn("constexpr int kTile = 128;\n"
                           "__global__ void a() { __shared__ int tile[kTile]; }\n"));
}

TEST(StaticSharedMemory, IsZeroWhenNothingIsKnown) {
  EXPECT_EQ(0, largestIn("void host() {}\n"));
  EXPECT_EQ(0, largestIn("extern __shared__ float dynamic[];\n"
                         "template <int N> __global__ void a() { __shared__ float tile[N]; }\n"));
}

TEST(StaticSharedMemory, DoesNotOverflow) {
  std::string arrays;
  for (int i = 0; i < 40; ++i) arrays += "__shared__ double a" + std::to_string(i) + "[16777216][16777216];\n";
  EXPECT_LT(0, largestIn("__global__ void a() {\n" + arrays + "}\n"));
}

}  // namespace unwarp::audit
