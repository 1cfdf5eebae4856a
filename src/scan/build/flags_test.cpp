// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiler flags: which count, how they are written down.
#include "scan/build/flags.h"

#include "reader_fixture.h"

namespace unwarp::scan {
namespace {

using namespace testing;  // NOLINT: the fixture of these tests

FileFacts flags(std::string_view text) {
  FileFacts facts;
  build::addFlagWords(ReadContext{testKnowledge()}, text, 1, facts);
  return facts;
}

TEST(Flags, LetsHostFlagsPass) {
  const FileFacts facts =
      flags("-O3 -Wall -g -fPIC -ffast-math -Iinclude -lpthread -lm -std=c++17 -arch arm64 -Xcompiler");
  EXPECT_EQ(dependenciesOf(facts), "");
  EXPECT_EQ(mentionsOf(facts), "");
}

TEST(Flags, JoinsArchitectureWords) {
  EXPECT_EQ(
      dependenciesOf(
          flags("-gencode arch=compute_70,code=sm_70 -arch=sm_80 --generate-code=arch=compute_90,code=[sm_90]")),
      "flag-gencode@1=arch=compute_70,code=sm_70 flag-gencode@1=sm_80 flag-gencode@1=arch=compute_90,code=[sm_90]");
}

TEST(Flags, FindsLibrariesAndFolders) {
  EXPECT_EQ(dependenciesOf(
                flags("-lcublas -l:libcudart.so.12 -L/usr/local/cuda-12.4/lib64 -I/usr/local/cudatest -lcuda_kernels")),
            "lib-cublas@1 lib-cudart@1 config-path@1");
}

TEST(Flags, NamesTheToolkitFolder) {
  FileFacts facts;
  const ReadContext context{testKnowledge()};
  EXPECT_TRUE(build::addToolkitPath(context, "-I/usr/local/cuda-12.4/include", 1, facts));
  EXPECT_TRUE(
      build::addToolkitPath(context, "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\\\CUDA\\v12.4;D:\\x", 2, facts));
  EXPECT_FALSE(build::addToolkitPath(context, "/usr/local/cudatest/lib", 3, facts));
  ASSERT_EQ(facts.dependencies.size(), 2u);
  EXPECT_EQ(facts.dependencies[0].name, "/usr/local/cuda-12.4");
  EXPECT_EQ(facts.dependencies[1].name, "NVIDIA GPU Computing Toolkit\\CUDA\\v12.4");
}

TEST(Flags, MentionsWithValues) {
  EXPECT_EQ(mentionsOf(flags("\"--use_fast_math\" -maxrregcount=32 --default-stream=per-thread")),
            "--use_fast_math()@1 -maxrregcount(32)@1 --default-stream(per-thread)@1");
}

TEST(Flags, MentionsAmdOptionsThatARuleNames) {
  const auto knowledge = knowledge::Knowledge::load("");  // the rules' own pages
  ASSERT_TRUE(knowledge) << knowledge.error();
  FileFacts facts;
  build::addFlagWords(ReadContext{**knowledge}, "-munsafe-fp-atomics -mavx2 -munsafe-nothing", 1, facts);
  ASSERT_EQ(mentionsOf(facts), "-munsafe-fp-atomics()@1");
  EXPECT_TRUE(facts.mentions[0].forAmd);
}

}  // namespace
}  // namespace unwarp::scan
