// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requirements: PEP 508, pip's options and conda's match specs. What decides whether a package binds is written around
// its name: an extra (`jax[cuda12]`), a local version (`+cu121` binds, `+cpu` and `+rocm6` do not), a marker that
// leaves out all platforms with NVIDIA GPUs, the repository it comes from. A name alone is looked up as it stands;
// known namesakes are in the tables.
#include "scan/python/requirement.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "scan/build/hip_words.h"
#include "scan/readers.h"

namespace unwarp::scan::python {
namespace {

using knowledge::Ecosystem;
using knowledge::Knowledge;

/// Repositories whose package has no name of its own on the index, or one that is taken.
struct Repository {
  std::string_view address;  ///< owner/name in lower case
  Ecosystem ecosystem;
  std::string_view name;
};
constexpr std::array<Repository, 10> repositories{{{"nvidia/apex", Ecosystem::Python, "apex"},
                                                   {"nvidia/cutlass", Ecosystem::Pypi, "nvidia-cutlass"},
                                                   {"nvidia/transformerengine", Ecosystem::Pypi, "transformer-engine"},
                                                   {"nvidia/tensorrt-llm", Ecosystem::Pypi, "tensorrt-llm"},
                                                   {"nvidia/megatron-lm", Ecosystem::Pypi, "megatron-core"},
                                                   {"nvidia/warp", Ecosystem::Pypi, "warp-lang"},
                                                   {"nvlabs/tiny-cuda-nn", Ecosystem::Pypi, "tinycudann"},
                                                   {"nvidia/minkowskiengine", Ecosystem::Pypi, "minkowskiengine"},
                                                   {"deepseek-ai/deepep", Ecosystem::Pypi, "deep-ep"},
                                                   {"deepseek-ai/deepgemm", Ecosystem::Pypi, "deep-gemm"}}};

bool isNamePart(char c) {
  return isIdentifierPart(c) || c == '-' || c == '.';
}

std::string foldedName(std::string_view name) {
  std::string out;
  for (char c : toLower(name)) {
    if (c == '_' || c == '.') c = '-';
    if (c != '-' || out.empty() || out.back() != '-') out += c;
  }
  return out;
}

/// Platforms on which no CUDA exists: a requirement only for them is no binding.
bool excludesCuda(std::string_view marker) {
  for (std::string_view word : {"darwin", "Darwin", "macOS", "osx-arm64"})
    if (marker.find(word) != std::string_view::npos && marker.find("!=") == std::string_view::npos &&
        marker.find(" or ") == std::string_view::npos && marker.find("not ") == std::string_view::npos)
      return true;
  return false;
}

/// The first number of a version specifier and whether it is an upper bound: "<2" and "==1.0.9" are generation 1.
int flashGeneration(const Package& package) {
  const std::string_view version = package.version;
  if (package.url.find("hopper") != std::string::npos) return 3;
  if (package.url.find("flash_attn/cute") != std::string::npos) return 4;
  const std::size_t at = version.find_first_of("0123456789");
  if (at == std::string_view::npos) return 2;
  const char major = version[at];
  const bool below = version.starts_with("<") && !version.starts_with("<=");
  const bool exact =
      at + 1 == version.size() || version[at + 1] == '.' || version[at + 1] == ',' || version[at + 1] == '+';
  if (!exact) return 2;
  if (major == '1' || (major == '2' && below && version.find_first_of("123456789", at + 1) == std::string_view::npos))
    return 1;
  return major == '4' ? 4 : major == '3' && !below ? 3 : 2;
}

void push(FileFacts& out, std::uint32_t record, std::uint32_t line, const Package& package, bool guarded) {
  out.dependencies.push_back({record, line, 1, package.version, guarded, package.name});
}

/// "nvidia-foo-cu12" without its toolkit suffix, or empty.
std::string_view withoutToolkitSuffix(std::string_view name) {
  const std::size_t dash = name.rfind("-cu");
  if (dash == std::string_view::npos || dash + 3 >= name.size()) return {};
  const std::string_view digits = name.substr(dash + 3);
  const bool all = std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  return all ? name.substr(0, dash) : std::string_view();
}

/// Name, version and tags of a wheel or source archive file: "flash_attn-2.5.8+cu122-cp310-...whl".
bool parseArchiveName(std::string_view address, Package& package) {
  address = address.substr(0, address.find_first_of("#?"));
  std::string_view file = address.substr(address.rfind('/') + 1);
  if (!file.ends_with(".whl") && !file.ends_with(".tar.gz") && !file.ends_with(".zip")) return false;
  const std::size_t dash = file.find('-');
  if (dash == std::string_view::npos || dash + 1 >= file.size() || file[dash + 1] < '0' || file[dash + 1] > '9')
    return false;
  package.name = std::string(file.substr(0, dash));
  std::string version(file.substr(dash + 1, file.find('-', dash + 1) - dash - 1));
  for (std::size_t at; (at = version.find("%2B")) != std::string::npos;) version.replace(at, 3, "+");
  for (std::string_view end : {".whl", ".tar.gz", ".zip"})
    if (version.ends_with(end)) version.resize(version.size() - end.size());
  package.version = version;
  return true;
}

}  // namespace

bool parseRequirement(std::string_view text, Package& package) {
  text = trim(text);
  std::size_t at = 0;
  while (at < text.size() && isNamePart(text[at])) ++at;
  if (at == 0 || text[0] == '-' || text[0] == '.') return false;
  package.name = std::string(text.substr(0, at));
  std::string_view rest = trim(text.substr(at));
  if (rest.starts_with("[")) {
    const std::size_t close = rest.find(']');
    for (std::string_view extra : split(rest.substr(1, close == std::string_view::npos ? close : close - 1), ','))
      if (!trim(extra).empty()) package.extras.emplace_back(trim(extra));
    rest = close == std::string_view::npos ? std::string_view() : trim(rest.substr(close + 1));
  }
  if (rest.starts_with("@")) {
    const std::size_t marker = rest.find(" ;");
    package.url = std::string(trim(rest.substr(1, marker == std::string_view::npos ? marker : marker - 1)));
    if (marker != std::string_view::npos) package.marker = std::string(trim(rest.substr(marker + 2)));
    return true;
  }
  const std::size_t marker = rest.find(';');
  if (marker != std::string_view::npos) package.marker = std::string(trim(rest.substr(marker + 1)));
  std::string_view version = trim(rest.substr(0, marker));
  if (!version.empty() && std::string_view("=<>!~(").find(version[0]) == std::string_view::npos) return false;
  if (version.starts_with("(") && version.ends_with(")")) version = trim(version.substr(1, version.size() - 2));
  package.version = std::string(version);
  return true;
}

bool isTorchFamily(std::string_view name) {
  const std::string folded = foldedName(name);
  return folded == "torch" || folded == "torchvision" || folded == "torchaudio" || folded == "triton" ||
         folded == "pytorch";
}

bool addPackage(const ReadContext& context, const Package& package, std::uint32_t line, FileFacts& out, bool guarded) {
  if (excludesCuda(package.marker)) return false;
  if (package.version.find("+rocm") != std::string::npos || package.version.find("+cpu") != std::string::npos)
    return false;
  if (!package.url.empty() && addPackageAddress(context, package.url, line, out, guarded)) return true;
  if (package.url.find("github.com/ROCm/") != std::string::npos) return false;
  const std::string folded = foldedName(package.name);
  if (folded == "flash-attn") {
    const int generation = flashGeneration(package);
    const std::uint32_t record = context.knowledge.findDependencyById("flash-attn-" + std::to_string(generation));
    if (record != Knowledge::none) return push(out, record, line, package, guarded), true;
  }
  for (const std::string& extra : package.extras)
    if (addDependency(context, out, Ecosystem::Pypi, folded + "[" + foldedName(extra) + "]", line, package.version,
                      guarded))
      return true;
  if (addDependency(context, out, Ecosystem::Pypi, folded, line, package.version, guarded)) {
    const std::size_t local = package.version.find("+cu");
    if (local != std::string::npos)
      addDependency(context, out, Ecosystem::Config, std::string_view(package.version).substr(local), line, {},
                    guarded);
    return true;
  }
  const std::string_view base = withoutToolkitSuffix(folded);
  return !base.empty() && addDependency(context, out, Ecosystem::Pypi, base, line, package.version, guarded);
}

bool addPackageAddress(const ReadContext& context, std::string_view address, std::uint32_t line, FileFacts& out,
                       bool guarded) {
  Package archive;
  if (parseArchiveName(address, archive)) return addPackage(context, archive, line, out, guarded);
  const std::string lower = toLower(address);
  std::size_t host = lower.find("github.com");
  if (host == std::string::npos) return false;
  std::string_view path = std::string_view(lower).substr(std::min(lower.size(), host + 11));
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return false;
  std::string_view repository = path.substr(0, path.find_first_of("/@#?", slash + 1));
  if (repository.ends_with(".git")) repository.remove_suffix(4);
  if (repository == "dao-ailab/flash-attention" || repository == "hazyresearch/flash-attention") {
    const std::size_t tag = path.find("@v");
    Package flash{"flash-attn",
                  {},
                  tag == std::string_view::npos
                      ? ""
                      : "==" + std::string(path.substr(tag + 2, path.find_first_of("#&", tag) - tag - 2)),
                  {},
                  {}};
    if (path.find("subdirectory=hopper") != std::string_view::npos) flash.url = "hopper";
    return addPackage(context, flash, line, out, guarded);
  }
  for (const Repository& known : repositories)
    if (known.address == repository) return addDependency(context, out, known.ecosystem, known.name, line, {}, guarded);
  return addDependency(context, out, Ecosystem::OtherPkg, "github.com/" + std::string(repository), line, {}, guarded);
}

void addPackageIndex(const ReadContext& context, std::string_view address, std::uint32_t line, FileFacts& out,
                     bool guarded) {
  address = trim(address);
  const std::size_t whl = address.find("/whl/cu");
  const std::string_view build = whl == std::string_view::npos ? std::string_view() : address.substr(whl + 5);
  addDependency(context, out, Ecosystem::Config, address, line, build.substr(0, build.find_first_of("/ \"'")), guarded);
}

TorchIndex torchIndexOf(std::string_view text) {
  TorchIndex index = TorchIndex::Unknown;
  for (std::size_t at = text.find("/whl/"); at != std::string_view::npos; at = text.find("/whl/", at + 1)) {
    std::string_view build = text.substr(at + 5, 32);
    if (build.starts_with("nightly/")) build.remove_prefix(8);
    if (build.starts_with("cu")) return TorchIndex::Cuda;
    if (build.starts_with("rocm"))
      index = TorchIndex::Rocm;
    else if (build.starts_with("cpu") && index == TorchIndex::Unknown)
      index = TorchIndex::Cpu;
  }
  return index;
}

bool isRocmVariant(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (std::string_view part : split(name, '.'))
    for (std::string_view piece : split(part, '-'))
      if (build::isHipWord(piece) || piece == "amd") return true;
  return false;
}

}  // namespace unwarp::scan::python

