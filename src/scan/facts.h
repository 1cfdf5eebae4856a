// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a reader says about one file: plain facts, no judgement. Rules and layers are made from them in `audit`.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"

namespace unwarp::scan {

class SourceFacts;
struct LexedFile;

/// One use of knowledge.apis()[record]. Lines and columns count from 1.
struct ApiUse {
  std::uint32_t record;
  std::uint32_t line;
  std::uint32_t column;
  bool guarded;             ///< in a region that already has its HIP/ROCm branch
  std::uint32_t count = 1;  ///< above 1: stands for further sites of a giant file
};

/// One place that binds knowledge.dependencies()[record].
struct DependencyUse {
  std::uint32_t record;
  std::uint32_t line;
  std::uint32_t column = 1;
  std::string version;  ///< as written ("12.4.1", ">=2.5"), or empty
  bool guarded = false;
  std::string name = {};  ///< as found ("cupy-cuda12x"); empty: the record's own name
};

/// A compiler flag, an environment setting or a dotted Python name that rules may look at.
enum class MentionKind : std::uint8_t { Flag, Env, Python };
struct Mention {
  MentionKind kind;
  std::string text;   ///< `-use_fast_math`, `NCCL_PROTO`, `torch.cuda.get_device_capability`
  std::string value;  ///< right-hand side, arguments, or empty
  std::uint32_t line;
  std::uint32_t column = 1;
  bool guarded = false;
  bool forAmd = false;  ///< an option of AMD's compiler: it acts where the build guards it for AMD
};

/// What kind of file this is; names (kindName) appear in the coverage section.
enum class FileKind : std::uint8_t {
  Unknown,
  Text,
  Prose,
  CSource,
  CudaSource,
  HipSource,
  Python,
  Cython,
  Notebook,
  Requirements,
  Pyproject,
  SetupCfg,
  CondaEnv,
  Pipfile,
  LockFile,
  OtherManifest,
  MsBuild,
  CMake,
  CMakePresets,
  Make,
  Bazel,
  Meson,
  Ninja,
  Autoconf,
  Dockerfile,
  Compose,
  Apptainer,
  GithubWorkflow,
  GitlabCi,
  Jenkinsfile,
  AzurePipelines,
  Yaml,
  Terraform,
  Shell,
  Slurm,
  DotEnv,
  SystemdUnit,
  Json,
  Grafana,
  Prometheus,
  GresConf,
  TritonConfig,
  ModelEngine,
  Julia,
  NativePackages,
  Nix,
  Modulefile,
  Ini,
  Elf,
  StaticArchive,
  Archive,
  GpuCode,
  HostObject,
  Fortran,
  Go,
  Rust,
  ManagedCode,
  Matlab,
  R,
  Toml,
  Workflow,
  EasyBuild,
  CondorJob,
  Submodules,
  Just,
  LuaBuild,
  BlockScript,
  ProcessList,
  PackageFields,
  PackageLines,
  Media,
};
std::string_view kindName(FileKind kind);

/// CUDA C++ held inside another language (a RawKernel string, a notebook cell), with structure for the rules.
struct EmbeddedSource {
  std::shared_ptr<const std::string> text;  ///< what `facts` looks into
  std::shared_ptr<SourceFacts> facts;
  std::uint32_t lineOffset;            ///< added to its lines to get the file's ...
  std::vector<std::uint32_t> lines{};  ///< ... unless this is filled: the file's line of each of its lines

  std::uint32_t fileLine(std::uint32_t line) const {
    return line >= 1 && line <= lines.size() ? lines[line - 1] : line + lineOffset;
  }
};

/// A line of code inside another file (a notebook cell) that may hold a suppression, and the line of code below it.
struct MarkedLine {
  std::string text;
  std::uint32_t line;
  std::uint32_t next;
};

/// What one C-family source adds to questions that only the whole tree answers.
struct TreeClues {
  bool showsVendor = false;                ///< CUDA or HIP by a header, a path, device code or a name of their own
  std::vector<std::string> ownNamespaces;  ///< `thrust` of `namespace thrust { class Engine {}; }`, without the above
  std::vector<std::uint64_t> includes;     ///< hashes of the file names that it includes: `engine.h`
};

/// Everything one reader learned. `path` is relative to the root; archive members are `archive!member`.
struct FileFacts {
  std::string path;
  FileKind kind = FileKind::Unknown;
  std::string_view how = "read";  ///< tokens, words, manifest, python, binary, bytes, ...
  std::uint64_t bytes = 0;
  std::vector<std::string> notes;  ///< what was not read, and why
  std::vector<ApiUse> apis;
  std::vector<DependencyUse> dependencies;
  std::vector<Mention> mentions;
  std::shared_ptr<SourceFacts> source;            ///< only for C-family sources with GPU evidence
  std::shared_ptr<const std::string> utf8Text;    ///< the whole text when the file's own bytes are UTF-16
  std::shared_ptr<const std::string> sourceText;  ///< what `source` looks into when that is not the file's own bytes
  TreeClues clues;
  std::vector<EmbeddedSource> embedded{};
  std::vector<MarkedLine> markedLines{};
};

/// What every reader gets. Readers are pure: bytes in, facts out; they open nothing and never fail, they note.
struct Input {
  std::string_view path;   ///< relative to the root
  std::string_view bytes;  ///< may be mapped; valid during the call
};
struct ReadContext {
  const knowledge::Knowledge& knowledge;
  LexedFile* scratch =
      nullptr;  ///< token buffer of the calling worker, reused from file to file; null: a fresh one each time
};

/// Appends what was found in a text held inside another file; `lineOf` gives the file's line of a line of the text.
void appendMoved(FileFacts&& inner, const std::function<std::uint32_t(std::uint32_t)>& lineOf, FileFacts& out);

/// Convenience used by all manifest readers: looks `name` up and appends a DependencyUse. False when it is no binding.
bool addDependency(const ReadContext& context, FileFacts& out, knowledge::Ecosystem ecosystem, std::string_view name,
                   std::uint32_t line, std::string_view version = {}, bool guarded = false, std::uint32_t column = 1);

}  // namespace unwarp::scan
