// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bindings in sources of other languages: per language what counts, and the nearest thing that does not.
#include "reader_fixture.h"

namespace unwarp::scan {
namespace {

using namespace testing;  // NOLINT: the fixture of these tests

std::string found(ReaderFunction reader, std::string_view path, std::string_view text) {
  const FileFacts facts = factsOf(reader, path, text);
  return apisOf(facts) + " | " + dependenciesOf(facts);
}

TEST(ReadFortran, ReadsCudaFortran) {
  EXPECT_EQ(found(readFortran, "a.F90", R"(module m
  use cudafor
contains
  attributes(global) subroutine k(a)
    real, device :: a(*)   ! device
    i = threadIdx%x
  end subroutine
  subroutine run
    istat = cudaMalloc(p, n) ; istat = CUDAMALLOC(p, n)
    call k<<<g, b>>>(a)
    !$cuf kernel do <<<*,*>>>
    print *, "cudaMalloc <<<"
  end subroutine
)"),
            "cudaMalloc@9 cudaMalloc@9 | fortran-cuda@2 fortran-cuda@4 fortran-cuda@5 fortran-cuda@6 fortran-cuda@10 "
            "fortran-cuda@11");
  EXPECT_EQ(found(readFortran, "a.cuf", "i = blockdim%x\n"), " | fortran-cuda@1");
  EXPECT_EQ(found(readFortran, "a.f90", "interface\n function f(p) bind(c, name=\"cudaMalloc\")\nend\n"),
            "cudaMalloc@2 | ");
}

TEST(ReadFortran, FixedFormHasItsComments) {
  EXPECT_EQ(found(readFortran, "a.f", "c     use cudafor\n*     use cudafor\n      x = 1 ! use cudafor\n"), " | ");
  EXPECT_EQ(
      found(readFortran, "a.f", "      use cudafor\nc$cuf kernel do\nC     call k<<<1,2>>>(a)\n!@cuf use cudafor\n"),
      " | fortran-cuda@1 fortran-cuda@2 fortran-cuda@4");
}

TEST(ReadFortran, LeavesOtherFortranAlone) {
  EXPECT_EQ(found(readFortran, "a.f90",
                  "!$acc kernels\n!$omp target\nuse cudafor_helpers\nreal, device :: x\ncall device(threadidx)\n"
                  "attributes = shared\nuse openacc\ncall cudaMalloc(x)\n"),
            " | ");
}

TEST(ReadFortran, ABranchForAmdGuards) {
  EXPECT_EQ(found(readFortran, "a.F90", "#ifdef USE_HIP\nuse hipfort\n#else\nuse cudafor\n#endif\nuse cublas\n"),
            " | fortran-cuda@4! fortran-cuda@6");
}

TEST(ReadGo, ReadsCgo) {
  EXPECT_EQ(found(readGo, "a.go", R"(package a

/*
#cgo LDFLAGS: -L/usr/local/cuda/lib64 -lcudart -lm
#cgo linux CFLAGS: -I/usr/local/cuda/include
#include <cuda_runtime.h>
static void f(void) { cudaMalloc(0, 1); }
*/
import "C"

import (
  "fmt"
  x "cudarc/driver"
)

func g() { C.cudaMalloc(nil, 1); fmt.Println("cudaMalloc") } // cudaMalloc
)"),
            "cuda_runtime.h@6 cudaMalloc@7 cudaMalloc@16 | config-path@4 lib-cudart@4 config-path@5 other-cudarc@13");
  EXPECT_EQ(found(readGo, "a.go", "package a\n// #cgo LDFLAGS: -lcublas\n// #include <cuda_runtime.h>\nimport \"C\"\n"),
            "cuda_runtime.h@3 | lib-cublas@2");
}

TEST(ReadGo, ACommentElsewhereIsNoPreamble) {
  EXPECT_EQ(found(readGo, "a.go", "package a\n// #cgo LDFLAGS: -lcublas\n\nimport \"C\"\n"), " | ");
  EXPECT_EQ(found(readGo, "a.go", "package a\n/* #include <stdio.h>\n int max; */\nimport \"C\"\n// C.cudaMalloc\n"),
            " | ");
}

TEST(ReadGo, ReadsLibrariesEnvironmentAndPrograms) {
  EXPECT_EQ(found(readGo, "a.go",
                  "h := dl.Open(\"libcudart.so.12\")\nos.Getenv(\"CUDA_HOME\")\n"
                  "exec.Command(\"nvidia-smi\", \"-L\")\nlog(\"nvidia-smi\")\nlog(\"see libcudart.so\")\n"),
            " | lib-cudart@1=12 env-cuda-home@2 nvidia-smi@3");
}

TEST(ReadRust, ReadsBuildScripts) {
  EXPECT_EQ(
      found(readRust, "build.rs", R"rs(fn main() {
    cc::Build::new().cuda(true).flag("-gencode").flag("arch=compute_80,code=sm_80").file("k.cu").compile("k");
    println!("cargo:rustc-link-search=native=/usr/local/cuda/lib64");
    println!("cargo:rustc-link-lib=dylib=cudart");
    println!("cargo::rustc-link-lib=static:+whole-archive=cublas");
    println!("cargo:rerun-if-env-changed=CUDA_HOME");
    let home = std::env::var("CUDA_HOME"); // CUDA_HOME
    Command::new("nvcc").arg("--use_fast_math");
    println!("cargo:warning=cudart");
})rs"),
      " | rust-builder@2 flag-gencode@2 flag-gencode@2=compute_80,code=sm_80 config-path@3 lib-cudart@4 lib-cublas@5 "
      "env-cuda-home@6 env-cuda-home@7 flag-fast-math@8 nvcc@8");
}

TEST(ReadRust, ReadsDeclarationsAndCrates) {
  EXPECT_EQ(found(readRust, "a.rs",
                  "use cudarc::driver::CudaDevice;\n#[link(name = \"cudart\", kind = \"dylib\")]\n"
                  "extern \"C\" { fn cudaMalloc(p: *mut *mut c_void, n: usize) -> i32; }\n"
                  "let k = compile_ptx(r#\"\nextern \"C\" __global__ void k() {}\"#);\n"),
            "cudaMalloc@3 __global__@5 | rust-crates@1 lib-cudart@2");
  EXPECT_EQ(found(readRust, "a.rs",
                  "#[doc(name = \"cudart\")]\n/* use cudarc::x; */ let a = \"cudarc::x\"; my.cudarc::<u8>();\n"
                  "b.cuda(false); c.flag(\"-gencode\");\n"),
            " | ");
}

TEST(ReadManagedCode, ReadsCSharp) {
  EXPECT_EQ(found(readManagedCode, "a.cs",
                  "using cudarc.Basic;\nusing System;\n[DllImport(\"cudart64_12\", EntryPoint = \"x\")]\n"
                  "static extern int cudaMalloc(out IntPtr p, ulong n);\nconst string l = \"cublas64_11.dll\";\n"
                  "// [DllImport(\"cudart64_12\")]\nvar s = \"using cudarc\";\n"),
            "cudaMalloc@4 | dotnet-cuda@1 lib-cudart@3=12 lib-cublas@5=11");
}

TEST(ReadManagedCode, ReadsJava) {
  EXPECT_EQ(found(readManagedCode, "A.java",
                  "import static jcuda.runtime.JCuda.*;\nimport java.util.List;\n"
                  "class A { void f() { cudaMalloc(p, 4); System.loadLibrary(\"cudart\"); } }\n"),
            "cudaMalloc@3 | java-cuda@1 lib-cudart@3");
}

TEST(ReadMatlab, ReadsCalls) {
  EXPECT_EQ(found(readMatlab, "a.m",
                  "function y = f(x)\n% gpuArray\nx = gpuArray(x'); y = 'gpuArray';\n%{\ngpuArray(1)\n%}\n"
                  "k = parallel.gpu.CUDAKernel('k.ptx', 'k.cu');\nmy_gpuArray(1); s.gpuArray = 2;\n"),
            " | matlab-gpu@3 matlab-gpu@7");
}

TEST(ReadR, ReadsPackages) {
  EXPECT_EQ(
      found(readR, "a.R",
            "library(gpuR)\n# library(gpuR)\nx <- gpuR::vclMatrix(m)\nprint(\"gpuR\")\nlibrary(\"gpu\")\ngpuR <- 1\n"),
      " | r-gpu@1 r-gpu@3");
  EXPECT_EQ(found(readR, "DESCRIPTION",
                  "Package: gpuR\nImports: methods,\n    gpuR (>= 2.0)\nDescription: wraps\n    gpuR\n"),
            " | r-gpu@3");
}

TEST(ReadLanguages, EmptyAndBrokenFilesAreRead) {
  for (ReaderFunction reader : {readFortran, readGo, readRust, readManagedCode, readMatlab, readR})
    for (std::string_view text :
         {"", "\"", "'", "import", "import (", "use", "import \"C\"", "/*\nimport \"C\"", "attributes(", "!$", "a<<<"})
      factsOf(reader, "a.x", text);
}

}  // namespace
}  // namespace unwarp::scan