namespace unwarp::scan {
namespace {

/// Removes a comment: `#` at the start or behind a blank.
std::string_view withoutComment(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '#' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t')) return text.substr(0, i);
  return text;
}

/// The value of one of pip's index options, or empty.
std::string_view indexOption(std::string_view text) {
  for (std::string_view option : {"--extra-index-url", "--index-url", "--find-links", "-i", "-f"}) {
    if (!text.starts_with(option) || text.size() <= option.size()) continue;
    const char next = text[option.size()];
    if (next == '=' || next == ' ' || next == '\t') return trim(text.substr(option.size() + 1));
  }
  return {};
}

}  // namespace

void addRequirement(const ReadContext& context, std::string_view requirement, std::uint32_t line, FileFacts& out,
                    bool guarded) {
  std::string_view text = trim(withoutComment(requirement));
  if (text.empty()) return;
  if (const std::string_view address = indexOption(text); !address.empty())
    return python::addPackageIndex(context, address, line, out, guarded);
  for (std::string_view option : {"-e ", "--editable ", "--editable="})
    if (text.starts_with(option)) text = trim(text.substr(option.size()));
  if (text.starts_with("-")) return;  // -r, -c and switches: the walk reads the files they name
  if (const std::size_t options = text.find(" --"); options != std::string_view::npos)
    text = trim(text.substr(0, options));
  if (text.find("://") != std::string_view::npos && text.find(" @") == std::string_view::npos &&
      text.find("@ ") == std::string_view::npos) {
    python::addPackageAddress(context, text, line, out, guarded);
    return;
  }
  python::Package package;
  if (python::parseRequirement(text, package)) python::addPackage(context, package, line, out, guarded);
}

void addCondaSpec(const ReadContext& context, std::string_view spec, std::uint32_t line, FileFacts& out) {
  using knowledge::Ecosystem;
  std::string_view text = trim(withoutComment(spec));
  if (const std::size_t channel = text.find("::"); channel != std::string_view::npos) text = text.substr(channel + 2);
  std::size_t at = 0;
  while (at < text.size() && (isIdentifierPart(text[at]) || text[at] == '-' || text[at] == '.')) ++at;
  const std::string name = toLower(text.substr(0, at));
  const std::string_view version = trim(text.substr(at));
  if (name.empty()) return;
  // The build string names the variant: "pytorch=2.1=cpu_*", "pytorch=*=*cuda12*".
  const bool cpuBuild =
      version.find("=cpu") != std::string_view::npos || version.find("=*cpu") != std::string_view::npos ||
      version.find(" cpu_") != std::string_view::npos || version.find("rocm") != std::string_view::npos;
  if (cpuBuild) return;
  if (addDependency(context, out, Ecosystem::Conda, name, line, version)) return;
  python::Package package;
  package.name = name == "pytorch" || name == "pytorch-gpu" ? "torch" : name;
  package.version = std::string(version);
  if (python::addPackage(context, package, line, out)) return;
  if (const std::string_view whole = trim(withoutComment(spec)); whole.find("::") != std::string_view::npos)
    addDependency(context, out, Ecosystem::Conda, whole, line, version);
}

}  // namespace unwarp::scan
