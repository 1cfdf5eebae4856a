// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HCL and Groovy: attributes, steps, texts, and what must stay silent.
#include "deploy_fixture.h"

namespace unwarp::scan {
namespace {

class BlockLanguages : public DeployTest {
 protected:
  static Sites terraform(std::string_view text) { return sites(read(readTerraform, text, FileKind::Terraform)); }
  static Sites nix(std::string_view text) { return sites(read(readNix, text, FileKind::Nix)); }
  static Sites jenkins(std::string_view text) { return sites(read(readJenkinsfile, text, FileKind::Jenkinsfile)); }
};

TEST_F(BlockLanguages, TerraformMachinesAcceleratorsAndImages) {
  EXPECT_EQ(terraform(R"(# instance_type = "p3.2xlarge"
resource "aws_instance" "gpu" {
  instance_type = "p4d.24xlarge" // p3.2xlarge
  description   = "p3.2xlarge"
  tags = { Name = "gpu" }
}
/* guest_accelerator */
resource "google_compute_instance" "b" {
  guest_accelerator {
    type  = "nvidia-tesla-t4"
  }
}
data "aws_ami" "c" {
  filter {
    name   = "name"
    values = ["Deep Learning AMI GPU PyTorch 2.*"]
  }
}
)"),
            (Sites{"3 cloud-aws", "9 cloud-guest-accelerator", "10 cloud-gcp", "16 cloud-image"}));
}

TEST_F(BlockLanguages, NomadAsksForDevicesByTheirLabel) {
  EXPECT_EQ(
      terraform(
          "task \"t\" {\n  config { image = \"nvidia/cuda:12.4.1-base\" }\n  resources {\n    device \"nvidia/gpu\" {\n"
          "      count = 1\n    }\n    device \"other/nvidia/gpu\" {}\n  }\n}\n"),
      (Sites{"2 image-cuda 12.4.1-base", "4 config-nomad"}));
}

TEST_F(BlockLanguages, WorkflowsNameContainersMachinesAndCommands) {
  EXPECT_EQ(jenkins("process t {\n  container 'nvidia/cuda:12.4'\n  containerOptions '--gpus all'\n  accelerator 1, "
                    "type: 'nvidia-tesla-t4'\n"
                    "  // container 'nvidia/cuda:1'\n  script:\n  \"\"\"\n  nvidia-smi\n  \"\"\"\n}\n"),
            (Sites{"2 image-cuda 12.4", "3 cli-docker-gpus", "4 cloud-gcp", "8 cli-nvidia-smi"}));
  const auto workflow = [](std::string_view text) { return sites(read(readWorkflow, text, FileKind::Workflow)); };
  EXPECT_EQ(workflow("rule t:\n    container: \"docker://nvidia/cuda:12.4\"  # container: \"nvidia/cuda:1\"\n"
                     "    resources: slurm_extra=\"--gres=gpu:a100:1\"\n    shell: \"nvidia-smi\"\n"),
            (Sites{"2 image-cuda 12.4", "3 cli-slurm-model", "4 cli-nvidia-smi"}));
  EXPECT_EQ(workflow("task t {\n  command <<<\n    nvidia-smi\n  >>>\n  runtime {\n    docker: \"nvidia/cuda:12.4\"\n  "
                     "  gpuType: \"nvidia-tesla-t4\"\n  }\n}\n"),
            (Sites{"6 image-cuda 12.4", "7 cloud-gcp", "3 cli-nvidia-smi"}));
}

TEST_F(BlockLanguages, SettingsFilesOfCondorAndGit) {
  EXPECT_EQ(sites(read(readCondorJob,
                       "# docker_image = nvidia/cuda:1\nuniverse = docker\nDocker_Image = nvidia/cuda:12.4\n"
                       "environment = \"CUDA_VISIBLE_DEVICES=0 A=b\"\nrequire_gpus = (Capability >= 8.0)\nqueue\n")),
            (Sites{"3 image-cuda 12.4", "4 env-cuda-visible", "5 config-condor"}));
  EXPECT_EQ(sites(read(readSubmodules,
                       "[submodule \"x\"]\n\tpath = nvidia/nccl\n\turl = https://github.com/NVIDIA/nccl.git\n"
                       "[submodule \"y\"]\n\turl = git@github.com:other/nccl.git\n")),
            (Sites{"3 other-nccl"}));
}

TEST_F(BlockLanguages, BicepCueAndJsonnet) {
  EXPECT_EQ(jenkins("hardwareProfile: { vmSize: 'p4d.24xlarge' } // vmSize: 'p3.x'\n"), (Sites{"1 cloud-aws"}));
  EXPECT_EQ(jenkins("{ image: 'nvidia/cuda:12.4', limits: { 'nvidia.com/gpu': 1 }, note: 'nvidia.com/gpu' }\n"),
            (Sites{"1 image-cuda 12.4", "1 k8s-gpu"}));
}

TEST_F(BlockLanguages, SupervisedPrograms) {
  EXPECT_EQ(
      sites(
          read(readProcessList,
               "[program:x]\ncommand=nvidia-smi -l\nenvironment=A=\"b\",CUDA_VISIBLE_DEVICES=\"0\"\n; command=nvcc\n")),
      (Sites{"2 cli-nvidia-smi", "3 env-cuda-visible"}));
}

TEST_F(BlockLanguages, PackagesOfDistributions) {
  EXPECT_EQ(sites(read(readPackageFields,
                       "Source: cuda\nBuild-Depends: debhelper (>= 9),\n libcudnn8 | nvidia-driver-550\nDescription: "
                       "needs\n cuda\n")),
            (Sites{"3 apt-cudnn", "3 apt-driver"}));
  EXPECT_EQ(sites(read(readPackageFields, "Name: cuda\nBuildRequires: cuda-toolkit-12-4 >= 12\n# Requires: cuda\n")),
            (Sites{"2 apt-cuda-toolkit"}));
  EXPECT_EQ(sites(read(readPackageLines, "cuda-toolkit-12-4\n# cuda\nhello world\n")), (Sites{"1 apt-cuda-toolkit"}));
}

TEST_F(BlockLanguages, TomlIsReadByItsKeys) {
  EXPECT_EQ(
      sites(read(readToml,
                 "[env]\nCUDA_VISIBLE_DEVICES = \"0\"\n[job]\nimage = \"nvidia/cuda:12.4\"\ntitle = \"nvidia-smi\"\n"
                 "cmds = [\"nvidia-smi\"]\n[[inputs.nvidia_smi]]\n# [[inputs.nvidia_smi]]\n")),
      (Sites{"2 env-cuda-visible", "4 image-cuda 12.4", "6 cli-nvidia-smi", "7 config-telegraf"}));
}

TEST_F(BlockLanguages, BakeArgumentsContextsAndDefaults) {
  EXPECT_EQ(terraform(R"(variable "BASE" {
  default = "nvidia/cuda:12.4.1-devel-ubuntu22.04"
}
target "app" {
  args = {
    RUNTIME = "nvcr.io/nvidia/pytorch:24.05-py3"
    OTHER   = "python:3.12"
  }
  contexts = {
    gpu  = "docker-image://nvidia/cuda:12.2.0-base"
    site = "https://example.org/nvidia/cuda:x"
  }
  tags = ["me/app:cuda12"]
}
)"),
            (Sites{"2 image-cuda 12.4.1-devel-ubuntu22.04", "6 image-ngc 24.05-py3", "10 image-cuda 12.2.0-base"}));
}

TEST_F(BlockLanguages, TerraformScriptsAndKubernetesNames) {
  EXPECT_EQ(terraform(R"(resource "a" "b" {
  user_data = <<-EOF
    #!/bin/bash
    nvidia-smi
  EOF
  limits = {
    "nvidia.com/gpu" = 1
  }
  container { image = "nvcr.io/nvidia/pytorch:24.05-py3" }
  provisioner "remote-exec" {
    inline = ["sudo apt-get install -y nvidia-driver-535", "echo nvcc"]
  }
  chart_repository = "https://helm.ngc.nvidia.com/nvidia"
}
)"),
            (Sites{"4 cli-nvidia-smi", "7 k8s-gpu", "9 image-ngc 24.05-py3", "11 apt-driver", "13 k8s-operator"}));
}

