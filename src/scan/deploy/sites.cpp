// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See sites.h. Environment settings and container images are here too, since every deployment format has them.
// Variables in names stay as written: the patterns of the table match around them (`${REGISTRY}/nvidia/cuda:${TAG}`).
#include "scan/deploy/sites.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "scan/build/flags.h"
#include "scan/deploy/shell_commands.h"
#include "scan/deploy/shell_parser.h"
#include "scan/deploy/template_values.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;
using knowledge::Knowledge;

constexpr std::size_t maxValueBytes = 512;

/// How often one record may be bound on one line.
enum class Repeats : std::uint8_t { Never, ByName };

/// Packages, images, machine types and variables are things of their own, and one line may list several that share a
/// record (`libcudnn8 libcudnn8-dev`). Elsewhere two spellings on one line mean one thing.
Repeats repeatsOf(Ecosystem ecosystem) {
  const bool named = ecosystem == Ecosystem::Apt || ecosystem == Ecosystem::Cloud || ecosystem == Ecosystem::Env ||
                     ecosystem == Ecosystem::Image || ecosystem == Ecosystem::Lib || ecosystem == Ecosystem::OtherPkg;
  return named ? Repeats::ByName : Repeats::Never;
}

/// Whether the line has this record or, under another record, this very name: one word is one binding, also where a
/// package and its program are called the same.
bool isRecorded(const FileFacts& out, std::uint32_t record, std::uint32_t line, std::string_view name,
                Repeats repeats) {
  const std::size_t count = std::min<std::size_t>(out.dependencies.size(), 12);
  return std::any_of(out.dependencies.end() - static_cast<std::ptrdiff_t>(count), out.dependencies.end(),
                     [&](const DependencyUse& use) {
                       if (use.line != line) return false;
                       return (!name.empty() && use.name == name) ||
                              (use.record == record && (repeats == Repeats::Never || name.empty()));
                     });
}

bool addRecord(const ReadContext& context, std::uint32_t record, std::uint32_t line, std::string_view version,
               FileFacts& out, std::string_view name, Repeats repeats = Repeats::Never) {
  if (record == Knowledge::none || context.knowledge.dependencies()[record].falsePositive) return false;
  if (isRecorded(out, record, line, name, repeats)) return true;
  DependencyUse use;
  use.record = record;
  use.line = line;
  use.version = std::string(version);
  use.name = std::string(name);
  out.dependencies.push_back(std::move(use));
  return true;
}

