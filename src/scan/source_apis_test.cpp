// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a known name is a site and where it is only a word.
#include "source_fixture.h"

namespace unwarp::scan {

using namespace testing;

TEST(SourceApis, CallsTypesAndHeadersAreSites) {
  EXPECT_EQ(sites("#include <cuda_runtime.h>\ncudaError_t e = cudaMalloc(&p, 4);"),
            "cuda_runtime.h@1:11 cudaError_t@2:1 cudaMalloc@2:17");
}

TEST(SourceApis, MembersAndForeignScopesAreNot) {
  EXPECT_EQ(sites("a.cudaMalloc(); a->cudaMalloc(); Mine::cudaMalloc(); T<int>::cudaMalloc(); std::max(1, 2);"), "");
}

TEST(SourceApis, TheGlobalScopeIsNoForeignScope) {
  EXPECT_EQ(sites("int f() { return ::cudaMalloc(p); }"), "cudaMalloc@1:20");
  EXPECT_EQ(sites("x = ::cudaFree(p);"), "cudaFree@1:7");
  EXPECT_EQ(sites("int f() { return ::cub::BlockReduce<int>(); }"), "cub::BlockReduce@1:20");
}

TEST(SourceApis, EnumeratorsMayBeQualified) {
  EXPECT_EQ(sites("x = cudaError_t::cudaSuccess;"), "cudaError_t@1:5 cudaSuccess@1:18");
}

TEST(SourceApis, StringsCommentsAndLookAlikesAreNot) {
  EXPECT_EQ(sites("// cudaMalloc\n/* cudaMalloc */ \"cudaMalloc\" R\"(cudaMalloc)\" cudaMallocX my_cudaMalloc"), "");
}

TEST(SourceApis, DeadCodeIsNot) {
  EXPECT_EQ(sites("#if 0\ncudaMalloc(p);\n#include <cuda_runtime.h>\n#endif"), "");
}

TEST(SourceApis, GuardedSitesAreMarked) {
  EXPECT_EQ(sites("#ifdef USE_ROCM\nhipMalloc(p);\n#else\ncudaMalloc(p);\n#endif\ncudaFree(p);"),
            "cudaMalloc@4:1! cudaFree@6:1");
}

TEST(SourceApis, GenericWordsCountWhereTheContextSaysSo) {
  EXPECT_EQ(sites("int a = max(1, 2); __device__ int f() { return max(1, 2); }"), "max@1:48");
  EXPECT_EQ(sites("dim3 grid(1); f(grid);"), "dim3@1:1");
  EXPECT_EQ(sites("dim3 grid(1); atomicAdd(p, 1);", "plain.cpp"), "");
}

TEST(SourceApis, WordsOfTheFilesOwnAreNot) {
  EXPECT_EQ(sites("struct half { int x; }; half h;"), "");
  EXPECT_EQ(sites("__device__ double atomicAdd(double* a, double v) { return v; }"), "");
  EXPECT_EQ(sites("#define cudaMalloc myMalloc"), "");
}

TEST(SourceApis, AVariableCalledLikeAFunctionIsTheFilesOwn) {
  EXPECT_EQ(sites("void f() { int cudaFree = 0; if (cudaFree) g(cudaFree); } void h() { cudaFree(p); }"),
            "cudaFree@1:70");
  EXPECT_EQ(sites("void f(bool cudaMalloc) { if (cudaMalloc) g(); } int g() { return cudaMalloc(0); }"),
            "cudaMalloc@1:67");
  EXPECT_EQ(sites("void f() { auto cudaFree = [](int x) { return x; }; cudaFree(1); }"), "");
  EXPECT_EQ(sites("void f() { for (int cudaFree = 0; cudaFree < 2; ++cudaFree) { } }"), "");
  // A pointer to the function itself still binds.
  EXPECT_EQ(sites("MallocType cudaMalloc; auto cudaFree = load(\"cudaFree\");"), "cudaMalloc@1:12 cudaFree@1:29");
}

TEST(SourceApis, FunctionsThatTheFileDeclaresForItselfAreItsOwn) {
  EXPECT_EQ(
      sites("struct S { void cudaFree(); void f() { cudaFree(); } }; void g(S& s) { s.cudaFree(); cudaFree(p); }"),
      "cudaFree@1:86");
  EXPECT_EQ(sites("namespace my { void cudaMalloc(int); void f() { cudaMalloc(1); } }\nint x = my::cudaMalloc(2);"),
            "");
  EXPECT_EQ(sites("namespace my { void cudaMalloc(int n) { } }\nvoid g() { cudaMalloc(p); }"), "cudaMalloc@2:12");
  EXPECT_EQ(sites("static void cudaFree(int x) { g(x); }\nvoid f() { cudaFree(1); }"), "");
}

TEST(SourceApis, DeclarationsOfCudasOwnFunctionsBind) {
  EXPECT_EQ(sites("extern \"C\" cudaError_t cudaMalloc(void**, size_t);"), "cudaError_t@1:12 cudaMalloc@1:24");
  EXPECT_EQ(sites("extern \"C\" {\nint cudaFree(void* p) { return real(p); }\n}"), "cudaFree@2:5");
  EXPECT_EQ(sites("namespace a { extern \"C\" { int cudaFree(void*); } }"), "cudaFree@1:32");
  EXPECT_EQ(sites("static inline int cudaFree(void* p) { return hipFree(p); }"), "cudaFree@1:19");
  EXPECT_EQ(sites("struct Api { int (*cudaFree)(void*); };"), "cudaFree@1:20");
  EXPECT_EQ(sites("namespace af { cudaError_t cudaFree(void* p); }"), "cudaError_t@1:16 cudaFree@1:28");
  EXPECT_EQ(sites("#define cudaMalloc hipMalloc"), "cudaMalloc@1:9!");
}

TEST(SourceApis, NamesThatMacrosPasteAreSitesOfTheirUse) {
  EXPECT_EQ(sites("#define CU(f) cuda##f\nvoid f() { CU(Free)(p); CU(Other)(p); }"), "cudaFree@2:12");
  EXPECT_EQ(sites("#define CALL(f) check(cuda ## f, #f)\nint e = CALL(Malloc(&p, 4));"), "cudaMalloc@2:9");
  EXPECT_EQ(sites("#define JOIN(a, b) a##b\nint e = JOIN(cuda, Free)(p);"), "cudaFree@2:9");
  EXPECT_EQ(sites("#ifdef USE_ROCM\n#define G(f) hip##f\n#else\n#define G(f) cuda##f\n#endif\nint e = G(Free)(p);"),
            "cudaFree@6:9!");
  EXPECT_EQ(sites("#define V(x) var##x\nint V(1) = 0;"), "");
}

TEST(SourceApis, ManyMacrosAndDeclarationsStayFast) {
  EXPECT_LT(secondsOf([] { sites(repeated("#define CU(f) cuda##f + cuda##f\nint e = CU(Free)(p);\n", 20'000)); }),
            generousSeconds);
  EXPECT_LT(secondsOf([] { sites(repeated("static void cudaFree(int x) { g(x); }\n", 25'000)); }), generousSeconds);
  EXPECT_LT(secondsOf([] { sites(repeated("{ void cudaFree(int x);\n", 25'000)); }), generousSeconds);
}

TEST(SourceApis, AMacroThatPastesNamesForOtherFilesIsNamed) {
  FileFacts facts;
  readSource(ReadContext{sourceKnowledge()}, {"a.cuh", "#define CU(f) cuda##f\n"}, facts);
  ASSERT_EQ(facts.notes.size(), 1u);
  EXPECT_EQ(facts.notes[0], "line 1: macro CU makes names that begin with 'cuda'; which ones this file does not show");
}

TEST(SourceApis, ANamespaceThatAPlainFileDefinesIsItsOwn) {
  std::string own = "namespace thrust { struct Engine { int power; }; void sort(int* a) { } }\n";
  std::string uses = "void f() { thrust::sort(a); }";
  EXPECT_EQ(sites(own + uses, "a.cpp"), "");
  EXPECT_EQ(sites("namespace thrust::engine { class A {}; }\nvoid f() { thrust::engine::A a; }", "a.cpp"), "");
  EXPECT_EQ(sites("namespace own::cub { using Size = int; }\nusing namespace cub;\nBlockReduce<int> r;", "a.h"), "");
  // What shows CUDA adds to CUDA's namespace.
  EXPECT_EQ(sites(own + uses, "a.cu"), "thrust::sort@2:12");
  EXPECT_EQ(sites("#include <thrust/sort.h>\n" + own + uses, "a.cpp"), "thrust/sort.h@1:11 thrust::sort@3:12");
  EXPECT_EQ(sites("#include <thrust/mr/pool.h>\n" + own + uses, "a.cpp"), "thrust::sort@3:12");
  EXPECT_EQ(sites(own + uses + " int g() { return cudaFree(p); }", "a.cpp"), "thrust::sort@2:12 cudaFree@2:48");
}

TEST(SourceApis, ForwardDeclarationsAndSpecialisationsAreOfCudas) {
  EXPECT_EQ(sites("namespace cub { template <class T> class BlockReduce; }\ncub::BlockReduce<int>* p;", "a.h"),
            "cub::BlockReduce@2:1");
  EXPECT_EQ(sites("namespace thrust { template <> struct Traits<Mine> { }; template <> void swap(Mine& a) { } }\n"
                  "void f() { thrust::sort(a); }",
                  "a.h"),
            "thrust::sort@2:12");
}

TEST(SourceApis, AFunctionThatAPlainFileDeclaresIsItsOwn) {
  EXPECT_EQ(sites("int atomicAdd(int* p, int v);\nvoid f() { thrust::sort(a); atomicAdd(p, 1); }", "a.cpp"),
            "thrust::sort@2:12");
  EXPECT_EQ(
      sites("int atomicAdd(int* p, int v) { return v; }\nvoid f() { thrust::sort(a); atomicAdd(p, 1); }", "a.cpp"),
      "thrust::sort@2:12");
  EXPECT_EQ(sites("double atomicAdd(double* p, double v);\n__global__ void k() { atomicAdd(p, 1); }", "a.h"),
            "atomicAdd@1:8 __global__@2:1 atomicAdd@2:23");
}

TEST(SourceApis, NamespaceAliasesAreResolved) {
  EXPECT_EQ(sites("namespace cg = cooperative_groups;\nauto g = cg::this_grid();"),
            "cooperative_groups::this_grid@2:10");
  EXPECT_EQ(sites("cub::BlockReduce<int, 64>::TempStorage t;"), "cub::BlockReduce@1:1");
  EXPECT_EQ(sites("mycub::BlockReduce<int> t;"), "");
}

TEST(SourceApis, UsingDirectivesAndDeclarationsOpenNames) {
  EXPECT_EQ(sites("using namespace cub;\nBlockReduce<int> r;"), "cub::BlockReduce@2:1");
  EXPECT_EQ(sites("using cub::BlockReduce;\nBlockReduce<int> r;"), "cub::BlockReduce@1:7 cub::BlockReduce@2:1");
  EXPECT_EQ(sites("using namespace thrust;\nint sort = 1; x.sort(); sort(a, b); f(sort);"), "thrust::sort@2:25");
}

TEST(SourceApis, LaunchesAreSitesInCodeAndInMacros) {
  EXPECT_EQ(sites("void f() { k<<<1, 2>>>(); }"), "<<<>>>@1:13");
  EXPECT_EQ(sites("#define RUN(k) k<<<1, 2>>>()"), "<<<>>>@1:17");
  EXPECT_EQ(sites("std::vector<std::vector<std::vector<int>>> v; x = 1 << 2 >> 3;"), "");
}

TEST(SourceApis, AHipSourceOwnsWhatItSharesWithCuda) {
  constexpr std::string_view code = "__global__ void k() { dim3 d; } void f() { k<<<1, 2>>>(); thrust::sort(a, b); }";
  EXPECT_EQ(sites("#include <hip/hip_runtime.h>\n" + std::string(code)), "");
  EXPECT_EQ(sites("#include <hip/hip_runtime.h>\n#include <thrust/sort.h>\n" + std::string(code)), "");
  EXPECT_EQ(sites(code, "kernel.hip"), "");
  constexpr std::string_view keywords = "__global__ void __launch_bounds__(64) k(int* p) { *p = warpSize; }";
  EXPECT_EQ(sites(keywords, "kernel.hip"), "");
  EXPECT_EQ(sites("#include <hip/hip_runtime.h>\n" + std::string(keywords)), "");
  EXPECT_EQ(sites(keywords), "__global__@1:1 __launch_bounds__@1:17 warpSize@1:56");
  EXPECT_EQ(sites("#include <cuda_runtime.h>\n" + std::string(code)),
            "cuda_runtime.h@1:11 __global__@2:1 dim3@2:23 <<<>>>@2:45 thrust::sort@2:59");
}

TEST(SourceApis, InstructionsAreFoundInsideAssembly) {
  EXPECT_EQ(sites("__device__ void f() { asm volatile(\"mma.sync.aligned.m16n8k8 {%0};\" :: \"r\"(x)); }"),
            "mma.sync@1:36");
  EXPECT_EQ(sites("__device__ void f() { asm(PREFIX \"mma.sync.x;\" ::); }"), "mma.sync@1:34");
  EXPECT_EQ(sites("void f() { log(\"mma.sync.x\"); }"), "");
}

TEST(SourceApis, NulsAndCarriageReturnsAreNoTrouble) {
  EXPECT_EQ(sites(std::string_view("cudaFree(p);\0cudaFree(p);\r\ncudaFree(p);", 39)),
            "cudaFree@1:1 cudaFree@1:14 cudaFree@2:1");
}

}  // namespace unwarp::scan
