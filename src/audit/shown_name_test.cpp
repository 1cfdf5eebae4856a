// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of the inventory: what was found where it is a name, the recognised kind where it is a phrase.
#include "audit/shown_name.h"

#include <gtest/gtest.h>

namespace unwarp::audit {

namespace {

using enum knowledge::Ecosystem;

std::string shown(knowledge::Ecosystem ecosystem, std::string_view match, std::string_view found) {
  knowledge::Dependency record{};
  record.ecosystem = ecosystem;
  record.match = match;
  return shownName(record, found);
}

}  // namespace

TEST(ShownName, PackagesAndImagesAreShownAsFound) {
  EXPECT_EQ(shown(Pypi, "cupy-cuda* | cupy", "cupy-cuda12x"), "cupy-cuda12x");
  EXPECT_EQ(shown(Image, "*/nvidia/cuda:*", "nvcr.io/nvidia/cuda:12.4.1"), "nvcr.io/nvidia/cuda");
  for (std::string_view rest : {"", "@sha256:abcdef", ":12.0.0-base@sha256:abcdef"})
    EXPECT_EQ(shown(Image, "*/nvidia/cuda*", "host:5000/nvidia/cuda" + std::string(rest)), "host:5000/nvidia/cuda");
}

TEST(ShownName, AMachineIsNotShownAsAnotherOfItsRecord) {
  EXPECT_EQ(shown(Cloud, "p2.* | p4d.* | g5.*", "p4d.24xlarge"), "p4d.24xlarge");
  EXPECT_EQ(shown(Cli, "--gres=gpu:a100* | --gres=gpu:h100*", "--gres=gpu:h100:4"), "--gres=gpu:h100:4");
  EXPECT_EQ(shown(Ci, "linux.g4dn.* | linux.g5.*", "linux.g5.4xlarge.nvidia.gpu"), "linux.g5.4xlarge.nvidia.gpu");
  EXPECT_EQ(shown(K8s, "nvidia.com/gpu.product | nvidia.com/cuda.*", "nvidia.com/cuda.driver.major"),
            "nvidia.com/cuda.driver.major");
}

TEST(ShownName, CommandsAreShownByTheProgramThatWasFound) {
  EXPECT_EQ(shown(Cli, "ptxas | ptxas * | cuobjdump | cuobjdump *", "cuobjdump -sass a.out"), "cuobjdump");
  EXPECT_EQ(shown(Cli, "nvidia-smi | nvidia-smi *", "nvidia-smi  --query-gpu=name"), "nvidia-smi");
  EXPECT_EQ(shown(Cli, "docker run *--gpus* | podman run *--gpus*", "docker run -it --gpus all a/b"),
            "docker run --gpus");
  EXPECT_EQ(shown(Cli, "docker run *--gpus* | podman run *--gpus*", ""), "docker run --gpus");
  EXPECT_EQ(shown(Cli, "module load cuda* | module load *nccl*", "module load nccl/2.18"), "module load nccl");
  EXPECT_EQ(shown(CMake, "project(* CUDA)", "project(X CUDA)"), "project(CUDA)");
  EXPECT_EQ(shown(CMake, "find_package(Thrust) | find_package(CUB) | find_package(CUB *)", "find_package(CUB 1.0)"),
            "find_package(CUB)");
}

TEST(ShownName, OpenEndsAreLeftOff) {
  EXPECT_EQ(shown(Python, "numba.cuda | numba.cuda.*", "numba.cuda.jit"), "numba.cuda");
  EXPECT_EQ(shown(Cli, "-gencode | -gencode=*", "-gencode=arch=compute_80,code=sm_80"), "-gencode");
  EXPECT_EQ(shown(CMake, "CUDA::npp*", "CUDA::nppc"), "CUDA::nppc");
}

TEST(ShownName, ANameTheReaderGaveIsKept) {
  EXPECT_EQ(shown(Config, "toolkit-path=*", "/usr/local/cuda-12.4"), "/usr/local/cuda-12.4");
}

}  // namespace unwarp::audit
