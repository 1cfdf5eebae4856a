// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// YAML and JSON deployment files: compose, pipelines, Kubernetes, Helm, playbooks, monitoring, and what must stay
// silent.
#include "deploy_fixture.h"

namespace unwarp::scan {
namespace {

class ReadYaml : public DeployTest {
 protected:
  static Sites yaml(std::string_view text, FileKind kind = FileKind::Yaml) { return sites(read(readYaml, text, kind)); }
  static Sites json(std::string_view text, std::string path = "a.json") {
    return sites(read(readJson, text, FileKind::Json, std::move(path)));
  }
};

TEST_F(ReadYaml, Compose) {
  EXPECT_EQ(yaml(R"(services:
  app:
    image: vllm/vllm-openai:v0.6
    runtime: nvidia
    environment:
      - NVIDIA_VISIBLE_DEVICES=all
      - MODE=nvcc
    devices:
      - /dev/nvidia0:/dev/nvidia0
    build:
      args:
        TORCH_CUDA_ARCH_LIST: "8.0"
    deploy:
      resources:
        reservations:
          devices:
            - driver: nvidia
              count: 1
              capabilities: [gpu]
  b:
    command: ["nvidia-smi", "-L"]
    healthcheck:
      test: ["CMD-SHELL", "nvidia-smi || exit 1"]
    gpus: all
    deploy: {resources: {reservations: {devices: [{capabilities: [gpu]}]}}}
)"),
            (Sites{"3 image-vllm v0.6", "4 config-runtime", "6 env-nvidia-visible", "9 config-devices",
                   "12 env-torch-arch", "17 config-driver", "21 cli-nvidia-smi", "23 cli-nvidia-smi",
                   "24 cli-docker-gpus", "25 cli-docker-gpus"}));
}

TEST_F(ReadYaml, MachinesOfCircleCiTasksAndIncludedRoles) {
  EXPECT_EQ(yaml("jobs:\n  t:\n    machine:\n      image: linux-nvidia-12:default\n    image: other-nvidia-x\n"),
            (Sites{"4 ci-label"}));
  EXPECT_EQ(yaml("tasks:\n  build:\n    cmds:\n      - nvcc a.cu\n      - task: nvcc\n"), (Sites{"4 cli-nvcc"}));
  EXPECT_EQ(yaml("- include_role:\n    name: nvidia.nvidia_driver\n- name: nvidia.nvidia_driver\n"),
            (Sites{"2 cloud-role"}));
}

TEST_F(ReadYaml, DevicesOfTheContainerDeviceInterface) {
  EXPECT_EQ(yaml("services:\n  a:\n    devices:\n      - nvidia.com/gpu=all\n      - amd.com/gpu=all\n"),
            (Sites{"4 config-cdi"}));
}

TEST_F(ReadYaml, MachinesThatARequirementListsAndPackagesOfASnap) {
  EXPECT_EQ(yaml("requirements:\n- key: node.kubernetes.io/instance-type\n  operator: In\n  values: [\"p4d.24xlarge\", "
                 "m5.large]\n- key: x\n  values: [p3.x]\n"),
            (Sites{"4 cloud-aws"}));
  EXPECT_EQ(yaml("parts:\n  x:\n    stage-packages: [cuda]\n    build-packages:\n    - cuda-toolkit-12-4\n    after: "
                 "[cuda]\n"),
            (Sites{"3 apt-cuda-toolkit", "5 apt-cuda-toolkit"}));
}

TEST_F(ReadYaml, AgentsNameTheirIntegrationByAFolder) {
  const auto at = [](std::string path) {
    return sites(read(readYaml, "instances:\n", FileKind::Yaml, std::move(path)));
  };
  EXPECT_EQ(at("conf.d/nvml.d/conf.yaml"), (Sites{"1 config-telegraf"}));
  EXPECT_EQ(at("conf.yaml"), Sites{});
  EXPECT_EQ(at("nvml/conf.yaml"), Sites{});
}

TEST_F(ReadYaml, GithubWorkflow) {
  EXPECT_EQ(yaml(R"(name: nvcc gpu nvidia-smi
on: push
env:
  CUDA_HOME: /usr/local/cuda
jobs:
  gpu:
    name: build with nvidia-smi
    runs-on: [self-hosted, linux-nvidia-gpu]
    container: nvidia/cuda:12.2.0-devel
    strategy:
      matrix:
        cuda: ['11.8', '12.4']
        os: [ubuntu-22.04]
        include:
          - cuda-arch: "80"
            runner: ubuntu-t4
    steps:
      - uses: actions/checkout@v4
      - uses: Jimver/cuda-toolkit@v0.2.15
        with:
          cuda: '12.5.0'
      - name: nvcc
        run: |
          echo "nvcc"
          nvcc --version
      - run: nvidia-smi
      - shell: bash
        run: >
          docker run
          --gpus all alpine
)",
                 FileKind::GithubWorkflow),
            (Sites{"4 env-cuda-home", "8 ci-label", "9 image-cuda 12.2.0-devel", "12 ci-matrix", "15 ci-matrix 80",
                   "16 ci-label", "19 ci-action 12.5.0", "25 cli-nvcc", "26 cli-nvidia-smi", "30 cli-docker-gpus"}));
}

TEST_F(ReadYaml, OptionsOfContainersAndServices) {
  EXPECT_EQ(yaml(R"(jobs:
  a:
    container:
      image: ubuntu:22.04
      options: --gpus all --ipc=host
    services:
      s:
        image: redis
        options: >-
          --health-cmd "redis-cli ping"
          --runtime=nvidia
  b:
    container:
      image: ubuntu:22.04
      options: --device nvidia.com/gpu=all -e NVIDIA_VISIBLE_DEVICES
  c:
    container:
      image: ubuntu:22.04
      options: ${{ matrix.gpu && '--gpus all' || '' }}
    steps:
      - uses: addnab/docker-run-action@v3
        with: {options: -e NCCL_DEBUG=INFO --gpus all, image: me/app}
    with:
      docker-options: --gpus all
      options: --gpus all
)",
                 FileKind::GithubWorkflow),
            (Sites{"5 cli-docker-gpus", "11 cli-docker-runtime", "15 cli-docker-device", "15 env-nvidia-visible",
                   "19 cli-docker-gpus", "22 env-nccl", "22 cli-docker-gpus", "24 cli-docker-gpus"}));
  EXPECT_EQ(yaml(R"(resources:
  containers:
  - container: gpu
    image: ubuntu:22.04
    options: --gpus all
)",
                 FileKind::AzurePipelines),
            (Sites{"5 cli-docker-gpus"}));
}

