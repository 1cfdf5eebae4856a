// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of readers. A kind without a reader is read as bytes: it counts, and nothing is looked for in it.
#include "scan/dispatch.h"

#include <array>
#include <utility>

#include "scan/binary/archive.h"
#include "scan/classify.h"
#include "scan/readers.h"

namespace unwarp::scan {

namespace {

using Reader = void (*)(const ReadContext&, const Input&, FileFacts&);

Reader readerOf(FileKind kind) {
  switch (kind) {
    case FileKind::CSource:
    case FileKind::CudaSource:
    case FileKind::HipSource:
      return readSource;
    case FileKind::Python:
    case FileKind::Cython:
      return readPython;
    case FileKind::Notebook:
      return readNotebook;
    case FileKind::Requirements:
      return readRequirements;
    case FileKind::Pyproject:
      return readPyproject;
    case FileKind::SetupCfg:
      return readSetupCfg;
    case FileKind::CondaEnv:
      return readCondaEnv;
    case FileKind::Pipfile:
      return readPipfile;
    case FileKind::LockFile:
      return readLockFile;
    case FileKind::OtherManifest:
    case FileKind::Julia:
      return readOtherManifest;
    case FileKind::CMake:
      return readCMake;
    case FileKind::CMakePresets:
      return readCMakePresets;
    case FileKind::Make:
    case FileKind::Ninja:
    case FileKind::Autoconf:
      return readMake;
    case FileKind::Bazel:
      return readBazel;
    case FileKind::Meson:
      return readMeson;
    case FileKind::Dockerfile:
    case FileKind::Apptainer:
      return readDockerfile;
    case FileKind::Compose:
    case FileKind::GithubWorkflow:
    case FileKind::GitlabCi:
    case FileKind::AzurePipelines:
    case FileKind::Prometheus:
    case FileKind::Yaml:
      return readYaml;
    case FileKind::Jenkinsfile:
      return readJenkinsfile;
    case FileKind::Terraform:
      return readTerraform;
    case FileKind::Shell:
    case FileKind::Slurm:
    case FileKind::DotEnv:
    case FileKind::SystemdUnit:
      return readShell;
    case FileKind::Json:
    case FileKind::Grafana:
      return readJson;
    case FileKind::GresConf:
    case FileKind::TritonConfig:
      return readModelConfig;
    case FileKind::ModelEngine:
      return readModelEngine;
    case FileKind::Elf:
    case FileKind::HostObject:
      return readElf;
    case FileKind::GpuCode:
      return readGpuCode;
    default:
      return nullptr;
  }
}

}  // namespace

void readByKind(const ReadContext& context, FileKind kind, const Input& input, FileFacts& out) {
  out.path = input.path;
  out.kind = kind;
  out.bytes = input.bytes.size();
  Reader reader = readerOf(kind);
  if (reader == nullptr) {
    out.how = "bytes";
    return;
  }
  out.how = kind == FileKind::Elf || kind == FileKind::GpuCode ? "binary"
            : kind == FileKind::Python                         ? "python"
                                                               : "manifest";
  reader(context, input, out);
}

void readFile(const ReadContext& context, const std::string& realPath, const Input& input,
              const std::function<void(FileFacts&&)>& emit) {
  FileKind kind = classify(input.path, input.bytes.substr(0, headBytes));
  FileFacts facts;
  readByKind(context, kind, input, facts);
  if (kind == FileKind::Archive || kind == FileKind::StaticArchive) {
    facts.how = "members";
    readArchive(context, realPath, input, emit, facts.notes);
  }
  emit(std::move(facts));
}

}  // namespace unwarp::scan
