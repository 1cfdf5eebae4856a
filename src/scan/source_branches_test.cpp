// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branch a line stands in, for the shapes of guards that ported projects use.
#include "scan/source_facts.h"
#include "source_fixture.h"

namespace unwarp::scan {

using namespace testing;

namespace {

/// Branches of the identifiers x1, x2, ... as letters: Plain, Hip, Cuda, Dead.
std::string branches(std::string_view text) {
  SourceFacts facts = factsOf(text);
  std::string out;
  for (TokenIndex t = 0; t < facts.tokens.size(); ++t) {
    std::string_view word = facts.at(t);
    bool mark = word.size() == 2 && word[0] == 'x' && !facts.tokens[t].directive;
    if (mark) out += "PHCD"[static_cast<int>(facts.branch[t])];
  }
  return out;
}
std::string ifElse(std::string_view condition) {
  return branches("#if " + std::string(condition) + "\nx1\n#else\nx2\n#endif\nx3\n");
}

}  // namespace

TEST(SourceBranches, IfdefWithElse) {
  EXPECT_EQ(branches("#ifdef USE_ROCM\nx1\n#else\nx2\n#endif\nx3"), "HCP");
  EXPECT_EQ(branches("#ifndef __HIP_PLATFORM_AMD__\nx1\n#else\nx2\n#endif\nx3"), "CHP");
  EXPECT_EQ(branches("#ifdef USE_CUDA\nx1\n#else\nx2\n#endif\nx3"), "PPP");
}

TEST(SourceBranches, ConditionsByMeaning) {
  EXPECT_EQ(ifElse("defined(__HIPCC__)"), "HCP");
  EXPECT_EQ(ifElse("!defined(__HIPCC__)"), "CHP");
  EXPECT_EQ(ifElse("defined __HIPCC__ && FOO"), "HPP");
  EXPECT_EQ(ifElse("!defined(USE_ROCM) && defined(FOO)"), "CPP");
  EXPECT_EQ(ifElse("!(defined(FOO) || defined(USE_ROCM))"), "CPP");
  EXPECT_EQ(ifElse("!(defined(FOO) && defined(USE_ROCM))"), "PHP");
  EXPECT_EQ(ifElse("USE_ROCM"), "HCP");
  EXPECT_EQ(ifElse("USE_ROCM == 1"), "HCP");
  EXPECT_EQ(ifElse("USE_ROCM == 0"), "CHP");
  EXPECT_EQ(ifElse("0 == USE_ROCM"), "CHP");
  EXPECT_EQ(ifElse("HIP_VERSION >= 60000000"), "HPP");
  EXPECT_EQ(ifElse("defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__)"), "HCP");
  EXPECT_EQ(ifElse("defined(__gfx942__)"), "HPP");
  EXPECT_EQ(ifElse("__has_include(<hip/hip_runtime.h>)"), "HCP");
  EXPECT_EQ(ifElse("!!defined(USE_ROCM)"), "HCP");
}

TEST(SourceBranches, WhatBothBuildsTakeIsPlain) {
  EXPECT_EQ(ifElse("defined(__CUDACC__) || defined(__HIPCC__)"), "PPP");
  EXPECT_EQ(ifElse("defined(__HIPCC__) || defined(__CUDACC__)"), "PPP");
  EXPECT_EQ(ifElse("defined(__CUDACC__) || defined(__HIP_PLATFORM_NVIDIA__)"), "PPP");
  EXPECT_EQ(ifElse("__CUDA_ARCH__ >= 700"), "PPP");
  EXPECT_EQ(ifElse("WHIP"), "PPP");
}

TEST(SourceBranches, ZeroAndOne) {
  EXPECT_EQ(ifElse("0"), "DPP");
  EXPECT_EQ(ifElse("1"), "PDP");
  EXPECT_EQ(ifElse("false"), "DPP");
  EXPECT_EQ(branches("#if 0\nx1\n#elif 0\nx2\n#else\nx3\n#endif"), "DDP");
  EXPECT_EQ(branches("#ifdef USE_ROCM\n#if 0\nx1\n#endif\nx2\n#endif"), "DH");
}

TEST(SourceBranches, ChainsWithElif) {
  EXPECT_EQ(branches("#if defined(USE_CUDA)\nx1\n#elif defined(USE_ROCM)\nx2\n#else\nx3\n#endif"), "CHC");
  EXPECT_EQ(branches("#if defined(USE_ROCM)\nx1\n#elif defined(USE_CUDA)\nx2\n#else\nx3\n#endif"), "HCC");
  EXPECT_EQ(branches("#if A\nx1\n#elif B\nx2\n#else\nx3\n#endif"), "PPP");
}

TEST(SourceBranches, NestedChainsKeepTheOuterDecision) {
  EXPECT_EQ(branches("#ifdef USE_ROCM\nx1\n#ifdef A\nx2\n#else\nx3\n#endif\nx4\n#else\nx5\n#ifndef USE_ROCM\nx6\n"
                     "#endif\n#endif\nx7"),
            "HHHHCCP");
  EXPECT_EQ(branches("#ifdef A\nx1\n#ifdef USE_ROCM\nx2\n#endif\nx3\n#endif"), "PHP");
}

TEST(SourceBranches, AnIncludeGuardIsNoCondition) {
  EXPECT_EQ(branches("#ifndef MY_HIP_H\n#define MY_HIP_H\nx1\n#endif"), "P");
}

TEST(SourceBranches, BrokenConditionsSayNothing) {
  for (std::string_view condition : {"(", ")", "defined(", "defined(USE_ROCM", "&& USE_ROCM", "USE_ROCM ||", "1 +", "",
                                     "\"x\"", "USE_ROCM USE_ROCM", "!", "f("})
    EXPECT_EQ(ifElse(condition), "PPP") << condition;
  EXPECT_EQ(branches("#endif\n#else\nx1\n#ifdef USE_ROCM\nx2"), "PH");
}

TEST(SourceBranches, KnowsTheMacrosThatStandForAmd) {
  for (std::string_view name : {"USE_ROCM", "__HIPCC__", "__HIP_PLATFORM_AMD__", "GGML_USE_HIP", "TORCH_HIP_VERSION",
                                "__AMDGCN__", "USE_MIOPEN", "GPU_AMD", "__HIP_DEVICE_COMPILE__"})
    EXPECT_TRUE(isHipMacro(name)) << name;
  for (std::string_view name :
       {"", "_", "SHIP", "CHIP_ID", "AMD64", "AMD_ZEN", "__HIP_PLATFORM_NVIDIA__", "__CUDACC__", "HIPPO"})
    EXPECT_FALSE(isHipMacro(name)) << name;
}

}  // namespace unwarp::scan