TEST_F(ReadYaml, AGenericRunnerLabelBesideOneOfAmdBindsNothing) {
  EXPECT_EQ(yaml("jobs:\n  a:\n    runs-on: [self-hosted, gpu-large, mi300x]\n"), Sites{});
  EXPECT_EQ(yaml("a:\n  tags: [gpu-large, amd]\n", FileKind::GitlabCi), Sites{});
  EXPECT_EQ(yaml("a:\n  tags: [gpu-large, nvidia-t4, amd]\n", FileKind::GitlabCi), (Sites{"2 ci-label"}));
  EXPECT_EQ(yaml("jobs:\n  a:\n    runs-on: [self-hosted, gpu-large]\n"), (Sites{"3 ci-label-gpu"}));
  EXPECT_EQ(yaml("jobs:\n  a:\n    strategy:\n      matrix:\n        runner: [gpu-large, mi300x]\n"),
            (Sites{"5 ci-label-gpu"}));
}

TEST_F(ReadYaml, ArgumentsBelongToTheEntryPointOfABuildStep) {
  EXPECT_EQ(yaml("steps:\n- name: x\n  entrypoint: bash\n  args: ['-c', 'nvcc x.cu']\n"), (Sites{"4 cli-nvcc"}));
  EXPECT_EQ(yaml("steps:\n- name: x\n  entrypoint: echo\n  args: ['nvcc x.cu']\n"), Sites{});
}

TEST_F(ReadYaml, GitlabCi) {
  EXPECT_EQ(yaml(R"(default:
  image: nvidia/cuda:12.1.0-base
variables:
  NCCL_DEBUG: INFO
  USE_CUDA:
    value: "1"
    description: nvcc
test:
  tags: [gpu, docker]
  script:
    - nvidia-smi
    - >
      nvcc
      -V
)",
                 FileKind::GitlabCi),
            (Sites{"2 image-cuda 12.1.0-base", "4 env-nccl", "5 env-use-cuda", "9 ci-label", "11 cli-nvidia-smi",
                   "13 cli-nvcc"}));
}

