// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requirements in pip's and conda's notations.
#include "reader_fixture.h"

namespace unwarp::scan {
namespace {

using namespace testing;  // NOLINT: the fixture of these tests

std::string required(std::string_view text) {
  FileFacts facts;
  addRequirement(ReadContext{testKnowledge()}, text, 1, facts);
  return dependenciesOf(facts);
}

std::string conda(std::string_view text) {
  FileFacts facts;
  addCondaSpec(ReadContext{testKnowledge()}, text, 1, facts);
  return dependenciesOf(facts);
}

TEST(Requirement, ReadsNamesVersionsExtrasAndMarkers) {
  EXPECT_EQ(required("torch >= 2.1 # comment"), "pypi-torch@1=>= 2.1");
  EXPECT_EQ(required("jax[cuda12]==0.4 ; python_version > '3'"), "pypi-jax@1===0.4");
  EXPECT_EQ(required("cupy_cuda12x"), "pypi-cupy@1");
  EXPECT_EQ(required("torch==2.1 --hash=sha256:00"), "pypi-torch@1===2.1");
  EXPECT_EQ(required("jax"), "");
  EXPECT_EQ(required("# torch"), "");
  EXPECT_EQ(required("-r other.txt"), "");
}

TEST(Requirement, JudgesLocalVersionsAndSuffixes) {
  EXPECT_EQ(required("torch==2.4.0+cu121"), "pypi-torch@1===2.4.0+cu121 config-local@1");
  EXPECT_EQ(required("torch==2.4.0+rocm6.1"), "");
  EXPECT_EQ(required("torch==2.4.0+cpu"), "");
  EXPECT_EQ(required("nvidia-cublas-cu12"), "pypi-cublas@1");
  EXPECT_EQ(required("torch; sys_platform == 'darwin'"), "");
  EXPECT_EQ(required("torch; sys_platform != 'darwin'"), "pypi-torch@1");
}

TEST(Requirement, TellsFlashAttentionGenerationsApart) {
  EXPECT_EQ(required("flash-attn<2"), "flash-attn-1@1=<2");
  EXPECT_EQ(required("flash_attn==1.0.9"), "flash-attn-1@1===1.0.9");
  EXPECT_EQ(required("flash-attn>=2.5"), "flash-attn-2@1=>=2.5");
  EXPECT_EQ(required("flash-attn"), "flash-attn-2@1");
  EXPECT_EQ(required("flash-attn-3"), "flash-attn-3@1");
  EXPECT_EQ(required("https://x/flash_attn-2.5.8+cu122torch2.3-cp310-cp310-linux_x86_64.whl"),
            "flash-attn-2@1=2.5.8+cu122torch2.3");
}

TEST(Requirement, KnowsRepositoriesButNotNamesakes) {
  EXPECT_EQ(required("apex"), "");
  EXPECT_EQ(required("apex @ git+https://github.com/NVIDIA/apex.git@v1"), "py-apex@1");
  EXPECT_EQ(required("-e git+https://github.com/NVIDIA/TransformerEngine.git#egg=te"), "pypi-te@1");
  EXPECT_EQ(required("git+https://github.com/someone/apex"), "");
  EXPECT_EQ(required("git+https://github.com/Dao-AILab/flash-attention.git@v1.0.4"), "flash-attn-1@1===1.0.4");
}

TEST(Requirement, ReadsIndexes) {
  EXPECT_EQ(required("--extra-index-url https://download.pytorch.org/whl/cu121"), "config-index@1=cu121");
  EXPECT_EQ(required("-f https://download.pytorch.org/whl/cpu"), "");
}

TEST(Requirement, ReadsCondaSpecs) {
  EXPECT_EQ(conda("cudatoolkit=11.8"), "conda-cudatoolkit@1==11.8");
  EXPECT_EQ(conda("nvidia::cuda-nvcc 12.1.*"), "conda-nvcc@1=12.1.*");
  EXPECT_EQ(conda("pytorch >=2"), "pypi-torch@1=>=2");
  EXPECT_EQ(conda("pytorch=2.1=cpu_py310"), "");
  EXPECT_EQ(conda("numpy"), "");
}

TEST(Requirement, SurvivesGarbage) {
  for (std::string_view text : {"[", "torch[", "@", "torch @", "git+", "=", "torch==", "-e", "--extra-index-url"})
    required(text);
}

}  // namespace
}  // namespace unwarp::scan
