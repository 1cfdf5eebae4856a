// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiler and linker flags. A flag is mentioned (for rules) when only nvcc or clang's CUDA mode knows it; it is a
// dependency when a record names it or the library behind `-l`. Host flags pass silently: an audit that lists `-O3` is
// read by nobody.
#include "scan/build/flags.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;

/// Long options of nvcc that no host compiler has, without dashes and values.
constexpr std::array<std::string_view, 58> nvccOptions{"gencode",
                                                       "generate-code",
                                                       "gpu-architecture",
                                                       "gpu-code",
                                                       "cuda-gpu-arch",
                                                       "cuda-path",
                                                       "use_fast_math",
                                                       "ftz",
                                                       "prec-div",
                                                       "prec-sqrt",
                                                       "fmad",
                                                       "maxrregcount",
                                                       "Xptxas",
                                                       "ptxas-options",
                                                       "Xcompiler",
                                                       "compiler-options",
                                                       "Xcudafe",
                                                       "Xnvlink",
                                                       "nvlink-options",
                                                       "Xfatbin",
                                                       "fatbin-options",
                                                       "rdc",
                                                       "relocatable-device-code",
                                                       "dc",
                                                       "device-c",
                                                       "dlink",
                                                       "device-link",
                                                       "dlto",
                                                       "lineinfo",
                                                       "generate-line-info",
                                                       "device-debug",
                                                       "ptx",
                                                       "cubin",
                                                       "fatbin",
                                                       "optix-ir",
                                                       "expt-relaxed-constexpr",
                                                       "expt-extended-lambda",
                                                       "extended-lambda",
                                                       "default-stream",
                                                       "cudart",
                                                       "cudadevrt",
                                                       "ccbin",
                                                       "compiler-bindir",
                                                       "compress-mode",
                                                       "split-compile",
                                                       "keep",
                                                       "keep-dir",
                                                       "res-usage",
                                                       "resource-usage",
                                                       "extra-device-vectorization",
                                                       "diag-suppress",
                                                       "allow-unsupported-compiler",
                                                       "forward-unknown-to-host-compiler",
                                                       "nvcc",
                                                       "cuda-device-only",
                                                       "fgpu-rdc",
                                                       "fcuda-flush-denormals-to-zero",
                                                       "gpu-bundle-output"};

bool isCudaArchitecture(std::string_view value) {
  return value.starts_with("sm_") || value.starts_with("compute_") || value.starts_with("arch=compute_") ||
         value.starts_with("lto_");
}

bool isArchitectureOption(std::string_view option) {
  return option == "arch" || option == "code" || option == "gpu-architecture" || option == "gpu-code" ||
         option == "cuda-gpu-arch" || option == "offload-arch";
}

/// `-Xcompiler a -Xcompiler b` on one line is one place.
void dropRepeated(FileFacts& out, std::size_t added) {
  const std::size_t first = added > 4 ? added - 4 : 0;
  for (std::size_t i = first; i < added; ++i) {
    const DependencyUse &old = out.dependencies[i], &fresh = out.dependencies[added];
    if (old.record == fresh.record && old.line == fresh.line && old.version == fresh.version)
      return out.dependencies.pop_back();
  }
}

/// Flags of AMD's own compilers have records too; they bind to nothing.
bool isBinding(const ReadContext& context, std::string_view flag) {
  const std::uint32_t record = context.knowledge.findDependency(Ecosystem::Cli, flag);
  return record != knowledge::Knowledge::none &&
         !context.knowledge.dependencies()[record].counterpart.starts_with("already AMD");
}

/// A rule asks for this option although nvcc does not know it: one of AMD's compiler, or a macro.
bool isNamedByRule(const ReadContext& context, std::string_view flag) {
  for (const knowledge::Rule& rule : context.knowledge.rules()) {
    if (std::any_of(rule.flags.begin(), rule.flags.end(),
                    [&](const std::string& pattern) { return globMatch(pattern, flag); }))
      return true;
  }
  return false;
}

/// `-name` or `--name` without its dashes; empty when `flag` is no option.
std::string_view optionName(std::string_view flag) {
  if (!flag.starts_with("-")) return {};
  flag.remove_prefix(flag.starts_with("--") ? 2 : 1);
  return flag.substr(0, flag.find('='));
}

std::string_view withoutQuotes(std::string_view text) {
  text = trim(text);
  while (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
    text = text.substr(1, text.size() - 2);
  while (!text.empty() && (text.front() == '"' || text.front() == '\'')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '"' || text.back() == '\'')) text.remove_suffix(1);
  return text;
}

}  // namespace

