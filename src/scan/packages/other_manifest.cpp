// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Manifests of other languages: their CUDA bindings are few and have names of their own (cudarc, JCuda, gorgonia's cu).
// A name is looked up as it stands and with its registry in front (`cargo:cudarc`), so that the table can tell
// registries apart.
#include <algorithm>
#include <array>

#include "base/json_tokens.h"
#include "base/text.h"
#include "scan/packages/lock_file.h"
#include "scan/packages/toml_values.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;

void add(const ReadContext& context, std::string_view registry, std::string_view name, std::string_view version,
         std::uint32_t line, FileFacts& out) {
  if (name.empty() || name.size() > 200) return;
  if (addDependency(context, out, Ecosystem::OtherPkg, std::string(registry) + ":" + std::string(name), line, version))
    return;
  addDependency(context, out, Ecosystem::OtherPkg, name, line, version);
}

/// Cargo.toml: `[dependencies]` and its variants; the features of a crate are part of its name: `candle-core[cuda]`.
void readCargo(const ReadContext& context, const Input& input, FileFacts& out) {
  packages::visitTomlNoting(input.bytes, out.notes, [&](const JsonScalar& scalar) {
    const auto& path = scalar.path;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      if (path[i] != "dependencies" && path[i] != "dev-dependencies" && path[i] != "build-dependencies") continue;
      const bool plain = i + 2 == path.size();
      const bool version = i + 3 == path.size() && path[i + 2] == "version";
      const bool feature = i + 4 == path.size() && path[i + 2] == "features";
      if (plain || version) add(context, "cargo", path[i + 1], scalar.value, scalar.line, out);
      if (feature) add(context, "cargo", path[i + 1] + "[" + scalar.value + "]", {}, scalar.line, out);
      return;
    }
  });
}

void readPackageJson(const ReadContext& context, const Input& input, FileFacts& out) {
  const bool whole = visitJson(input.bytes, [&](const JsonScalar& scalar) {
    const auto& path = scalar.path;
    const bool wanted = path.size() == 2 && (path[0] == "dependencies" || path[0] == "devDependencies" ||
                                             path[0] == "optionalDependencies" || path[0] == "peerDependencies");
    if (wanted) add(context, "npm", path[1], scalar.value, scalar.line, out);
    if (path.size() == 2 && path[0] == "scripts" && scalar.isString)
      readShellText(context, scalar.value, scalar.line, out);
  });
  if (!whole) out.notes.push_back("not valid JSON: read up to the fault");
}

void readGoMod(const ReadContext& context, const Input& input, FileFacts& out) {
  LineReader lines(input.bytes);
  std::string_view line;
  while (lines.next(line)) {
    line = trim(line.substr(0, line.find("//")));
    if (line.starts_with("module ") || line.starts_with("go ")) continue;
    if (line.starts_with("require ")) line = trim(line.substr(8));
    const std::vector<std::string_view> parts = words(line);
    if (parts.size() >= 2 && parts[0].find('/') != std::string_view::npos)
      add(context, "go", parts[0], parts[1], lines.number(), out);
  }
}

/// `<tag>text</tag>` on one line, or empty.
std::string_view element(std::string_view line, std::string_view tag) {
  const std::string open = "<" + std::string(tag) + ">";
  const std::size_t begin = line.find(open);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = line.substr(begin + open.size());
  return trim(rest.substr(0, rest.find('<')));
}

/// pom.xml: group and artifact of each dependency, by lines; comments are skipped.
void readPom(const ReadContext& context, const Input& input, FileFacts& out) {
  LineReader lines(input.bytes);
  std::string_view line, group;
  bool comment = false, inDependency = false;
  while (lines.next(line)) {
    if (line.find("<!--") != std::string_view::npos) comment = true;
    if (comment) {
      comment = line.find("-->") == std::string_view::npos;
      continue;
    }
    if (line.find("<dependency>") != std::string_view::npos) inDependency = true;
    if (const std::string_view text = element(line, "groupId"); !text.empty()) group = text;
    if (const std::string_view text = element(line, "artifactId"); !text.empty() && inDependency)
      add(context, "maven", std::string(group) + ":" + std::string(text), {}, lines.number(), out);
    if (line.find("</dependency>") != std::string_view::npos) inDependency = false;
  }
}

/// Gradle: coordinates in quotes, "group:artifact:version".
void readGradle(const ReadContext& context, const Input& input, FileFacts& out) {
  LineReader lines(input.bytes);
  std::string_view line;
  while (lines.next(line)) {
    if (trim(line).starts_with("//")) continue;
    const std::size_t open = line.find_first_of("\"'");
    if (open == std::string_view::npos) continue;
    const std::string_view text =
        line.substr(open + 1, std::min(line.find(line[open], open + 1), line.size()) - open - 1);
    const std::vector<std::string_view> parts = split(text, ':');
    if (parts.size() < 2 || text.find(' ') != std::string_view::npos) continue;
    add(context, "maven", std::string(parts[0]) + ":" + std::string(parts[1]),
        parts.size() > 2 ? parts[2] : std::string_view(), lines.number(), out);
  }
}

}  // namespace

void readOtherManifest(const ReadContext& context, const Input& input, FileFacts& out) {
  const std::string name = toLower(input.path.substr(input.path.rfind('/') + 1));
  if (name == "cargo.toml") return readCargo(context, input, out);
  if (name == "package.json") return readPackageJson(context, input, out);
  if (name == "go.mod") return readGoMod(context, input, out);
  if (name == "pom.xml") return readPom(context, input, out);
  if (name.starts_with("build.gradle")) return readGradle(context, input, out);
  if (name == "cargo.lock") {
    packages::eachLockedPackage(input.bytes,
                                [&](std::string_view package, std::string_view version, std::uint32_t line) {
                                  add(context, "cargo", package, version, line, out);
                                });
    return;
  }
  out.notes.push_back("no reader for this manifest");
}

}  // namespace unwarp::scan
