// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three questions in order: a known file name, a known ending, known first bytes. Tables, so that a new format is one
// line. Text of unknown kind is read as bytes only (its size counts, nothing is looked for): prose mentions CUDA
// without being bound to it.
#include "scan/classify.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "base/text.h"

namespace unwarp::scan {

namespace {

struct NamedKind {
  std::string_view pattern;
  FileKind kind;
};

constexpr std::array<std::string_view, 71> kindNames{"unknown",
                                                     "text",
                                                     "prose",
                                                     "c-source",
                                                     "cuda-source",
                                                     "hip-source",
                                                     "python",
                                                     "cython",
                                                     "notebook",
                                                     "requirements",
                                                     "pyproject",
                                                     "setup-cfg",
                                                     "conda",
                                                     "pipfile",
                                                     "lock-file",
                                                     "manifest",
                                                     "msbuild",
                                                     "cmake",
                                                     "cmake-presets",
                                                     "make",
                                                     "bazel",
                                                     "meson",
                                                     "ninja",
                                                     "autoconf",
                                                     "dockerfile",
                                                     "compose",
                                                     "apptainer",
                                                     "github-workflow",
                                                     "gitlab-ci",
                                                     "jenkinsfile",
                                                     "azure-pipelines",
                                                     "yaml",
                                                     "terraform",
                                                     "shell",
                                                     "slurm",
                                                     "dotenv",
                                                     "systemd-unit",
                                                     "json",
                                                     "grafana",
                                                     "prometheus",
                                                     "gres-conf",
                                                     "triton-config",
                                                     "model-engine",
                                                     "julia",
                                                     "native-packages",
                                                     "nix",
                                                     "modulefile",
                                                     "ini",
                                                     "elf",
                                                     "static-archive",
                                                     "archive",
                                                     "gpu-code",
                                                     "host-object",
                                                     "fortran",
                                                     "go",
                                                     "rust",
                                                     "managed-code",
                                                     "matlab",
                                                     "r",
                                                     "toml",
                                                     "workflow",
                                                     "easybuild",
                                                     "condor-job",
                                                     "git-submodules",
                                                     "just",
                                                     "lua-build",
                                                     "block-script",
                                                     "process-list",
                                                     "package-fields",
                                                     "package-list",
                                                     "media"};

/// Patterns over the base name, or with a `/` over the whole path (with a leading `/`), most telling first.
constexpr NamedKind names[] = {
    {"cmakelists.txt", FileKind::CMake},
    {"cmakepresets.json", FileKind::CMakePresets},
    {"cmakeuserpresets.json", FileKind::CMakePresets},
    {"gnumakefile", FileKind::Make},
    {"makefile", FileKind::Make},
    {"makefile.*", FileKind::Make},
    {"*.makefile", FileKind::Make},
    {"build.bazel", FileKind::Bazel},
    {"build", FileKind::Bazel},
    {"workspace", FileKind::Bazel},
    {"workspace.bazel", FileKind::Bazel},
    {"module.bazel", FileKind::Bazel},
    {"*.bazelrc", FileKind::Bazel},
    {".bazelrc.*", FileKind::Bazel},
    {"meson.build", FileKind::Meson},
    {"meson_options.txt", FileKind::Meson},
    {"meson.options", FileKind::Meson},
    {"configure.ac", FileKind::Autoconf},
    {"configure.in", FileKind::Autoconf},
    {"dockerfile", FileKind::Dockerfile},
    {"dockerfile.*", FileKind::Dockerfile},
    {"*.dockerfile", FileKind::Dockerfile},
    {"containerfile*", FileKind::Dockerfile},
    {"docker-compose*.y*ml", FileKind::Compose},
    {"compose*.y*ml", FileKind::Compose},
    {"singularity", FileKind::Apptainer},
    {"singularity.*", FileKind::Apptainer},
    {".gitlab-ci.y*ml", FileKind::GitlabCi},
    {"azure-pipelines*.y*ml", FileKind::AzurePipelines},
    {"jenkinsfile*", FileKind::Jenkinsfile},
    {"*requirements*.txt", FileKind::Requirements},
    {"*requirements*.in", FileKind::Requirements},
    {"requirements*.lock", FileKind::Requirements},
    {"*requirements/*.txt", FileKind::Requirements},
    {"*requirements/*.in", FileKind::Requirements},
    {"*constraints*.txt", FileKind::Requirements},
    {"*constraints*.in", FileKind::Requirements},
    {"reqs*.txt", FileKind::Requirements},
    {"reqs*.in", FileKind::Requirements},
    {"*.egg-info/requires.txt", FileKind::Requirements},
    {"*.dist-info/metadata", FileKind::Requirements},
    {"pkg-info", FileKind::Requirements},
    {"*pyproject*.toml", FileKind::Pyproject},
    {"uv.toml", FileKind::Pyproject},
    {"tox.toml", FileKind::Pyproject},
    {"hatch.toml", FileKind::Pyproject},
    {"setup.cfg", FileKind::SetupCfg},
    {"tox.ini", FileKind::SetupCfg},
    {"conda-lock.y*ml", FileKind::LockFile},
    {"*.conda-lock.y*ml", FileKind::LockFile},
    {"conda-*.lock", FileKind::LockFile},  // `conda-lock render` names them by platform
    {"environment*.y*ml", FileKind::CondaEnv},
    {"conda*.y*ml", FileKind::CondaEnv},
    {"meta.yaml", FileKind::CondaEnv},
    {"*environment.y*ml", FileKind::CondaEnv},
    {"*/.ci_support/*.y*ml", FileKind::CondaEnv},
    {"pixi*.toml", FileKind::CondaEnv},
    {"pipfile", FileKind::Pipfile},
    {"pipfile.lock", FileKind::LockFile},
    {"poetry.lock", FileKind::LockFile},
    {"uv.lock", FileKind::LockFile},
    {"pdm.lock", FileKind::LockFile},
    {"pylock*.toml", FileKind::LockFile},
    {"pixi.lock", FileKind::LockFile},
    {"cargo.toml", FileKind::OtherManifest},
    {"cargo.lock", FileKind::OtherManifest},
    {"package.json", FileKind::OtherManifest},
    {"go.mod", FileKind::OtherManifest},
    {"pom.xml", FileKind::OtherManifest},
    {"*.gradle*", FileKind::OtherManifest},
    {"*.sbt", FileKind::OtherManifest},
    {"libs.versions.toml", FileKind::OtherManifest},
    {"packages.config", FileKind::MsBuild},
    {"description", FileKind::R},
    {"project.toml", FileKind::Julia},
    {"manifest*.toml", FileKind::Julia},
    {"juliaproject.toml", FileKind::Julia},
    {"juliamanifest*.toml", FileKind::Julia},
    {"vcpkg.json", FileKind::NativePackages},
    {"conanfile.txt", FileKind::NativePackages},
    {"_*.tpl", FileKind::Yaml},  // Helm's partial templates
    {"*/templates/*.tpl", FileKind::Yaml},
    {"gres.conf", FileKind::GresConf},
    {"slurm.conf", FileKind::GresConf},
    {"config.pbtxt", FileKind::TritonConfig},
    {".env", FileKind::DotEnv},
    {".env.*", FileKind::DotEnv},
    {"*.env", FileKind::DotEnv},
    {"devcontainer.json", FileKind::Json},
    {"telegraf*.conf", FileKind::Toml},
    {"*/telegraf.d/*.conf", FileKind::Toml},
    {"snakefile*", FileKind::Workflow},
    {"nextflow.config", FileKind::BlockScript},
    {".gitmodules", FileKind::Submodules},
    {"earthfile", FileKind::Dockerfile},
    {"buck", FileKind::Bazel},
    {"supervisord*.conf", FileKind::ProcessList},
    {"*/debian/control", FileKind::PackageFields},
    {"aptfile", FileKind::PackageLines},
    {"pkgbuild", FileKind::Shell},
    {"justfile", FileKind::Just},
    {".justfile", FileKind::Just},
    {"xmake.lua", FileKind::LuaBuild},
    {"premake*.lua", FileKind::LuaBuild},
    {"sconstruct", FileKind::Python},
    {"sconscript", FileKind::Python},
    {"wscript", FileKind::Python},
    {"mlproject", FileKind::Yaml},
};

constexpr NamedKind kindsByEnding[] = {{"c", FileKind::CSource},
                                       {"cc", FileKind::CSource},
                                       {"cpp", FileKind::CSource},
                                       {"cxx", FileKind::CSource},
                                       {"c++", FileKind::CSource},
                                       {"h", FileKind::CSource},
                                       {"hh", FileKind::CSource},
                                       {"hpp", FileKind::CSource},
                                       {"hxx", FileKind::CSource},
                                       {"h++", FileKind::CSource},
                                       {"inl", FileKind::CSource},
                                       {"ipp", FileKind::CSource},
                                       {"tpp", FileKind::CSource},
                                       {"tcc", FileKind::CSource},
                                       {"txx", FileKind::CSource},
                                       {"inc", FileKind::CSource},
                                       {"ixx", FileKind::CSource},
                                       {"cppm", FileKind::CSource},
                                       {"impl", FileKind::CSource},
                                       {"def", FileKind::CSource},
                                       {"ino", FileKind::CSource},
                                       {"i", FileKind::CSource},
                                       {"ii", FileKind::CSource},
                                       {"swg", FileKind::CSource},
                                       {"swig", FileKind::CSource},
                                       {"cuf", FileKind::Fortran},
                                       {"f", FileKind::Fortran},
                                       {"f77", FileKind::Fortran},
                                       {"for", FileKind::Fortran},
                                       {"ftn", FileKind::Fortran},
                                       {"f90", FileKind::Fortran},
                                       {"f95", FileKind::Fortran},
                                       {"f03", FileKind::Fortran},
                                       {"f08", FileKind::Fortran},
                                       {"f18", FileKind::Fortran},
                                       {"go", FileKind::Go},
                                       {"rs", FileKind::Rust},
                                       {"cs", FileKind::ManagedCode},
                                       {"fs", FileKind::ManagedCode},
                                       {"java", FileKind::ManagedCode},
                                       {"kt", FileKind::ManagedCode},
                                       {"kts", FileKind::ManagedCode},
                                       {"scala", FileKind::ManagedCode},
                                       {"r", FileKind::R},
                                       {"vcxproj", FileKind::MsBuild},
                                       {"csproj", FileKind::MsBuild},
                                       {"fsproj", FileKind::MsBuild},
                                       {"vbproj", FileKind::MsBuild},
                                       {"props", FileKind::MsBuild},
                                       {"targets", FileKind::MsBuild},
                                       {"nuspec", FileKind::MsBuild},
                                       {"m", FileKind::CSource},
                                       {"mm", FileKind::CSource},
                                       {"cu", FileKind::CudaSource},
                                       {"cuh", FileKind::CudaSource},
                                       {"cuda", FileKind::CudaSource},
                                       {"hip", FileKind::HipSource},
                                       {"py", FileKind::Python},
                                       {"pyi", FileKind::Python},
                                       {"pyw", FileKind::Python},
                                       {"pyx", FileKind::Cython},
                                       {"pxd", FileKind::Cython},
                                       {"pxi", FileKind::Cython},
                                       {"ipynb", FileKind::Notebook},
                                       {"cmake", FileKind::CMake},
                                       {"mk", FileKind::Make},
                                       {"mak", FileKind::Make},
                                       {"bzl", FileKind::Bazel},
                                       {"bazel", FileKind::Bazel},
                                       {"ninja", FileKind::Ninja},
                                       {"m4", FileKind::Autoconf},
                                       {"dockerfile", FileKind::Dockerfile},
                                       {"yml", FileKind::Yaml},
                                       {"yaml", FileKind::Yaml},
                                       {"tf", FileKind::Terraform},
                                       {"hcl", FileKind::Terraform},
                                       {"tfvars", FileKind::Terraform},
                                       {"nomad", FileKind::Terraform},
                                       {"bicep", FileKind::BlockScript},
                                       {"cue", FileKind::BlockScript},
                                       {"jsonnet", FileKind::BlockScript},
                                       {"libsonnet", FileKind::BlockScript},
                                       {"fish", FileKind::Shell},
                                       {"spec", FileKind::PackageFields},
                                       {"nf", FileKind::BlockScript},
                                       {"smk", FileKind::Workflow},
                                       {"wdl", FileKind::Workflow},
                                       {"eb", FileKind::EasyBuild},
                                       {"sub", FileKind::CondorJob},
                                       {"condor", FileKind::CondorJob},
                                       {"sls", FileKind::Yaml},
                                       {"just", FileKind::Just},
                                       {"sh", FileKind::Shell},
                                       {"bash", FileKind::Shell},
                                       {"csh", FileKind::Shell},
                                       {"ksh", FileKind::Shell},
                                       {"ps1", FileKind::Shell},
                                       {"bat", FileKind::Shell},
                                       {"cmd", FileKind::Shell},
                                       {"zsh", FileKind::Shell},
                                       {"slurm", FileKind::Slurm},
                                       {"sbatch", FileKind::Slurm},
                                       {"pbs", FileKind::Slurm},
                                       {"lsf", FileKind::Slurm},
                                       {"service", FileKind::SystemdUnit},
                                       {"container", FileKind::SystemdUnit},
                                       {"json", FileKind::Json},
                                       {"rules", FileKind::Prometheus},
                                       {"engine", FileKind::ModelEngine},
                                       {"plan", FileKind::ModelEngine},
                                       {"trt", FileKind::ModelEngine},
                                       {"jl", FileKind::Julia},
                                       {"nix", FileKind::Nix},
                                       {"so", FileKind::Elf},
                                       {"o", FileKind::Elf},
                                       {"a", FileKind::StaticArchive},
                                       {"groovy", FileKind::Jenkinsfile},
                                       {"whl", FileKind::Archive},
                                       {"zip", FileKind::Archive},
                                       {"jar", FileKind::Archive},
                                       {"tar", FileKind::Archive},
                                       {"tgz", FileKind::Archive},
                                       {"gz", FileKind::Archive},
                                       {"xz", FileKind::Archive},
                                       {"bz2", FileKind::Archive},
                                       {"zst", FileKind::Archive},
                                       {"conda", FileKind::Archive},
                                       {"deb", FileKind::Archive},
                                       {"egg", FileKind::Archive},
                                       {"cubin", FileKind::GpuCode},
                                       {"ptx", FileKind::GpuCode},
                                       {"fatbin", FileKind::GpuCode},
                                       {"ini", FileKind::Ini},
                                       {"toml", FileKind::Toml},
                                       {"md", FileKind::Prose},
                                       {"rst", FileKind::Prose},
                                       {"txt", FileKind::Prose},
                                       {"html", FileKind::Prose},
                                       {"htm", FileKind::Prose},
                                       {"tex", FileKind::Prose},
                                       {"adoc", FileKind::Prose},
                                       {"png", FileKind::Media},
                                       {"jpg", FileKind::Media},
                                       {"jpeg", FileKind::Media},
                                       {"gif", FileKind::Media},
                                       {"svg", FileKind::Media},
                                       {"pdf", FileKind::Media},
                                       {"mp4", FileKind::Media},
                                       {"webp", FileKind::Media},
                                       {"ico", FileKind::Media},
                                       {"wav", FileKind::Media},
                                       {"mp3", FileKind::Media}};

const std::unordered_map<std::string_view, FileKind>& endings() {
  static const std::unordered_map<std::string_view, FileKind> table = [] {
    std::unordered_map<std::string_view, FileKind> map;
    for (const NamedKind& ending : kindsByEnding) map.emplace(ending.pattern, ending.kind);
    return map;
  }();
  return table;
}

/// Whether a line starts with `key`.
bool hasRootKey(std::string_view head, std::string_view key) {
  return head.starts_with(key) || head.find("\n" + std::string(key)) != std::string_view::npos;
}

/// Environments and recipes of conda under names of their own: what stands at the start of lines tells.
bool isCondaText(std::string_view base, std::string_view head) {
  const auto hasKey = [head](std::string_view key) { return hasRootKey(head, key); };
  if (base.starts_with("recipe.y"))
    return hasKey("package:") || hasKey("recipe:") ||
           (hasKey("context:") && head.find("${{") != std::string_view::npos);
  return hasKey("channels:") && (hasKey("dependencies:") || hasKey("name:"));
}

/// A modulefile of Lmod: by a folder that module trees have, or by functions that only modulefiles call.
bool isLuaModulefile(std::string_view lowerPath, std::string_view head) {
  for (const std::string_view folder : {"modulefiles/", "modules/", "modulefile/", "lmod/"})
    if (lowerPath.starts_with(folder) || lowerPath.find("/" + std::string(folder)) != std::string_view::npos)
      return true;
  constexpr std::array<std::string_view, 9> calls{"whatis",   "prepend_path", "append_path", "depends_on", "prereq",
                                                  "conflict", "always_load",  "pushenv",     "family"};
  return std::any_of(calls.begin(), calls.end(), [head](std::string_view call) {
    return hasRootKey(head, std::string(call) + "(") || hasRootKey(head, std::string(call) + " (");
  });
}

/// Templates (kernel.cu.in, values.yaml.j2, deployment.yaml.gotmpl) are read as what they become.
std::string_view withoutTemplateEnding(std::string_view base) {
  for (const std::string_view ending :
       {".in", ".jinja", ".jinja2", ".j2", ".tmpl", ".gotmpl", ".tpl", ".template", ".mako", ".erb"})
    if (base.ends_with(ending) && base.find('.') < base.size() - ending.size())
      return base.substr(0, base.size() - ending.size());
  return base;
}

/// Projects of qmake, which look like makefiles without rules; Prolog and IDL have the ending too.
bool isQmake(std::string_view head) {
  constexpr std::array<std::string_view, 7> keys{"QT",      "TEMPLATE", "TARGET",     "CONFIG",
                                                 "SOURCES", "LIBS",     "INCLUDEPATH"};
  return std::any_of(keys.begin(), keys.end(), [head](std::string_view key) {
    return hasRootKey(head, std::string(key) + " ") || hasRootKey(head, std::string(key) + "+=");
  });
}

/// Objective-C and MATLAB share an ending: only the first has C's comments and directives.
bool isObjectiveC(std::string_view head) {
  const std::string_view text = trim(head);
  for (const std::string_view mark : {"//", "/*", "#import", "#include", "@interface", "@implementation", "@import"})
    if (hasRootKey(text, mark)) return true;
  return text.empty();
}

FileKind byFirstBytes(std::string_view head) {
  if (head.starts_with("\x7f"
                       "ELF"))
    return FileKind::Elf;
  if (head.starts_with("!<arch>\n") || head.starts_with("!<thin>\n")) return FileKind::StaticArchive;
  if (head.starts_with("PK\x03\x04") || head.starts_with("\x1f\x8b") || head.starts_with("\x28\xb5\x2f\xfd") ||
      head.starts_with("\xfd"
                       "7zXZ") ||
      head.starts_with("BZh"))
    return FileKind::Archive;
  if (head.size() > 262 && head.substr(257, 5) == "ustar") return FileKind::Archive;
  if (head.starts_with("\x50\xed\x55\xba")) return FileKind::GpuCode;
  if (head.starts_with("MZ") || head.starts_with("\xcf\xfa\xed\xfe") || head.starts_with("\xca\xfe\xba\xbe"))
    return FileKind::HostObject;
  if (head.starts_with("ftrt") || head.starts_with("ptrt")) return FileKind::ModelEngine;
  if (head.starts_with("#%Module")) return FileKind::Modulefile;
  if (head.starts_with("#!")) {
    std::string_view line = head.substr(0, head.find('\n'));
    if (line.find("python") != std::string_view::npos) return FileKind::Python;
    if (line.find("sh") != std::string_view::npos)
      return head.find("#SBATCH") != std::string_view::npos ? FileKind::Slurm : FileKind::Shell;
  }
  if (head.find('\0') != std::string_view::npos) return FileKind::Unknown;
  return FileKind::Text;
}

}  // namespace

std::string_view kindName(FileKind kind) {
  return kindNames[static_cast<std::size_t>(kind)];
}

FileKind classify(std::string_view path, std::string_view head) {
  const std::optional<std::string> decoded = utf8FromUtf16(head);
  head = decoded ? std::string_view(*decoded) : withoutByteOrderMark(head);
  std::string lowerPath = toLower(path);
  std::string_view base = lowerPath;
  base = base.substr(base.rfind('/') == std::string_view::npos ? 0 : base.rfind('/') + 1);
  // Binaries are what their bytes say, whatever their name.
  FileKind magic = byFirstBytes(head);
  if (magic == FileKind::Elf || magic == FileKind::StaticArchive || magic == FileKind::GpuCode ||
      magic == FileKind::HostObject)
    return magic;
  const std::string_view inner = withoutTemplateEnding(base);
  std::size_t dot = inner.rfind('.');
  std::string_view ending = dot == std::string_view::npos ? std::string_view() : inner.substr(dot + 1);
  auto it = endings().find(ending);
  if (ending == "lua" && isLuaModulefile(lowerPath, head)) return FileKind::Modulefile;
  if ((ending == "pro" || ending == "pri") && isQmake(head)) return FileKind::Make;
  if (ending == "m" && !isObjectiveC(head)) return FileKind::Matlab;
  if (ending == "def" && trim(head).starts_with("Bootstrap:")) return FileKind::Apptainer;
  bool common = it != endings().end() && (it->second == FileKind::CSource || it->second == FileKind::CudaSource ||
                                          it->second == FileKind::Python || it->second == FileKind::Fortran ||
                                          it->second == FileKind::Rust || it->second == FileKind::Go);
  if (common && ending != "cuda") return it->second;  // Dockerfile.cuda is no source
  if (ending.starts_with("y") && lowerPath.find(".github/workflows/") != std::string::npos)
    return FileKind::GithubWorkflow;
  const std::string fromRoot = "/" + lowerPath;
  for (const NamedKind& name : names) {
    if (!globMatch(name.pattern, name.pattern.find('/') == std::string_view::npos ? base : fromRoot)) continue;
    // Spack calls its environments as conda does.
    return name.kind == FileKind::CondaEnv && hasRootKey(head, "spack:") ? FileKind::Yaml : name.kind;
  }
  if (ending.starts_with("y") && isCondaText(base, head)) return FileKind::CondaEnv;
  if (base.find(".so.") != std::string_view::npos || it == endings().end()) return magic;
  bool textual =
      it->second != FileKind::Elf && it->second != FileKind::StaticArchive && it->second != FileKind::Archive;
  if (!textual && magic == FileKind::Text) return FileKind::Text;  // "notes.a", an empty .so, a Git LFS pointer
  if (it->second == FileKind::Shell && head.find("#SBATCH") != std::string_view::npos) return FileKind::Slurm;
  return it->second;
}

}  // namespace unwarp::scan
