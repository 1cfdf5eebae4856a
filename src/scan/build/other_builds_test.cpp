// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bazel and Meson.
#include "reader_fixture.h"

namespace unwarp::scan {
namespace {

using namespace testing;  // NOLINT: the fixture of these tests

TEST(ReadBazel, ReadsLabelsRulesAndOptions) {
  EXPECT_EQ(dependenciesIn(readBazel, "BUILD",
                           "\"\"\"cuda docs -lcudart\"\"\"\nload(\"@local_config_cuda//cuda:build_defs.bzl\", "
                           "\"if_cuda\")\ncuda_library(name = \"x\",\n  linkopts = [\"-lcublas\"],\n"
                           "  deps = [\"@local_config_cuda//cuda:cudart\", \"//cuda:lib\"])\n"),
            "bazel-repository@2 bazel-repository@3 lib-cublas@4 lib-cudart@5");
}

TEST(ReadBazel, ReadsRcFiles) {
  EXPECT_EQ(
      dependenciesIn(
          readBazel, ".bazelrc",
          "# build --action_env=CUDA_HOME\nbuild:x --action_env=CUDA_HOME=/x\nbuild:rocm --action_env=CUDA_HOME=/y\n"),
      "env-cuda-home@2 env-cuda-home@3!");
}

TEST(ReadMeson, ReadsLanguagesAndDependencies) {
  EXPECT_EQ(dependenciesIn(readMeson, "meson.build",
                           "project('cuda', 'cpp', 'cuda')\n# dependency('cuda')\nif host == 'hip'\n  x = 1\nelse\n  d "
                           "= dependency('cuda', modules: ['cublas'])\nendif\nl = cc.find_library('cudart')\n"),
            "meson-cuda@1 meson-cuda@6! lib-cublas@6! lib-cudart@8");
  EXPECT_EQ(
      dependenciesIn(readMeson, "meson.build", "project('cuda', 'cpp')\nsubdir('cuda')\ndescription = 'uses cuda'\n"),
      "");
}

}  // namespace
}  // namespace unwarp::scan
