// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Setting files, units, resource files and compiled models.
#include "deploy_fixture.h"

namespace unwarp::scan {
namespace {

using SettingFiles = DeployTest;

TEST_F(SettingFiles, EnvironmentFile) {
  EXPECT_EQ(
      sites(read(readShell,
                 "# CUDA_HOME=/x\nCUDA_VISIBLE_DEVICES=0,1\nexport IMAGE=\"nvcr.io/nvidia/nemo:24\"\nNOTE=it's nvcc\n",
                 FileKind::DotEnv)),
      (Sites{"2 env-cuda-visible", "3 image-ngc 24"}));
}

TEST_F(SettingFiles, SystemdUnit) {
  EXPECT_EQ(sites(read(readShell,
                       "[Unit]\nDescription=nvidia-smi daemon\n[Service]\nEnvironment=\"NCCL_DEBUG=INFO\" "
                       "A=b\nExecStartPre=-/usr/bin/nvidia-smi -pm 1\n"
                       "ExecStart=/usr/bin/docker run \\\n  --gpus all alpine\nDeviceAllow=/dev/nvidia0 rw\n",
                       FileKind::SystemdUnit)),
            (Sites{"4 env-nccl", "5 cli-nvidia-smi", "7 cli-docker-gpus", "8 config-devices"}));
}

TEST_F(SettingFiles, SlurmResources) {
  EXPECT_EQ(sites(read(readModelConfig,
                       "AutoDetect=nvml # AutoDetect=nvml\nName=gpu Type=A100 File=/dev/x\nNodeName=n[1-4] "
                       "Gres=gpu:a100:8\nGresTypes=gpu\nName=gpu\n",
                       FileKind::GresConf, "gres.conf")),
            (Sites{"1 config-autodetect", "2 cli-slurm-model", "3 cli-slurm-model"}));
}

TEST_F(SettingFiles, TritonConfiguration) {
  EXPECT_EQ(
      sites(read(
          readModelConfig,
          "name: \"tensorrt\"\nplatform: \"tensorrt_plan\" # x\ninstance_group [ { kind: KIND_GPU } ]\n"
          "optimization { execution_accelerators { gpu_execution_accelerator : [ {\n name : \"tensorrt\" } ] } }\n",
          FileKind::TritonConfig, "config.pbtxt")),
      (Sites{"2 config-tensorrt", "5 config-tensorrt"}));
}

TEST_F(SettingFiles, CompiledModelsAreToldByTheirFirstBytes) {
  EXPECT_EQ(sites(read(readModelEngine, std::string_view("ftrt\0\0", 6), FileKind::ModelEngine, "a/yolo.engine")),
            (Sites{"1 file-tensorrt-engine"}));
  EXPECT_EQ(sites(read(readModelEngine, std::string_view("\x02\0\0\0{}ftrt", 10), FileKind::ModelEngine, "a.bin")),
            (Sites{"1 file-tensorrt-engine"}));
  const FileFacts other = read(readModelEngine, "PK\x03\x04", FileKind::ModelEngine, "x.plan");
  EXPECT_TRUE(other.dependencies.empty());
  EXPECT_EQ(other.notes.size(), 1u);
}

}  // namespace
}  // namespace unwarp::scan