bool hasLowerCase(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

bool hasBlank(std::string_view text) {
  return text.find_first_of(" \t\n\r") != std::string_view::npos;
}

/// A blank outside of what a template fills in.
bool hasBlankOutsideTemplates(std::string_view text) {
  for (std::size_t open = text.find("{{"); open != std::string_view::npos; open = text.find("{{")) {
    if (hasBlank(text.substr(0, open))) return true;
    const std::size_t close = text.find("}}", open);
    text = close == std::string_view::npos ? std::string_view() : text.substr(close + 2);
  }
  return hasBlank(text);
}

std::string joined(std::string_view left, std::string_view separator, std::string_view right) {
  std::string result(left);
  result += separator;
  result += right.substr(0, maxValueBytes);
  return result;
}

/// Tag of an image reference, its digest when it has no tag; empty without both. The tag says which version it is also
/// where a digest pins the bytes.
std::string_view imageTag(std::string_view reference) {
  const std::size_t at = reference.find('@');
  const std::string_view digest = at == std::string_view::npos ? std::string_view() : reference.substr(at + 1);
  reference = reference.substr(0, at);
  const std::size_t slash = reference.rfind('/');
  const std::size_t colon = reference.find(':', slash == std::string_view::npos ? 0 : slash);
  return colon == std::string_view::npos ? digest : reference.substr(colon + 1);
}

/// An expansion in a text: where it stands, and what it gives when nothing is set.
struct Expansion {
  std::size_t open = std::string_view::npos, end = 0;
  std::vector<std::string> values;  ///< the expansion itself when its own text tells nothing
};

/// The first `${NAME:-default}` or `{{ default "value" .Values.name }}` of `text`.
Expansion firstExpansion(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> marks{{{"${", "}"}, {"{{", "}}"}}};
  Expansion found;
  for (const auto& [opening, closing] : marks) {
    const std::size_t open = text.find(opening);
    if (open >= found.open) continue;
    const std::size_t close = text.find(closing, open);
    if (close == std::string_view::npos) continue;
    const std::string_view inside = text.substr(open + 2, close - open - 2);
    found = {open, close + closing.size(), {}};
    const std::size_t mark = inside.find(":-");
    if (opening == "{{") found.values = templateValues(inside);
    if (opening == "${" && mark != std::string_view::npos) found.values = {std::string(inside.substr(mark + 2))};
    if (found.values.empty()) found.values = {std::string(text.substr(open, found.end - open))};
  }
  return found;
}

/// The branches of `{{ if .Values.gpu }}a{{ else }}b{{ end }}` with what stands around them; `text` alone where nothing
/// chooses, or where choices lie inside each other.
std::vector<std::string> branchesOf(std::string_view text) {
  std::vector<std::string> branches;
  std::size_t first = std::string_view::npos, begin = 0;  // of the choice, of the branch
  for (std::size_t open = text.find("{{"); open != std::string_view::npos; open = text.find("{{", open + 2)) {
    const std::size_t close = std::min(text.find("}}", open), text.size());
    const std::size_t letter = std::min(text.find_first_not_of("{- ", open), close);
    const std::string_view word = text.substr(letter, text.find_first_of(" -}", letter) - letter);
    const bool chosen = first != std::string_view::npos;
    if (word == "if" && chosen) break;
    if (word == "if") first = open;
    if (chosen && (word == "else" || word == "end"))
      branches.push_back(std::string(text.substr(0, first)) + std::string(text.substr(begin, open - begin)));
    begin = std::min(close + 2, text.size());
    if (!chosen || word != "end") continue;
    for (std::string& branch : branches) branch += text.substr(begin);
    return branches;
  }
  return {std::string(text)};
}

/// The texts that `text` may stand for: expansions replaced by what they give, those that are not known left alone.
std::vector<std::string> expanded(std::string_view text) {
  std::vector<std::string> all;
  for (const std::string& branch : branchesOf(text)) {
    std::vector<std::string> results{""};
    std::string_view rest = branch;
    for (Expansion next = firstExpansion(rest); next.open != std::string_view::npos; next = firstExpansion(rest)) {
      results = joinedValues(results, {std::string(rest.substr(0, next.open))});
      results = joinedValues(results, next.values);
      rest.remove_prefix(next.end);
    }
    for (std::string& result : joinedValues(results, {std::string(rest)}))
      if (all.size() < mostTemplateValues) all.push_back(std::move(result));
  }
  return all;
}

}  // namespace

bool addSite(const ReadContext& context, Ecosystem ecosystem, std::initializer_list<std::string_view> names,
             std::uint32_t line, std::string_view version, FileFacts& out) {
  for (const std::string_view name : names) {
    if (name.empty()) continue;
    const std::uint32_t record = context.knowledge.findDependency(ecosystem, name);
    if (addRecord(context, record, line, version, out, name, repeatsOf(ecosystem))) return true;
  }
  return false;
}

bool addNamedSite(const ReadContext& context, Ecosystem ecosystem, std::string_view name, std::uint32_t line,
                  FileFacts& out) {
  return addRecord(context, context.knowledge.findDependency(ecosystem, name), line, {}, out, name, Repeats::ByName);
}

bool addSiteById(const ReadContext& context, std::string_view id, std::uint32_t line, FileFacts& out) {
  return addRecord(context, context.knowledge.findDependencyById(id), line, {}, out, {});
}

void addModule(const ReadContext& context, std::string_view module, std::uint32_t line, FileFacts& out) {
  const std::size_t slash = module.rfind('/');
  const std::string_view version = slash == std::string_view::npos ? std::string_view() : module.substr(slash + 1);
  const std::string name = "module load " + std::string(module);
  addRecord(context, context.knowledge.findDependency(Ecosystem::Cli, name), line, version, out, name, Repeats::ByName);
}