TEST_F(ReadYaml, Kubernetes) {
  EXPECT_EQ(yaml(R"(apiVersion: v1
kind: Pod
metadata:
  name: gpu-pod
  annotations:
    description: uses nvidia.com/gpu
spec:
  runtimeClassName: nvidia
  nodeSelector:
    nvidia.com/gpu.product: A100
    node.kubernetes.io/instance-type: p4d.24xlarge
  tolerations:
    - key: nvidia.com/gpu
      operator: Exists
  containers:
    - name: cuda
      image: nvcr.io/nvidia/pytorch:24.05-py3
      env:
        - name: NCCL_DEBUG
          value: INFO
      command: ["/bin/sh", "-c"]
      args: ["nvidia-smi && sleep 1"]
      resources:
        limits:
          nvidia.com/gpu: 1
          nvidia.com/mig-1g.5gb: "1"
        requests: {nvidia.com/gpu: 0}
  volumes:
    - hostPath:
        path: /dev/nvidia0
---
kind: ConfigMap
data:
  config.yaml: |
    resources:
      - name: nvidia.com/gpu
        replicas: 4
  run.sh: |
    nvcc -V
)"),
            (Sites{"8 k8s-runtime-class", "10 k8s-labels", "11 cloud-aws", "13 k8s-key", "17 image-ngc 24.05-py3",
                   "19 env-nccl", "22 cli-nvidia-smi", "25 k8s-gpu", "26 k8s-mig", "30 k8s-hostpath", "36 k8s-gpu",
                   "39 cli-nvcc"}));
}

TEST_F(ReadYaml, ProseInAConfigMapIsNoManifest) {
  EXPECT_EQ(yaml(R"(kind: ConfigMap
data:
  README: |
    This chart runs on our images, for example:
    image: nvidia/cuda:12.4.1-base-ubuntu22.04
    nvidia.com/gpu: 1
  NOTES.txt: |
    image: nvidia/cuda:12.4.1-base-ubuntu22.04
  settings: |
    # of the plugin
    resources:
      limits:
        nvidia.com/gpu: 1
  list: |
    - nvcr.io/nvidia/pytorch:24.01-py3
)"),
            (Sites{"13 k8s-gpu", "15 image-ngc 24.01-py3"}));
}

TEST_F(ReadYaml, HelmValuesAndTemplates) {
  EXPECT_EQ(yaml(R"({{- if .Values.gpu }}
image:
  registry: docker.io
  repository: nvidia/cuda
  tag: 12.4.1
resources:
  limits:
    {{- toYaml .Values.limits | nindent 4 }}
    nvidia.com/gpu: {{ .Values.count }}
{{- end }}
dependencies:
  - name: gpu-operator
    repository: https://helm.ngc.nvidia.com/nvidia
links:
  - https://docs.nvidia.com/cuda/index.html
)"),
            (Sites{"4 image-cuda 12.4.1", "9 k8s-gpu", "13 k8s-operator"}));
}

TEST_F(ReadYaml, TemplatesFallBackToTheirDefaults) {
  EXPECT_EQ(yaml(R"({{- $image := .Values.image | default "nvcr.io/nvidia/pytorch:24.05" }}
{{/* default "nvidia/cuda:1" */}}
a:
  image: {{ .Values.image | default "nvidia/cuda:12.4.1" }}
b:
  image: "{{ .Values.repo | default "nvidia/cuda" }}:{{ default "12.2" .Values.tag }}"
c:
  image: "{{ gpu_image | default('nvidia/cuda:11.8') }}"
d:
  image: {{ default "ubuntu:22.04" .Values.x }}
)"),
            (Sites{"4 image-cuda 12.4.1", "6 image-cuda 12.2", "8 image-cuda 11.8", "1 image-ngc 24.05"}));
}