TEST_F(BlockLanguages, JenkinsPipelines) {
  EXPECT_EQ(jenkins(R"(pipeline {
  agent { docker { image 'nvidia/cuda:12.2.0-devel'
                   args '--gpus all' } }
  environment { CUDA_HOME = '/usr/local/cuda' }
  stages {
    stage('nvidia-smi') {  // nvcc
      agent { label 'linux && my-gpu' }
      steps {
        echo 'nvcc'
        sh 'nvcc -V'
        sh """
          make
          nvidia-smi
        """
        sh(script: 'nvidia-smi -L', returnStdout: true)
      }
    }
  }
}
)"),
            (Sites{"2 image-cuda 12.2.0-devel", "3 cli-docker-gpus", "4 env-cuda-home", "7 ci-label", "10 cli-nvcc",
                   "13 cli-nvidia-smi", "15 cli-nvidia-smi"}));
}

TEST_F(BlockLanguages, SurviveBrokenText) {
  for (const std::string_view text : {"a = \"", "<<", "<<EOF", "<<EOF\n", "/*", "'''", "sh '", "x = \"${", "\\"}) {
    terraform(text);
    jenkins(text);
  }
}

TEST_F(BlockLanguages, NixPackagesSwitchesAndScripts) {
  EXPECT_EQ(nix(R"({ lib, stdenv, config, cudaPackages # cudaPackages.cudnn
, cudaSupport ? config.cudaSupport }:
stdenv.mkDerivation {
  buildInputs = lib.optionals cudaSupport [ cudaPackages.cuda_nvcc pkgs.cudaPackages.cudnn ];
  nativeBuildInputs = [ cudatoolkit ] // { };
  cmakeFlags = [ "-DUSE_CUDA=ON" "-DUSE_CUDA=OFF" ];
  shellHook = ''
    export CUDA_HOME=''${x:-/x}
    nvidia-smi
  '';
  meta.description = "cudaPackages.cudnn";
  cudaSupport = false;
  nixpkgs.config.cudaSupport = true;
  hardware.nvidia = { open = true; };
  NCCL_DEBUG = "INFO";
})"),
            (Sites{"1 config-nix", "4 config-nix", "4 config-nix", "5 other-nix", "6 cmake-use-cuda ON",
                   "8 env-cuda-home", "9 cli-nvidia-smi", "13 config-nix", "14 config-nix", "15 env-nccl"}));
}

TEST_F(BlockLanguages, EachOfSeveralOnOneLineCounts) {
  EXPECT_EQ(nix("[ cudaPackages.cudnn cudaPackages.nccl\ncudaPackages.cudnn cudaPackages.cudnn ]"),
            (Sites{"1 config-nix", "1 config-nix", "2 config-nix"}));
  EXPECT_EQ(nix("buildInputs = with pkgs.cudaPackages; [ cudnn nccl cmake\nlibcublas ];\nother = [ nccl ];"),
            (Sites{"1 config-nix", "1 config-nix", "1 config-nix", "2 config-nix"}));
  EXPECT_EQ(terraform("instance_types = [\"p4d.24xlarge\", \"g5.xlarge\", \"m5.large\"]"),
            (Sites{"1 cloud-aws", "1 cloud-aws"}));
}

}  // namespace
}  // namespace unwarp::scan