bool addSetting(const ReadContext& context, std::string_view name, std::string_view value, std::uint32_t line,
                FileFacts& out) {
  if (name.empty() || value.empty()) return false;
  const std::string setting = joined(name, "=", value);
  const std::uint32_t record = context.knowledge.findDependency(Ecosystem::Config, setting);
  // `*=*=*cuda*` describes a conda build string; a setting whose value has an equals sign is none.
  if (record == Knowledge::none || context.knowledge.dependencies()[record].match.starts_with("*=*=")) return false;
  return addRecord(context, record, line, {}, out, setting);
}

bool addDeviceFile(const ReadContext& context, std::string_view path, std::uint32_t line, FileFacts& out) {
  if (addSite(context, Ecosystem::Config, {path}, line, {}, out)) return true;
  const std::string_view device = path.substr(0, path.find_first_of("=:"));
  return addSite(context, Ecosystem::Config, {device}, line, {}, out) ||
         addSite(context, Ecosystem::K8s, {device}, line, {}, out);
}

bool addTypedResource(const ReadContext& context, std::string_view request, std::uint32_t line, FileFacts& out) {
  const std::uint32_t record = context.knowledge.findDependency(Ecosystem::Cli, request);
  // The plain request is in the table as vendor neutral: it says nothing about this tree.
  if (record == Knowledge::none || context.knowledge.dependencies()[record].id == "cli-slurm-gres-gpu") return false;
  return addRecord(context, record, line, {}, out, request);
}

bool addGenericResource(const ReadContext& context, std::string_view resource, std::uint32_t line, FileFacts& out) {
  bool found = false;
  for (const std::string_view piece : split(resource, ',')) {
    std::string text = toLower(trim(piece));
    if (text.starts_with("gres/") || text.starts_with("gres:")) text.erase(0, 5);
    found |= addTypedResource(context, "--gres=" + text, line, out);
  }
  return found;
}

bool addGpuModel(const ReadContext& context, std::string_view model, std::uint32_t line, FileFacts& out) {
  std::string text = toLower(trim(model));
  if (text.starts_with("nvidia") && text.size() > 6) text.erase(0, text[6] == '-' || text[6] == '_' ? 7 : 6);
  if (text.empty() || hasBlank(text)) return false;
  return addTypedResource(context, "--constraint=" + text, line, out) ||
         addTypedResource(context, "--gres=gpu:" + text, line, out);
}

bool addCloud(const ReadContext& context, std::string_view key, std::string_view value, std::uint32_t line,
              FileFacts& out) {
  if (value.empty() || value.size() > maxValueBytes) return false;
  return addSite(context, Ecosystem::Cloud,
                 {value, joined(key, "=", value), joined(key, ": ", value), joined(key, " = ", value)}, line, {}, out);
}

bool addKubernetes(const ReadContext& context, std::string_view key, std::string_view value, std::uint32_t line,
                   FileFacts& out) {
  if (value.size() > maxValueBytes || hasBlank(value)) return false;
  // A CDI device (`nvidia.com/gpu=all`) is spelt like a resource and is none.
  if (value.find('=') != std::string_view::npos && addSite(context, Ecosystem::Config, {value}, line, {}, out))
    return true;
  const std::size_t scheme = value.find("://");
  if (scheme != std::string_view::npos) {
    // A chart repository is a binding, a page of the vendor's documentation is not.
    const std::uint32_t record = context.knowledge.findDependency(Ecosystem::K8s, value.substr(scheme + 3));
    if (record == Knowledge::none || context.knowledge.dependencies()[record].match.starts_with("nvidia.com/*"))
      return false;
    return addRecord(context, record, line, {}, out, value.substr(scheme + 3));
  }
  if (!key.empty() && !value.empty()) {
    // Only patterns written as a pair are meant for one: `nvidia.com/*` would match every pair of such a key.
    const std::string pair = joined(key, ": ", value);
    const std::uint32_t record = context.knowledge.findDependency(Ecosystem::K8s, pair);
    const bool isPair = record != Knowledge::none &&
                        context.knowledge.dependencies()[record].match.find(": ") != std::string_view::npos;
    if (isPair && addRecord(context, record, line, {}, out, pair)) return true;
  }
  return addSite(context, Ecosystem::K8s, {value}, line, {}, out);
}