TEST_F(ReadYaml, TemplatesPutImagesTogether) {
  EXPECT_EQ(
      yaml(R"({{- $image := printf "%s/%s:%s" "nvcr.io" "nvidia/pytorch" "24.05" }}
a:
  image: {{ printf "nvidia/cuda:%s" .Values.tag }}
b:
  image: {{ printf "%s/%s:%s" .Values.registry "nvidia/cuda" (.Values.tag | default "12.4.1") | quote }}
c:
  image: {{ ternary "nvidia/cuda:12.2" "ubuntu:22.04" .Values.gpu.enabled }}
d:
  image: "{{ .Values.registry }}/{{ .Values.gpu | ternary "nvidia/cuda" "ubuntu" }}:{{ .Values.tag }}"
e:
  image: "{{ 'nvidia/cuda:11.8' if gpu else 'ubuntu:22.04' }}"
f:
  image: "{{ gpu | ternary('nvidia/cuda:11.7', 'ubuntu') }}"
g:
  image: "{{ print "nvidia/cuda:" .Values.tag }}"
h:
  image: {{ ternary "ubuntu:22.04" "debian:12" .Values.gpu.enabled }}
i:
  image: {{ include "cuda.image" (dict "root" . "name" "nvidia") }}
j:
  image: {{ tpl (coalesce .Values.image "nvidia/cuda:12.0") . }}
k:
  image: "{{ 'nvidia/cuda:' ~ tag }}"
l:
  image: {{ if .Values.gpu }}nvidia/cuda:12.3{{ else if .x }}debian{{ else }}ubuntu{{ end }}
{{- $repo := .Values.repo | default "nvcr.io/nvidia/pytorch" -}}
{{- printf "%s:%s" $repo (.Values.tag | default "24.06") -}}
{{- define "app.cuda" -}}{{ printf "nvidia/cuda:%s" .Values.cuda }}{{- end -}}
)"),
      (Sites{"3 image-cuda {{ .Values.tag }}", "5 image-cuda 12.4.1", "7 image-cuda 12.2",
             "9 image-cuda {{ .Values.tag }}", "11 image-cuda 11.8", "13 image-cuda 11.7",
             "15 image-cuda {{ .Values.tag }}", "21 image-cuda 12.0", "23 image-cuda {{ tag }}", "25 image-cuda 12.3",
             "1 image-ngc 24.05", "27 image-ngc 24.06", "28 image-cuda {{ .Values.cuda }}"}));
}

TEST_F(ReadYaml, BrokenTemplatesEndTheSearch) {
  std::string nested = "image: {{ ";
  for (int i = 0; i < 1000; ++i) nested += "printf (";
  yaml(nested + " }}");
  for (const std::string_view text : {"{{ printf \"", "{{ printf }}", "{{ ternary }}", "{{ printf \"%\" }}", "{{ | }}",
                                      "{{ ) ( }}", "{{ 'a' if }}", "{{ default ( }}", "{{ \\ }}", "{{-}}"})
    yaml("image: " + std::string(text) + "\n" + std::string(text));
}

TEST_F(ReadYaml, KustomizeReplacesImages) {
  EXPECT_EQ(yaml(R"(images:
  - name: app
    newName: nvcr.io/nvidia/pytorch
    newTag: "24.05-py3"
  - name: nvidia/cuda
    newTag: 12.4.1
  - name: nvidia/cuda
    newName: rocm/dev-ubuntu-22.04
  - name: nvidia/cuda
)"),
            (Sites{"3 image-ngc 24.05-py3", "5 image-cuda 12.4.1"}));
}

TEST_F(ReadYaml, SpackEnvironments) {
  EXPECT_EQ(sites(read(readYaml, R"(spack:
  specs:
  - hdf5@1.14+mpi+cuda cuda_arch=80
  - hdf5~cuda
  - nccl
  definitions:
  - libs: [zlib, cuda@12.4]
  packages:
    all:
      variants: +cuda
)",
                       FileKind::Yaml, "env/dependencies.yaml")),
            (Sites{"3 config-spack", "5 config-spack-nccl", "7 config-spack 12.4", "10 config-spack"}));
}

TEST_F(ReadYaml, AFamilyIsNoMachineImage) {
  EXPECT_EQ(yaml("labels:\n  nvidia.com/gpu.family: hopper\n"), (Sites{"2 k8s-labels"}));
}

TEST_F(ReadYaml, OneWordIsOneBinding) {
  EXPECT_EQ(yaml("- apt:\n    name: nvidia-container-toolkit\n- apt: {name: [nvidia-container-toolkit, vim]}\n"),
            (Sites{"2 apt-ctk", "3 apt-ctk"}));
}

TEST_F(ReadYaml, Playbook) {
  EXPECT_EQ(yaml(R"(- hosts: gpu
  roles:
    - role: nvidia.nvidia_driver
  tasks:
    - name: install nvidia-driver-535
      ansible.builtin.apt:
        name: [nvidia-driver-535, vim]
        state: present
    - apt: name=cuda-toolkit-12-2 state=present
    - pip: {name: flash-attn, version: "2.5"}
    - shell: nvidia-smi
    - apt:
        name: "{{ item }}"
      loop: [libcudnn8]
)"),
            (Sites{"3 cloud-role", "7 apt-driver", "9 apt-cuda-toolkit", "10 pypi-flash-attn ==2.5",
                   "11 cli-nvidia-smi", "14 apt-cudnn"}));
}

