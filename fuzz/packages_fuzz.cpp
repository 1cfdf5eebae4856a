// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Package manifests and lock files.
#include "audit_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t sizeBytes) {
  return unwarp::fuzz::auditAs(
      {"requirements.txt", "pyproject.toml", "setup.cfg", "environment.yml", "meta.yaml", "pixi.toml", "Pipfile",
       "poetry.lock", "uv.lock", "Pipfile.lock", "pixi.lock", "conda-lock.yml", "Cargo.toml", "package.json", "go.mod",
       "pom.xml", "Project.toml", "a.vcxproj", "a.eb"},
      data, sizeBytes);
}
