// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of readers. A kind without a reader is read as bytes: it counts, and nothing is looked for in it.
#include "scan/dispatch.h"

#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "scan/binary/archive.h"
#include "scan/classify.h"
#include "scan/readers.h"

namespace unwarp::scan {

namespace {

/// No manifest, script or notebook is as large; what is, is data with a manifest's name.
constexpr std::size_t manifestBytesMax = 16u << 20;

using Reader = void (*)(const ReadContext&, const Input&, FileFacts&);

constexpr std::pair<FileKind, Reader> readers[] = {{FileKind::CSource, readSource},
                                                   {FileKind::CudaSource, readSource},
                                                   {FileKind::HipSource, readSource},
                                                   {FileKind::Python, readPython},
                                                   {FileKind::Cython, readPython},
                                                   {FileKind::Notebook, readNotebook},
                                                   {FileKind::Requirements, readRequirements},
                                                   {FileKind::Pyproject, readPyproject},
                                                   {FileKind::SetupCfg, readSetupCfg},
                                                   {FileKind::CondaEnv, readCondaEnv},
                                                   {FileKind::Pipfile, readPipfile},
                                                   {FileKind::LockFile, readLockFile},
                                                   {FileKind::OtherManifest, readOtherManifest},
                                                   {FileKind::MsBuild, readMsBuild},
                                                   {FileKind::Fortran, readFortran},
                                                   {FileKind::Go, readGo},
                                                   {FileKind::Rust, readRust},
                                                   {FileKind::ManagedCode, readManagedCode},
                                                   {FileKind::Matlab, readMatlab},
                                                   {FileKind::R, readR},
                                                   {FileKind::Toml, readToml},
                                                   {FileKind::Workflow, readWorkflow},
                                                   {FileKind::EasyBuild, readEasyBuild},
                                                   {FileKind::CondorJob, readCondorJob},
                                                   {FileKind::Submodules, readSubmodules},
                                                   {FileKind::Just, readJustfile},
                                                   {FileKind::LuaBuild, readLuaBuild},
                                                   {FileKind::BlockScript, readJenkinsfile},
                                                   {FileKind::ProcessList, readProcessList},
                                                   {FileKind::PackageFields, readPackageFields},
                                                   {FileKind::PackageLines, readPackageLines},
                                                   {FileKind::Julia, readJulia},
                                                   {FileKind::NativePackages, readNativePackages},
                                                   {FileKind::Nix, readNix},
                                                   {FileKind::Modulefile, readModulefile},
                                                   {FileKind::CMake, readCMake},
                                                   {FileKind::CMakePresets, readCMakePresets},
                                                   {FileKind::Make, readMake},
                                                   {FileKind::Ninja, readMake},
                                                   {FileKind::Autoconf, readMake},
                                                   {FileKind::Bazel, readBazel},
                                                   {FileKind::Meson, readMeson},
                                                   {FileKind::Dockerfile, readDockerfile},
                                                   {FileKind::Apptainer, readDockerfile},
                                                   {FileKind::Compose, readYaml},
                                                   {FileKind::GithubWorkflow, readYaml},
                                                   {FileKind::GitlabCi, readYaml},
                                                   {FileKind::AzurePipelines, readYaml},
                                                   {FileKind::Prometheus, readYaml},
                                                   {FileKind::Yaml, readYaml},
                                                   {FileKind::Jenkinsfile, readJenkinsfile},
                                                   {FileKind::Terraform, readTerraform},
                                                   {FileKind::Shell, readShell},
                                                   {FileKind::Slurm, readShell},
                                                   {FileKind::DotEnv, readShell},
                                                   {FileKind::SystemdUnit, readShell},
                                                   {FileKind::Json, readJson},
                                                   {FileKind::Grafana, readJson},
                                                   {FileKind::GresConf, readModelConfig},
                                                   {FileKind::TritonConfig, readModelConfig},
                                                   {FileKind::ModelEngine, readModelEngine},
                                                   {FileKind::Elf, readElf},
                                                   {FileKind::HostObject, readElf},
                                                   {FileKind::GpuCode, readGpuCode},
                                                   {FileKind::Archive, readBytes},
                                                   {FileKind::StaticArchive, readBytes}};

Reader readerOf(FileKind kind) {
  for (const auto& [readable, reader] : readers)
    if (readable == kind) return reader;
  return nullptr;
}

bool isLanguage(FileKind kind) {
  return kind == FileKind::Fortran || kind == FileKind::Go || kind == FileKind::Rust || kind == FileKind::ManagedCode ||
         kind == FileKind::Matlab || kind == FileKind::R;
}

/// Text in UTF-16 is read from a copy in UTF-8: no source is as large.
constexpr std::size_t utf16BytesMax = 32u << 20;

/// Readers of text, which is to reach them as UTF-8 without a byte order mark.
bool readsText(Reader reader) {
  return reader != readElf && reader != readGpuCode && reader != readModelEngine && reader != readBytes;
}

}  // namespace

void readByKind(const ReadContext& context, FileKind kind, const Input& input, FileFacts& out) {
  out.path = input.path;
  out.kind = kind;
  out.bytes = input.bytes.size();
  Reader reader = readerOf(kind);
  if (reader == nullptr) return;
  const bool manifest = readsText(reader) && reader != readSource;
  if (manifest && input.bytes.size() > manifestBytesMax) {
    out.notes.push_back("larger than " + std::to_string(manifestBytesMax >> 20) +
                        " MiB: data, not a manifest; searched for GPU code only");
    reader = readBytes;
  }
  std::string_view text = input.bytes;
  if (readsText(reader)) {
    const bool whole = text.size() <= utf16BytesMax;
    std::optional<std::string> decoded = utf8FromUtf16(whole ? text : text.substr(0, headBytes));
    if (decoded && !whole) {
      out.how = "none";
      out.notes.push_back("text in UTF-16 beyond " + std::to_string(utf16BytesMax >> 20) +
                          " MiB is not read; save it as UTF-8");
      return;
    }
    if (decoded) out.utf8Text = std::make_shared<const std::string>(std::move(*decoded));
    text = out.utf8Text ? std::string_view(*out.utf8Text) : withoutByteOrderMark(text);
  }
  out.how = kind == FileKind::Elf || kind == FileKind::GpuCode ? "binary"
            : kind == FileKind::Python                         ? "python"
            : isLanguage(kind)                                 ? "words"
                                                               : "manifest";
  reader(context, {input.path, text}, out);
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
