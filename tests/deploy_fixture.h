// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the deployment and monitoring readers share: a small dependency table of their own (so that they
// test readers, not the state of the knowledge files) and a way to write expected sites as "line id version".
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/knowledge.h"
#include "scan/facts.h"
#include "scan/readers.h"

namespace unwarp::scan {

/// Records by ecosystem: id, patterns.
inline const std::pair<std::string_view, std::vector<std::pair<std::string_view, std::string_view>>> deployRecords[] = {
    {"apt",
     {{"apt-cuda-toolkit", "cuda-toolkit-* | cuda"},
      {"apt-ctk", "nvidia-container-toolkit"},
      {"apt-cudnn", "libcudnn*"},
      {"apt-driver", "nvidia-driver-*"}}},
    {"ci",
     {{"ci-action", "Jimver/cuda-toolkit | */setup-cuda"},
      {"ci-label-amd", "*mi300* | amd"},
      {"ci-label-gpu", "gpu-*"},
      {"ci-label", "gpu | *-gpu | *nvidia* | *-t4"},
      {"ci-matrix", "matrix.cuda | matrix.cuda-*"}}},
    {"cli",
     {{"cli-configure", "--with-cuda | --with-cuda=*"},
      {"cli-docker-gpus", "docker run *--gpus* | docker run --gpus*"},
      {"cli-docker-device", "docker run *--device=nvidia.com/gpu*"},
      {"cli-docker-runtime", "docker run *--runtime=nvidia*"},
      {"cli-apptainer-nv", "singularity *--nv* | apptainer *--nv*"},
      {"cli-bazel", "--config=cuda | --define=using_cuda=true"},
      {"cli-ctk", "nvidia-container-toolkit"},
      {"cli-module", "module load cuda* | module load *nccl*"},
      {"cli-ncu", "ncu | ncu *"},
      {"cli-nsys", "nsys | nsys *"},
      {"cli-nvcc", "nvcc | nvcc *"},
      {"cli-nvidia-smi", "nvidia-smi | nvidia-smi *"},
      {"cli-nvidia-smi-mig", "nvidia-smi mig *"},
      {"cli-slurm-gres-gpu", "--gres=gpu:* | --gpus-per-node=*"},
      {"cli-slurm-model", "--gres=gpu:a100* | --gpus-per-node=a100:* | --constraint=a100*"}}},
    {"cloud",
     {{"cloud-aws", "p3.* | p4d.* | g5.*"},
      {"cloud-gcp", "nvidia-tesla-*"},
      {"cloud-guest-accelerator", "guest_accelerator"},
      {"cloud-image", "*Deep Learning*GPU*"},
      {"cloud-role", "nvidia.nvidia_driver | nvidia.*"}}},
    {"cmake", {{"cmake-architectures", "CMAKE_CUDA_ARCHITECTURES"}, {"cmake-use-cuda", "USE_CUDA"}}},
    {"conda", {{"conda-cudatoolkit", "cudatoolkit"}}},
    {"config",
     {{"config-autodetect", "AutoDetect=nvml"},
      {"config-channel", "channels=nvidia"},
      {"config-conda-build", "*=*=*cuda*"},
      {"config-cdi", "nvidia.com/gpu=*"},
      {"config-condor", "require_gpus=*Capability*"},
      {"config-nomad", "device=nvidia/gpu | device=nvidia/gpu/*"},
      {"config-telegraf", "inputs.nvidia_smi | nvml.d/conf.yaml"},
      {"config-devices", "/dev/nvidia* | *:/dev/nvidia*"},
      {"config-driver", "driver=nvidia"},
      {"config-feature", "ghcr.io/devcontainers/features/nvidia-cuda*"},
      {"config-library-path", "LD_LIBRARY_PATH=*cuda*/lib*"},
      {"config-nccl", "backend=nccl"},
      {"config-num-warps", "num_warps=*"},
      {"config-nix", "cudaSupport=true | cudaPackages | cudaPackages.* | hardware.nvidia*"},
      {"config-runtime", "runtime=nvidia"},
      {"config-spack", "+cuda | cuda_arch=* | ^cuda"},
      {"config-spack-nccl", "^nccl"},
      {"config-tensorrt", "platform=tensorrt_plan | gpu_execution_accelerator=tensorrt"}}},
    {"env",
     {{"env-cuda-home", "CUDA_HOME"},
      {"env-cuda-visible", "CUDA_VISIBLE_DEVICES"},
      {"env-nccl", "NCCL_*"},
      {"env-nvidia-visible", "NVIDIA_VISIBLE_DEVICES"},
      {"env-torch-arch", "TORCH_CUDA_ARCH_LIST"},
      {"env-use-cuda", "USE_CUDA"}}},
    {"file", {{"file-tensorrt-engine", "*.engine | model.plan"}}},
    {"image",
     {{"image-cuda", "nvidia/cuda | nvidia/cuda:* | */nvidia/cuda:*"},
      {"image-ngc", "nvcr.io/*"},
      {"image-vllm", "vllm/vllm-openai:*"},
      {"image-any-cuda-tag", "*:cuda*"}}},
    {"k8s",
     {{"k8s-dcgm", "dcgm-exporter"},
      {"k8s-gpu", "nvidia.com/gpu"},
      {"k8s-key", "key: nvidia.com/gpu"},
      {"k8s-labels", "nvidia.com/gpu.*"},
      {"k8s-hostpath", "path: /dev/nvidia*"},
      {"k8s-mig", "nvidia.com/mig-*"},
      {"k8s-operator", "helm.ngc.nvidia.com/* | nvidia/gpu-operator"},
      {"k8s-runtime-class", "runtimeClassName: nvidia"},
      {"k8s-any", "nvidia.com/* | *.nvidia.com/* | *.nvidia.com"}}},
    {"lib", {{"lib-cuda", "libcuda.so"}}},
    {"metric", {{"metric-dcgm", "DCGM_FI_*"}}},
    {"other-pkg",
     {{"other-nccl", "github.com/nvidia/nccl"},
      {"other-nix", "nix:cudatoolkit"},
      {"other-vcpkg", "vcpkg:cuda | vcpkg:*[cuda]"}}},
    {"pypi", {{"pypi-flash-attn", "flash-attn"}}},
};

class DeployTest : public ::testing::Test {
 protected:
  using Reader = void (*)(const ReadContext&, const Input&, FileFacts&);
  using Sites = std::vector<std::string>;