TEST_F(ReadYaml, PrometheusRulesAndScrapeTargets) {
  EXPECT_EQ(yaml(R"(groups:
  - name: DCGM_FI_group
    rules:
      - alert: Hot
        expr: |
          avg(DCGM_FI_DEV_GPU_TEMP{gpu="0"}) > 80
            or up{job="DCGM_FI_X"}
        annotations:
          description: DCGM_FI_DEV_GPU_TEMP is high
scrape_configs:
  - job_name: x
    static_configs:
      - targets: ['dcgm-exporter:9400']
)"),
            (Sites{"6 metric-dcgm", "13 k8s-dcgm"}));
}

TEST_F(ReadYaml, CloudInitAndMachines) {
  EXPECT_EQ(yaml("#cloud-config\npackages:\n  - nvidia-driver-535\nruncmd:\n  - nvidia-smi\n  - [nvcc, "
                 "-V]\ninstanceType: p3.2xlarge\nname: p3.2xlarge\n"),
            (Sites{"3 apt-driver", "5 cli-nvidia-smi", "6 cli-nvcc", "7 cloud-aws"}));
}

TEST_F(ReadYaml, TrainingSettings) {
  EXPECT_EQ(yaml("backend: nccl\nkernels:\n  - {num_warps: 4}\n  - {num_warps: 8}\n"),
            (Sites{"1 config-nccl", "3 config-num-warps"}));
}

TEST_F(ReadYaml, TreesWithoutGpuCodeStaySilent) {
  EXPECT_EQ(yaml(R"(openapi: 3.0.0
info: {title: nvcc and nvidia-smi, description: "runs nvidia/cuda:12"}
tags: [gpu, nvidia]
paths:
  /gpu:
    get:
      summary: nvidia.com/gpu
      tags: [cuda-gpu]
      operationId: my-gpu
jobs:
  linux-gpu:
    runs-on: ubuntu-latest
    steps: [{uses: my/gpu, name: a-gpu}, {run: echo nvcc}]
target: "//kernels/lib:cuda_utils"
site: https://developer.nvidia.com/cuda
)"),
            Sites{});
}

TEST_F(ReadYaml, SettingsInJson) {
  EXPECT_EQ(
      json(R"({
  "image": "nvidia/cuda:12.2.0-devel",
  "runArgs": ["--gpus", "all"],
  "features": {"ghcr.io/devcontainers/features/nvidia-cuda:1": {"installCudnn": true}},
  "containerEnv": {"CUDA_HOME": "/usr/local/cuda"},
  "postCreateCommand": "nvcc -V"
})",
           "devcontainer.json"),
      (Sites{"2 image-cuda 12.2.0-devel", "3 cli-docker-gpus", "4 config-feature", "5 env-cuda-home", "6 cli-nvcc"}));
}

TEST_F(ReadYaml, BakeFilesInJson) {
  EXPECT_EQ(json(R"({"target": {"app": {
  "args": {"RUNTIME": "nvidia/cuda:12.4.1-base"},
  "contexts": {"gpu": "docker-image://nvidia/cuda:12.2.0-devel"},
  "tags": ["me/app:cuda12"]}}})",
                 "docker-bake.json"),
            (Sites{"2 image-cuda 12.4.1-base", "3 image-cuda 12.2.0-devel"}));
}

TEST_F(ReadYaml, GrafanaDashboard) {
  EXPECT_EQ(json(R"json({"title": "DCGM_FI_DEV_X", "panels": [
  {"title": "DCGM_FI_DEV_GPU_UTIL", "targets": [{"expr": "avg(DCGM_FI_DEV_GPU_UTIL)"}]},
  {"targets": [{"expr": "{__name__=~\"DCGM_FI_PROF.*\"} + up"}]}]})json"),
            (Sites{"2 metric-dcgm", "3 metric-dcgm"}));
}

TEST_F(ReadYaml, NpmLockFilesAreNoted) {
  const FileFacts facts = read(readJson, "{\"image\": \"nvidia/cuda:1\"}", FileKind::Json, "x/package-lock.json");
  EXPECT_TRUE(facts.dependencies.empty());
  EXPECT_EQ(facts.notes.size(), 1u);
}

TEST_F(ReadYaml, BrokenJsonIsReadAsFarAsItGoesAndNoted) {
  const FileFacts facts = read(readJson, "{\"image\": \"nvidia/cuda:1\", \"b\": ", FileKind::Json, "x.json");
  EXPECT_EQ(sites(facts), (Sites{"1 image-cuda 1"}));
  EXPECT_EQ(facts.notes.size(), 1u);
}

}  // namespace
}  // namespace unwarp::scan
