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

TEST(ReadBazel, ReadsRcOptionsWhoseValueStandsBehindABlank) {
  EXPECT_EQ(dependenciesIn(readBazel, "tools/cuda.bazelrc",
                           "build:c --action_env CUDA_HOME=/x --define using_cuda=true\nbuild --repo_env \\\n  "
                           "CUDA_HOME=/y\nbuild --config cuda\ntest --test_env CUDA_VISIBLE_DEVICES\nbuild "
                           "--copt -lcublas\nbuild --define=using_cuda=false\nbuild --config other cuda\n"),
            "env-cuda-home@1 bazel-option@1 env-cuda-home@2 bazel-option@4 env-visible@5 lib-cublas@6");
}

TEST(ReadBazel, ALabelIsShownAsItsRepository) {
  const FileFacts facts = factsOf(readBazel, "BUILD", "x(deps = [\"@local_config_cuda//cuda:cuda_headers\"])\n");
  ASSERT_EQ(facts.dependencies.size(), 1u);
  EXPECT_EQ(facts.dependencies[0].name, "@local_config_cuda");
}

TEST(ReadBazel, ReadsLabelsOfTheUsualRepositories) {
  EXPECT_EQ(dependenciesIn(readBazel, "BUILD.bazel",
                           "cc_library(deps = [\n  \"@nccl_archive//:nccl\",\n  \"@@cuda_cudart//:headers\",\n  "
                           "\"@abseil//:cuda_cudart\",\n  \"@local_config_cuda//cuda:cuda_headers\"])\n"),
            "lib-nccl@2 bazel-repository@3 bazel-repository@5");
  EXPECT_EQ(dependenciesIn(readBazel, "WORKSPACE",
                           "http_archive(\n  name = \"nccl_archive\",\n  sha256 = \"00\")\ncc_library(name = "
                           "\"nccl_archive\")\nbazel_dep(name = \"rules_cuda\", version = \"0.2\")\n"),
            "bazel-repository@2 bazel-repository@5");
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

TEST(ReadJustfile, ReadsRecipesAndVariables) {
  EXPECT_EQ(dependenciesIn(
                readJustfile, "justfile",
                "cuda := \"/usr/local/cuda\"\nexport CUDA_HOME := \"/x\"\n# nvcc a.cu\n[doc('nvcc')]\nbuild target:\n"
                "    @nvcc -gencode arch=compute_80,code=sm_80 a.cu\n\n    -nvidia-smi\nrun:\n    #!/usr/bin/env "
                "python3\n    import cupy\n"),
            "config-path@1 env-cuda-home@2 nvcc@6 flag-gencode@6=arch=compute_80,code=sm_80 nvidia-smi@7 py-cupy@11");
}

TEST(ReadLuaBuild, ReadsXmakeAndPremake) {
  EXPECT_EQ(dependenciesIn(readLuaBuild, "xmake.lua",
                           "add_rules(\"cuda\")\n-- add_links(\"cudart\")\nadd_links(\"cudart\", \"m\") -- "
                           "\"cublas\"\nadd_cugencodes(\"native\")\n"),
            "xmake-cuda@1 lib-cudart@3 xmake-cuda@4");
  EXPECT_EQ(
      dependenciesIn(readLuaBuild, "premake5.lua",
                     "links {\n  \"cublas\",\n}\nlibdirs { \"/usr/local/cuda/lib64\" }\ndefines { \"cudart\" }\n"),
      "lib-cublas@2 config-path@4");
}

TEST(ReadEasyBuild, ReadsDependenciesAndCapabilities) {
  EXPECT_EQ(dependenciesIn(readEasyBuild, "a.eb",
                           "name = 'CUDA'\nversionsuffix = '-CUDA-%(cudaver)s'\ndependencies = [\n    ('CUDA', "
                           "'12.1.1', '', SYSTEM),\n    ('HDF5', '1'),\n]\n"
                           "# ('CUDA', '12')\ncuda_compute_capabilities = ['8.0']\n"),
            "easybuild@2 easybuild@4=12.1.1 easybuild@8");
}

}  // namespace
}  // namespace unwarp::scan