  static const knowledge::Knowledge& table() {
    static const std::unique_ptr<knowledge::Knowledge> loaded = load();
    return *loaded;
  }

  static FileFacts read(Reader reader, std::string_view text, FileKind kind = FileKind::Text,
                        std::string path = "file") {
    FileFacts facts;
    facts.path = std::move(path);
    facts.kind = kind;
    reader(ReadContext{table()}, Input{facts.path, text}, facts);
    return facts;
  }

  static FileFacts readShellFacts(std::string_view text, std::uint32_t firstLine = 1) {
    FileFacts facts;
    readShellText(ReadContext{table()}, text, firstLine, facts);
    return facts;
  }

  /// "line id", with the version and "guarded" behind it where there are any.
  static Sites sites(const FileFacts& facts) {
    Sites result;
    for (const DependencyUse& use : facts.dependencies) {
      std::string text = std::to_string(use.line) + " " + std::string(table().dependencies()[use.record].id);
      if (!use.version.empty()) text += " " + use.version;
      if (use.guarded) text += " guarded";
      result.push_back(std::move(text));
    }
    return result;
  }
  static Sites shell(std::string_view text) { return sites(readShellFacts(text)); }

 private:
  static std::string row(std::string_view id, std::string_view ecosystem, std::string_view match) {
    std::string line(id);
    line += "\t" + std::string(ecosystem) + "\t" + std::string(match);
    return line + "\tcontainer\t" + (id.ends_with("-amd") ? "already AMD" : "") + "\tport\t\tyes\t\ttest\t2026\n";
  }

  static std::unique_ptr<knowledge::Knowledge> load() {
    std::string rows = "id\tecosystem\tmatch\tword\tcounterpart\tstatus\tby_target\tconfirmed\tnote\tsource\tas_of\n";
    for (const auto& [ecosystem, entries] : deployRecords)
      for (const auto& [id, match] : entries) rows += row(id, ecosystem, match);
    auto parsed = knowledge::Knowledge::parse(
        {{"knowledge/FACTS_DATE", "2026-11-30\n"},
         {"knowledge/layers.tsv", "word\tlayer\tsource\tas_of\ncontainer\tdeployment\ttest\t2026\n"},
         {"knowledge/dependencies.tsv", rows}});
    EXPECT_TRUE(parsed) << parsed.error();
    return std::move(*parsed);
  }
};

}  // namespace unwarp::scan