void addCompilerFlag(const ReadContext& context, std::string_view flag, std::uint32_t line, FileFacts& out,
                     bool guarded) {
  flag = withoutQuotes(flag);
  if (flag.size() < 2 || flag.size() > 512) return;
  if (flag.starts_with("-l") && flag.size() > 2 && flag.find_first_of("= ") == std::string_view::npos) {
    if (build::addLinkLibrary(context, flag.substr(2), line, out, guarded)) return;
  }
  const std::size_t equals = flag.find_first_of("= ");
  const std::string_view text = flag.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? std::string_view() : trim(flag.substr(equals + 1));
  if (flag.starts_with("arch=compute_")) {
    addDependency(context, out, Ecosystem::Cli, flag, line, value, guarded);
    out.mentions.push_back({MentionKind::Flag, "-gencode", std::string(flag), line, 1, guarded});
    return;
  }
  const std::string_view option = optionName(text);
  if (value.starts_with("mp_") || value.starts_with("gfx")) return;  // clang's CUDA options for other vendors' chips
  const bool architecture = isArchitectureOption(option) && isCudaArchitecture(value);
  const bool known = architecture || std::find(nvccOptions.begin(), nvccOptions.end(), option) != nvccOptions.end();
  // libtool has -Xcompiler and -Xlinker too: they count only where the file has shown CUDA before.
  const bool shared = option == "Xcompiler" || option == "Xlinker";
  if (shared && out.dependencies.empty()) return;
  const std::size_t before = out.dependencies.size();
  const bool recorded = flag.starts_with("-") && isBinding(context, flag) &&
                        addDependency(context, out, Ecosystem::Cli, flag, line, value, guarded);
  if (!recorded && architecture) addDependency(context, out, Ecosystem::Cli, "-gencode", line, value, guarded);
  if (recorded) dropRepeated(out, before);
  if (recorded || known) {
    out.mentions.push_back({MentionKind::Flag, std::string(text), std::string(value), line, 1, guarded});
    return;
  }
  if (flag.starts_with("-") && isNamedByRule(context, flag)) {
    Mention mention{MentionKind::Flag, std::string(text), std::string(value), line, 1, guarded};
    mention.forAmd = true;
    return out.mentions.push_back(std::move(mention));
  }
  if (flag.starts_with("-")) build::addToolkitPath(context, flag, line, out, guarded);
}

namespace build {

bool addLinkLibrary(const ReadContext& context, std::string_view name, std::uint32_t line, FileFacts& out,
                    bool guarded) {
  if (name.starts_with(":")) {
    const std::size_t so = name.find(".so");
    return addDependency(context, out, Ecosystem::Lib, name.substr(1, so == std::string_view::npos ? so : so + 2), line,
                         {}, guarded);
  }
  if (name.empty() || name.size() > 64) return false;
  const std::string base = "lib" + std::string(name);
  return addDependency(context, out, Ecosystem::Lib, base + ".so", line, {}, guarded) ||
         addDependency(context, out, Ecosystem::Lib, base + ".a", line, {}, guarded);
}

bool addToolkitPath(const ReadContext& context, std::string_view text, std::uint32_t line, FileFacts& out,
                    bool guarded) {
  for (std::string_view root : {"/usr/local/cuda", "/opt/cuda", "/opt/nvidia/cuda", "NVIDIA GPU Computing Toolkit"}) {
    const std::size_t at = text.find(root);
    if (at == std::string_view::npos) continue;
    // A folder of Windows has blanks in its root and ends with its version: `...\CUDA\v12.4`.
    const bool windows = root[0] != '/';
    const std::size_t rootEnd = at + root.size();
    const std::size_t end = std::min(text.find_first_of(" \t\"'`;,)>:", rootEnd), text.size());
    const std::string_view rest = text.substr(rootEnd, end - rootEnd);
    if (!rest.empty() && rest[0] != '/' && (windows ? rest[0] != '\\' : rest[0] != '-')) continue;
    std::string path(text.substr(at, end - at));
    const auto isEscape = [](char a, char b) { return a == '\\' && b == '\\'; };
    path.erase(std::unique(path.begin(), path.end(), isEscape), path.end());
    const std::size_t before = out.dependencies.size();
    if (addDependency(context, out, Ecosystem::Config, "toolkit-path=" + path, line, {}, guarded)) {
      out.dependencies[before].name = windows ? path : path.substr(0, path.find('/', root.size()));
      return true;
    }
    if (text.starts_with("-L"))
      return addDependency(context, out, Ecosystem::Config, "LIBRARY_PATH=" + path, line, {}, guarded);
  }
  return false;
}

bool addLanguageOption(const ReadContext& context, std::string_view language, std::uint32_t line, FileFacts& out,
                       bool guarded) {
  return addDependency(context, out, Ecosystem::Cli, "-x " + std::string(language), line, {}, guarded);
}

void addFlagVariable(const ReadContext& context, std::string_view name, std::string_view value, std::uint32_t line,
                     FileFacts& out) {
  if (name.find("FLAGS") == std::string_view::npos) return;
  for (const std::string_view word : words(value))
    if (isNamedByRule(context, withoutQuotes(word))) addCompilerFlag(context, word, line, out, false);
}

void addFlagWords(const ReadContext& context, std::string_view text, std::uint32_t line, FileFacts& out, bool guarded) {
  const std::vector<std::string_view> parts = words(text);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view part = withoutQuotes(parts[i]);
    const bool language = part == "-x" && i + 1 < parts.size();
    if (language && addLanguageOption(context, withoutQuotes(parts[i + 1]), line, out, guarded)) {
      ++i;
      continue;
    }
    const bool takesNext = part == "-gencode" || part == "--generate-code" || part == "-arch" || part == "-code" ||
                           part == "--gpu-architecture";
    if (takesNext && i + 1 < parts.size()) {
      addCompilerFlag(context, std::string(part) + "=" + std::string(withoutQuotes(parts[++i])), line, out, guarded);
    } else if (part.starts_with("-") || part.starts_with("arch=compute_")) {
      addCompilerFlag(context, part, line, out, guarded);
    } else {
      addToolkitPath(context, part, line, out, guarded);
    }
  }
}

}  // namespace build
}  // namespace unwarp::scan
