// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Container build files: instructions, arguments, stages, lines.
#include "deploy_fixture.h"
#include "scan/deploy/dockerfile.h"

namespace unwarp::scan {
namespace {

using Dockerfile = DeployTest;

TEST_F(Dockerfile, PutsArgumentsIntoImages) {
  EXPECT_EQ(sites(read(readDockerfile,
                       "ARG V=12.3.1\nARG BASE=nvidia/cuda:${V}-devel\nFROM --platform=linux/amd64 ${BASE} AS build\n"
                       "FROM ubuntu:22.04\nCOPY --from=build /a /a\nCOPY --from=nvcr.io/x/y:1 /b /b\nFROM build\n")),
            (DeployTest::Sites{"3 image-cuda 12.3.1-devel", "6 image-ngc 1"}));
}

TEST_F(Dockerfile, TheTagIsTheVersionAlsoBesideADigest) {
  EXPECT_EQ(sites(read(readDockerfile,
                       "FROM nvcr.io/nvidia/cuda:12.0.0-base@sha256:abcdef\n"
                       "FROM nvcr.io:443/nvidia/cuda:12.1@sha256:abcdef\nFROM nvcr.io/x/y@sha256:abcdef\n")),
            (DeployTest::Sites{"1 image-cuda 12.0.0-base", "2 image-cuda 12.1", "3 image-ngc sha256:abcdef"}));
}

TEST_F(Dockerfile, ReadsRunWithExactLines) {
  EXPECT_EQ(sites(read(readDockerfile,
                       "FROM ubuntu\nRUN apt-get update && \\\n    # toolkit\n\n    apt-get install -y \\\n      "
                       "cuda-toolkit-12-4 && \\\n    nvcc -V\n")),
            (DeployTest::Sites{"6 apt-cuda-toolkit", "7 cli-nvcc"}));
}

TEST_F(Dockerfile, ReadsEnvironmentInBothForms) {
  EXPECT_EQ(
      sites(read(
          readDockerfile,
          "FROM a\nENV CUDA_HOME=/usr/local/cuda \\\n    NVIDIA_VISIBLE_DEVICES=all\nENV TORCH_CUDA_ARCH_LIST 8.0 9.0\n"
          "ENV LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH\nLABEL CUDA_HOME=x\n")),
      (DeployTest::Sites{"2 env-cuda-home", "3 env-nvidia-visible", "4 env-torch-arch", "5 config-library-path"}));
}

TEST_F(Dockerfile, ReadsCommandsInJsonForm) {
  EXPECT_EQ(sites(read(readDockerfile,
                       "FROM a\nCMD [\"nvidia-smi\", \"-L\"]\nENTRYPOINT [\"sh\", \"-c\", \"nvcc -V\"]\nHEALTHCHECK "
                       "--interval=5m CMD nvidia-smi\n")),
            (DeployTest::Sites{"2 cli-nvidia-smi", "3 cli-nvcc", "4 cli-nvidia-smi"}));
}

TEST_F(Dockerfile, ReadsHereDocuments) {
  EXPECT_EQ(sites(read(readDockerfile,
                       "FROM a\nRUN <<EOF\nset -e\nnvcc -V\nEOF\nCOPY <<X /y\nnvidia-smi\nX\nRUN nvidia-smi\n")),
            (DeployTest::Sites{"4 cli-nvcc", "9 cli-nvidia-smi"}));
}

TEST_F(Dockerfile, CommentsAndProseAreNoSites) {
  EXPECT_EQ(
      sites(read(readDockerfile,
                 "# FROM nvidia/cuda:12\nFROM debian\nRUN echo 'needs nvidia/cuda:12 and nvcc'\nMAINTAINER nvcc\n")),
      DeployTest::Sites{});
}

TEST_F(Dockerfile, ReadsApptainerDefinitions) {
  EXPECT_EQ(sites(read(readDockerfile,
                       "Bootstrap: docker\nFrom: nvidia/cuda:12.2.0-devel\n\n%environment\n    export "
                       "CUDA_HOME=/usr/local/cuda\n%help\n    nvcc is here\n"
                       "%post\n    nvcc -V\n")),
            (DeployTest::Sites{"2 image-cuda 12.2.0-devel", "5 env-cuda-home", "9 cli-nvcc"}));
}

TEST_F(Dockerfile, SurvivesBrokenText) {
  for (const std::string_view text : {"FROM", "RUN \\", "RUN <<EOF", "ENV", "ONBUILD ONBUILD RUN", "ARG A=${A",
                                      "CMD [\"a\"", "FROM ${", "COPY --from="})
    read(readDockerfile, text);
}

}  // namespace
}  // namespace unwarp::scan
