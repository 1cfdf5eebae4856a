// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static shared memory is summed per function; what is not known adds nothing.
#include "audit/rules/shared_memory.h"

#include "source_fixture.h"

namespace unwarp::audit {

namespace {

std::int64_t largestIn(std::string_view text) {
  return sharedDemand(scan::testing::factsOf(text)).bytes;
}
std::uint32_t unknownsIn(std::string_view text) {
  return sharedDemand(scan::testing::factsOf(text)).unknowns;
}
/// Bytes of one kernel with `declarations` in it, behind `before`.
std::int64_t inKernel(const std::string& declarations, const std::string& before = "") {
  return largestIn(before + "__global__ void k() { " + declarations + " }\n");
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

TEST(StaticSharedMemory, ReadsAttributesAndSpecifiersInAnyOrder) {
  for (const char* declaration :
       {"__shared__ __align__(16) float s[64];", "alignas(16) __shared__ float s[64];",
        "__shared__ alignas(16) float s[64];", "__shared__ static float s[64];", "static __shared__ float s[64];",
        "__shared__ volatile float s[64];", "__shared__ __attribute__((aligned(16))) float s[64];",
        "__shared__ OWN_ALIGN(16) float s[64];", "__align__(16) __shared__ float s[32], t[32];"})
    EXPECT_EQ(256, inKernel(declaration)) << declaration;
}

TEST(StaticSharedMemory, ReadsObjectsVectorsAndSizes) {
  EXPECT_EQ(4, inKernel("__shared__ float total;"));
  EXPECT_EQ(12, inKernel("__shared__ int last, first[2];"));
  EXPECT_EQ(8 * 10, inKernel("__shared__ const float* rows[10];"));
  EXPECT_EQ(16 * 4 * 8, inKernel("__shared__ double2 s[4][8];"));
  EXPECT_EQ(4 * 10 + 3 * 4, inKernel("__shared__ half2 s[10]; __shared__ uchar4 c[3];"));
  EXPECT_EQ(8 * 3, inKernel("__shared__ unsigned long long s[3];"));
  EXPECT_EQ(96, inKernel("__shared__ char s[sizeof(float4) * 6];"));
  EXPECT_EQ(32 * 33 * 4, inKernel("constexpr int P = TILE + 1; __shared__ float s[TILE][P];", "#define TILE 32\n"));
}

TEST(StaticSharedMemory, LaysOutStructsAndUnionsOfTheFile) {
  const std::string types =
      "struct Cell { char tag; double value; int id; };\n"
      "struct __align__(16) Wide { float x; };\n"
      "typedef struct { float re, im; } Pair;\n"
      "using Row = float;\n"
      "#define REAL double\n"
      "union Both { Cell cell[2]; char bytes[100]; };\n"
      "template <typename T, int N> struct Tile { T data[N][N + 1]; T* next; enum { Size = N }; void clear() { x; } "
      "};\n";
  EXPECT_EQ(24 * 4, inKernel("__shared__ Cell s[4];", types));
  EXPECT_EQ(16 * 4, inKernel("__shared__ Wide s[4];", types));
  EXPECT_EQ(8 * 4, inKernel("__shared__ Pair s[4];", types));
  EXPECT_EQ(4 * 4, inKernel("__shared__ Row s[4];", types));
  EXPECT_EQ(8 * 4, inKernel("__shared__ REAL s[4];", types));
  EXPECT_EQ(104, inKernel("__shared__ Both s;", types));
  EXPECT_EQ(8 * 9 * 4 + 8, inKernel("__shared__ Tile<float, 8> s;", types));
  EXPECT_EQ(40, inKernel("__shared__ union { float f[10]; int i; } s;", types));
  EXPECT_EQ(48, inKernel("__shared__ struct { float f[10]; double d; } s;", types));
  for (const char* unknown : {"struct A : B { int x; };", "struct A { Other x; };", "struct A { int x : 3; };",
                              "struct A { virtual void f(); int x; };", "struct A { A x; };", "struct A;"})
    EXPECT_EQ(0, inKernel("__shared__ A s[4];", unknown)) << unknown;
}

TEST(StaticSharedMemory, TakesTemplatesAsTheFileInstantiatesThem) {
  const std::string kernel =
      "template <typename T, int BLOCK = 128> __global__ void k(T* p) {\n"
      "  constexpr int half = BLOCK / 2;\n"
      "  __shared__ T s[BLOCK]; __shared__ T t[half];\n"
      "}\n";
  EXPECT_EQ(0, largestIn(kernel)) << "T is not known";
  EXPECT_EQ(1u, unknownsIn(kernel));
  EXPECT_EQ((128 + 64) * 4, largestIn(kernel + "void f() { k<float><<<1, 1>>>(p); }"));
  EXPECT_EQ((256 + 128) * 8,
            largestIn(kernel + "void f() { k<float, 64><<<1, 1>>>(p); k<double, 256><<<1, 1>>>(p); }"));
  EXPECT_EQ((32 + 16) * 2, largestIn(kernel + "constexpr int N = 32; template __global__ void k<half, N>(half*);"));
  EXPECT_EQ(0u, unknownsIn(kernel + "void f() { k<float><<<1, 1>>>(p); }"));
  EXPECT_EQ(1u, unknownsIn(kernel + "template <int M> void f() { k<float, M><<<1, 1>>>(p); }"));
}

TEST(StaticSharedMemory, CountsVariablesOfTheFileWhereTheyAreUsed) {
  EXPECT_EQ(4096 + 400, largestIn("__shared__ float tile[1024];\n"
                                  "__global__ void a() { __shared__ int own[100]; own[0] = tile[0]; }\n"
                                  "__global__ void b() { __shared__ int own[200]; }\n"));
  EXPECT_EQ(4096, largestIn("static __shared__ float tile[1024];\n"));
}

TEST(StaticSharedMemory, CountsOneArmOfAConditional) {
  EXPECT_EQ(400, inKernel("\n#ifdef SMALL\n__shared__ int s[10];\n#else\n__shared__ int s[100];\n#endif\n"));
}

TEST(StaticSharedMemory, HostileTypesEndQuickly) {
  std::string types, chain = "float";
  for (int i = 0; i < 60; ++i) {
    const std::string own = "S" + std::to_string(i), next = "S" + std::to_string(i + 1);
    types += "struct " + own + " { " + next + " a; " + next + " b; " + next + " c; };\n";
    chain = "T<" + chain + ">";
  }
  types += "template <class U> struct T { U a; U b; U c; };\nstruct Own { char x[sizeof(Own)]; };\n";
  types += "template <int A = B, int B = A> struct Round { char x[A]; };\n";
  EXPECT_EQ(0, inKernel("__shared__ S0 a; __shared__ " + chain + " b; __shared__ Own c; __shared__ Round<> d;", types));
}

TEST(StaticSharedMemory, DoesNotOverflow) {
  std::string arrays;
  for (int i = 0; i < 40; ++i) arrays += "__shared__ double a" + std::to_string(i) + "[16777216][16777216];\n";
  EXPECT_LT(0, largestIn("__global__ void a() {\n" + arrays + "}\n"));
}

}  // namespace unwarp::audit