bool isSwitchedOff(std::string_view name, std::string_view value) {
  constexpr std::array<std::string_view, 11> switches{"USE_",   "WITH_",    "ENABLE_",  "BUILD_",   "FORCE_", "GGML_",
                                                      "LLAMA_", "WHISPER_", "TF_NEED_", "INSTALL_", "HAVE_"};
  return isOffValue(value) && std::any_of(switches.begin(), switches.end(),
                                          [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool isOffValue(std::string_view value) {
  constexpr std::array<std::string_view, 8> off{"off", "0", "no", "n", "false", "none", "ignore", "disabled"};
  return std::any_of(off.begin(), off.end(), [&](std::string_view word) { return equalsIgnoreCase(word, value); });
}

void addCmakeEntry(const ReadContext& context, std::string_view entry, std::uint32_t line, FileFacts& out) {
  const std::size_t equals = entry.find('=');
  if (equals == std::string_view::npos) return;
  const std::string_view name = entry.substr(0, std::min(equals, entry.find(':')));
  const std::string_view value = trim(entry.substr(equals + 1));
  if (name == "CMAKE_CUDA_FLAGS" || name == "CUDA_NVCC_FLAGS")
    readFlagText(context, value, line, out);
  else
    build::addFlagVariable(context, name, value, line, out);
  if (isOffValue(value)) return;
  if (addSetting(context, name, value, line, out)) return;
  addSite(context, Ecosystem::CMake, {name, joined(name, "=", value)}, line, value, out);
}

void readPythonText(const ReadContext& context, std::string_view text, std::uint32_t firstLine, FileFacts& out) {
  FileFacts inner;
  inner.path = out.path;
  inner.kind = FileKind::Python;
  readPython(context, {out.path, text}, inner);
  appendMoved(std::move(inner), [firstLine](std::uint32_t line) { return line + firstLine - 1; }, out);
}

std::string_view baseName(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  if (path.ends_with(".exe")) path.remove_suffix(4);
  return path;
}

void addEnvironment(const ReadContext& context, std::string_view name, std::string_view value, std::uint32_t line,
                    FileFacts& out) {
  name = trim(name);
  value = trim(value);
  if (name.empty() || hasLowerCase(name)) return;
  Mention mention;
  mention.kind = MentionKind::Env;
  mention.text = std::string(name);
  mention.value = std::string(value.substr(0, maxValueBytes));
  mention.line = line;
  out.mentions.push_back(std::move(mention));
  build::addFlagVariable(context, name, value, line, out);
  if (isSwitchedOff(name, value) || addSetting(context, name, value, line, out)) return;
  addSite(context, Ecosystem::Env, {name}, line, {}, out);
}

void addImage(const ReadContext& context, std::string_view reference, std::uint32_t line, FileFacts& out) {
  reference = trim(reference);
  for (const std::string_view transport :
       {"docker://", "docker-daemon:", "oras://", "dockerd://", "https://", "docker-image://"})
    if (reference.starts_with(transport)) reference.remove_prefix(transport.size());
  if (reference.empty() || reference.size() > maxValueBytes ||
      hasBlank(trim(reference.substr(0, reference.find("{{")))))
    return;
  for (std::string& name : expanded(reference)) {
    // Enroot and pyxis write the registry as `nvcr.io#nvidia/pytorch`.
    std::replace(name.begin(), name.end(), '#', '/');
    addSite(context, Ecosystem::Image, {name}, line, imageTag(name), out);
  }
}

void addTaggedImage(const ReadContext& context, std::string_view reference, std::uint32_t line, FileFacts& out) {
  for (const std::string_view transport : {"docker-image://", "docker://"})
    if (reference.starts_with(transport)) reference.remove_prefix(transport.size());
  if (reference.find_first_of(":@") == std::string_view::npos || reference.find('/') == std::string_view::npos) return;
  if (reference.size() > maxValueBytes || hasBlankOutsideTemplates(reference) || reference.starts_with("git@") ||
      reference.find("://") != std::string_view::npos)
    return;
  const std::uint32_t record = context.knowledge.findDependency(Ecosystem::Image, reference);
  if (record != Knowledge::none && context.knowledge.dependencies()[record].id != "image-any-cuda-tag")
    addImage(context, reference, line, out);
}

}  // namespace unwarp::scan
