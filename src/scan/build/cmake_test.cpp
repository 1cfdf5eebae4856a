// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CMake listfiles and presets bind.
#include "reader_fixture.h"

namespace unwarp::scan {
namespace {

using namespace testing;  // NOLINT: the fixture of these tests

std::string found(std::string_view text) {
  return dependenciesIn(readCMake, "CMakeLists.txt", text);
}

TEST(ReadCMake, FindsLanguagesAndPackages) {
  EXPECT_EQ(found("project(x LANGUAGES CXX CUDA)\nenable_language(CUDA)\nfind_package(CUDAToolkit 12.1 "
                  "REQUIRED)\nlist(APPEND LANGUAGES CUDA)\n"),
            "cmake-project@1 cmake-language@2 cmake-find-cuda@3=12.1 cmake-language@4");
}

TEST(ReadCMake, FindsTargetsAndLibraries) {
  EXPECT_EQ(found("target_link_libraries(x PRIVATE CUDA::cudart $<$<BOOL:y>:CUDA::cublas>)\ntarget_link_libraries(x "
                  "cublas -lcudart)\n"),
            "cmake-cudart@1 cmake-cublas@1 lib-cublas@2 lib-cudart@2");
  EXPECT_EQ(found("add_library(cublas STATIC a.c)\ntarget_link_libraries(x cublas)\n"), "");
}

TEST(ReadCMake, FindsOptionsAndArchitectures) {
  EXPECT_EQ(found("option(GGML_CUDA \"ggml: use CUDA\" OFF)\nset(CMAKE_CUDA_ARCHITECTURES "
                  "\"80;90\")\nset_target_properties(x PROPERTIES CUDA_ARCHITECTURES 80)\nset(GGML_CUDA OFF)\n"),
            "cmake-ggml@1 cmake-architectures@2=80;90 cmake-architectures@3=80");
}

TEST(ReadCMake, FindsFlags) {
  const FileFacts facts =
      factsOf(readCMake, "CMakeLists.txt",
              "set(CMAKE_CUDA_FLAGS \"${CMAKE_CUDA_FLAGS} --use_fast_math -gencode arch=compute_80,code=sm_80 -O3\")\n"
              "target_compile_options(x PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall --maxrregcount=64>)\n");
  EXPECT_EQ(dependenciesOf(facts),
            "cmake-flags@1 flag-fast-math@1 flag-gencode@1=arch=compute_80,code=sm_80 cmake-genex@2 flag-host@2=-Wall");
  EXPECT_EQ(mentionsOf(facts),
            "--use_fast_math()@1 -gencode(arch=compute_80,code=sm_80)@1 -Xcompiler(-Wall)@2 --maxrregcount(64)@2");
}

TEST(ReadCMake, FindsProcessesEnvironmentAndFolders) {
  EXPECT_EQ(found("execute_process(COMMAND nvcc --version OUTPUT_VARIABLE v)\nset(r "
                  "$ENV{CUDA_HOME})\ninclude_directories(/usr/local/cuda/include)\nfind_program(p nvidia-smi)\n"),
            "nvcc@1 env-cuda-home@2 config-path@3 nvidia-smi@4");
}

TEST(ReadCMake, GuardsHipChains) {
  EXPECT_EQ(found("if(USE_ROCM)\nfind_package(hip)\nelse()\nfind_package(CUDAToolkit)\nendif()\n"),
            "cmake-find-cuda@4!");
}

TEST(ReadCMake, StaysSilentOnWords) {
  EXPECT_EQ(
      found(
          "message(STATUS \"CUDA found: CUDA::cudart "
          "/usr/local/cuda\")\nif(GGML_CUDA)\nadd_subdirectory(src/cuda)\nendif()\n# find_package(CUDAToolkit)\n"
          "add_executable(cuda_test cuda/test.cpp)\nset(x \"nvcc is great\")\nadd_test(NAME cuda COMMAND cuda_test)\n"),
      "");
}

TEST(ReadCMakePresets, ReadsCacheAndEnvironment) {
  EXPECT_EQ(dependenciesIn(readCMakePresets, "CMakePresets.json",
                           "{\"configurePresets\": [{\"name\": \"gpu\",\n \"cacheVariables\": {\"GGML_CUDA\": "
                           "\"ON\",\n  \"CMAKE_CUDA_ARCHITECTURES\": {\"type\": \"STRING\", \"value\": \"90\"},\n"
                           "  \"OTHER\": \"CUDA\"},\n \"environment\": {\"CUDA_HOME\": \"/x\"}},\n {\"name\": "
                           "\"rocm\", \"cacheVariables\": {\"GGML_CUDA\": \"ON\"}}]}"),
            "cmake-ggml@2=ON cmake-architectures@3=90 env-cuda-home@5 cmake-ggml@6=ON!");
}

TEST(ReadCMake, AValueWithAnEqualsSignIsNoBuildOfConda) {
  EXPECT_EQ(dependenciesIn(readCMake, "CMakeLists.txt", "set(${flags} $<$<COMPILE_OPTIONS:a>:-X=${cuda_flags}>)\n"),
            "");
}

TEST(ReadCMake, RepositoriesAreFetchedUnderManyNames) {
  EXPECT_EQ(
      dependenciesIn(
          readCMake, "CMakeLists.txt",
          "CPMAddPackage(\"gh:NVIDIA/cccl@2.5.0\")\nCPMAddPackage(NAME x GITHUB_REPOSITORY NVIDIA/nccl)\n"
          "ExternalProject_Add(nccl GIT_REPOSITORY https://github.com/NVIDIA/nccl.git)\nmessage(\"gh:NVIDIA/cccl\")\n"
          "CPMAddPackage(\"gh:other/cccl@1\")\n"),
      "repository-nccl@1 repository-nccl@2 repository-nccl@3");
}

TEST(ReadCMake, ClangIsToldTheLanguageInTwoWords) {
  EXPECT_EQ(dependenciesIn(readCMake, "CMakeLists.txt",
                           "target_compile_options(a PRIVATE -x cuda)\nset(F \"-x cu -x c++\")\n"),
            "clang-cuda@1");
}

}  // namespace
}  // namespace unwarp::scan
