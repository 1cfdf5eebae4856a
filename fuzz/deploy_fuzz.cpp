// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containers, CI, orchestration.
#include "audit_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t sizeBytes) {
  return unwarp::fuzz::auditAs(
      {"Dockerfile", "docker-compose.yml", ".github/workflows/a.yml", ".gitlab-ci.yml", "deployment.yaml", "main.tf",
       "Jenkinsfile", "azure-pipelines.yml", "Singularity", "default.nix", "spack.yaml", "modulefiles/a.lua",
       "Snakefile", "a.wdl", "config.toml", "a.sub", ".gitmodules"},
      data, sizeBytes);
}
