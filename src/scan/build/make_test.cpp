// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makefiles, ninja files and configure sources.
#include "reader_fixture.h"

namespace unwarp::scan {
namespace {

using namespace testing;  // NOLINT: the fixture of these tests

std::string found(std::string_view text) {
  return dependenciesIn(readMake, "Makefile", text, FileKind::Make);
}

TEST(ReadMake, ReadsVariables) {
  EXPECT_EQ(found("NVCC ?= $(CUDA_HOME)/bin/nvcc -ccbin g++\nLIBS = -lcublas \\\n  -lcudart\nCUDA_HOME := "
                  "/usr/local/cuda\nNAME = cuda_app\n"),
            "nvcc@1 lib-cublas@2 lib-cudart@3 env-cuda-home@4 config-path@4");
}

TEST(ReadMake, AnOptionInAVariableCountsOnce) {
  EXPECT_EQ(found("GENCODE = -gencode=arch=compute_80,code=sm_80\nARCH := -arch=sm_80\n"),
            "flag-gencode@1=arch=compute_80,code=sm_80 flag-gencode@2=sm_80");
}

TEST(ReadMake, ReadsRecipes) {
  EXPECT_EQ(found("a: a.cu\n\t@$(NVCC) --use_fast_math -o $@ $< -lcublas\n\techo nvcc is missing\n"),
            "nvcc@2 flag-fast-math@2 lib-cublas@2");
}

TEST(ReadMake, ReadsShellFunctions) {
  EXPECT_EQ(found("V := $(shell nvidia-smi --query-gpu=name)\n"), "nvidia-smi@1");
}

TEST(ReadMake, GuardsHipConditionals) {
  EXPECT_EQ(found("ifdef USE_HIP\nLIBS = -lamdhip64\nelse\nLIBS = -lcudart\nendif\nLIBS += -lcublas\n"),
            "lib-cudart@4! lib-cublas@6");
}

TEST(ReadMake, StaysSilentOnWords) {
  EXPECT_EQ(found("# nvcc -lcudart\nSRC = cuda/a.c cuda/b.c\ntest-cuda: cuda.o\n\tgcc -O3 -o cuda cuda.o\n$(info nvcc "
                  "not found)\n"),
            "");
}

TEST(ReadMake, ReadsNinjaOnce) {
  EXPECT_EQ(dependenciesIn(readMake, "build.ninja",
                           "rule cuda\n  command = nvcc -c $in\nbuild a.o: cuda a.cu\n  FLAGS = --use_fast_math\nbuild "
                           "b.o: cuda b.cu\n  FLAGS = --use_fast_math\n",
                           FileKind::Ninja),
            "nvcc@2 flag-fast-math@4");
}

TEST(ReadMake, ReadsConfigureSources) {
  EXPECT_EQ(dependenciesIn(readMake, "configure.ac",
                           "AC_INIT([cuda])\ndnl AC_CHECK_LIB([cudart])\nAC_CHECK_LIB([cudart], "
                           "[cudaMalloc])\nAC_PATH_PROG([NVCC], [nvcc])\nAC_CHECK_HEADERS([cuda_runtime.h])\n"
                           "AC_ARG_WITH([cuda], [help])\n  LIBS=\"$LIBS -lcublas\"\n",
                           FileKind::Autoconf),
            "lib-cudart@3 nvcc@4 header-runtime@5 autoconf-cuda@6 lib-cublas@7");
}

TEST(ReadMake, StaysLinearOnHostileTexts) {
  std::string open, shells = "X = ";
  for (int i = 0; i < 50000; ++i) open += "$(";
  for (int i = 0; i < 50000; ++i) shells += "$(shell ";
  found("a:\n\t" + open);
  found(shells);
}

}  // namespace
}  // namespace unwarp::scan
