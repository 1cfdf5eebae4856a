// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Manifests of other languages: their CUDA bindings are few and have names of their own (cudarc, JCuda, gorgonia's cu,
// ManagedCuda).
#include <algorithm>
#include <array>

#include "base/json_tokens.h"
#include "base/text.h"
#include "scan/build/xml_elements.h"
#include "scan/packages/lock_file.h"
#include "scan/packages/registry_package.h"
#include "scan/packages/toml_values.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using packages::addRegistryPackage;

/// Cargo.toml: `[dependencies]` and its variants; the features of a crate are part of its name: `candle-core[cuda]`.
void readCargo(const ReadContext& context, const Input& input, FileFacts& out) {
  packages::visitTomlNoting(input.bytes, out.notes, [&](const JsonScalar& scalar) {
    const auto& path = scalar.path;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      if (path[i] != "dependencies" && path[i] != "dev-dependencies" && path[i] != "build-dependencies") continue;
      const bool plain = i + 2 == path.size();
      const bool version = i + 3 == path.size() && path[i + 2] == "version";
      const bool feature = i + 4 == path.size() && path[i + 2] == "features";
      if (plain || version) addRegistryPackage(context, "cargo", path[i + 1], scalar.line, out, scalar.value);
      if (feature) addRegistryPackage(context, "cargo", path[i + 1] + "[" + scalar.value + "]", scalar.line, out);
      return;
    }
  });
}

void readPackageJson(const ReadContext& context, const Input& input, FileFacts& out) {
  const bool whole = visitJson(input.bytes, [&](const JsonScalar& scalar) {
    const auto& path = scalar.path;
    const bool wanted = path.size() == 2 && (path[0] == "dependencies" || path[0] == "devDependencies" ||
                                             path[0] == "optionalDependencies" || path[0] == "peerDependencies");
    if (wanted) addRegistryPackage(context, "npm", path[1], scalar.line, out, scalar.value);
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
      addRegistryPackage(context, "go", parts[0], lines.number(), out, parts[1]);
  }
}

/// pom.xml: group, artifact and version of each dependency.
void readPom(const ReadContext& context, const Input& input, FileFacts& out) {
  std::string group, artifact, version;
  std::uint32_t line = 0;
  eachXmlElement(input.bytes, [&](const XmlElement& element) {
    if (element.path.ends_with("/dependency/groupId")) group = element.text;
    if (element.path.ends_with("/dependency/artifactId")) artifact = element.text, line = element.line;
    if (element.path.ends_with("/dependency/version")) version = element.text;
    if (element.name() != "dependency") return;  // an element is seen when it ends
    addRegistryPackage(context, "maven", group + ":" + artifact, line, out, version);
    group = artifact = version = {};
  });
}

/// The strings of a line, in order.
std::vector<std::string_view> stringsOf(std::string_view line) {
  std::vector<std::string_view> strings;
  for (std::size_t open = line.find_first_of("\"'"); open != std::string_view::npos;
       open = line.find_first_of("\"'", open + 1)) {
    const std::size_t close = line.find(line[open], open + 1);
    if (close == std::string_view::npos) break;
    strings.push_back(line.substr(open + 1, close - open - 1));
    open = close;
  }
  return strings;
}

/// Gradle and sbt: coordinates in one string, "group:artifact:version", or in one each, `group: "g", name: "a"` and
/// `"g" % "a" % "v"`.
void readGradle(const ReadContext& context, const Input& input, FileFacts& out) {
  LineReader lines(input.bytes);
  std::string_view line;
  while (lines.next(line)) {
    if (trim(line).starts_with("//")) continue;
    const std::vector<std::string_view> strings = stringsOf(line);
    const bool apart = strings.size() >= 2 &&
                       (line.find('%') != std::string_view::npos || line.find("group") != std::string_view::npos);
    if (apart)
      addRegistryPackage(context, "maven", std::string(strings[0]) + ":" + std::string(strings[1]), lines.number(), out,
                         strings.size() > 2 ? strings[2] : std::string_view());
    for (const std::string_view text : strings) {
      const std::vector<std::string_view> parts = split(text, ':');
      if (apart || parts.size() < 2 || text.find(' ') != std::string_view::npos) continue;
      addRegistryPackage(context, "maven", std::string(parts[0]) + ":" + std::string(parts[1]), lines.number(), out,
                         parts.size() > 2 ? parts[2] : std::string_view());
    }
  }
}

}  // namespace

void readOtherManifest(const ReadContext& context, const Input& input, FileFacts& out) {
  const std::string name = toLower(input.path.substr(input.path.rfind('/') + 1));
  if (name == "cargo.toml") return readCargo(context, input, out);
  if (name == "package.json") return readPackageJson(context, input, out);
  if (name == "go.mod") return readGoMod(context, input, out);
  if (name == "pom.xml") return readPom(context, input, out);
  const bool lines =
      name.find(".gradle") != std::string::npos || name.ends_with(".sbt") || name == "libs.versions.toml";
  if (lines) return readGradle(context, input, out);
  if (name == "cargo.lock") {
    packages::eachLockedPackage(input.bytes,
                                [&](std::string_view package, std::string_view version, std::uint32_t line) {
                                  addRegistryPackage(context, "cargo", package, line, out, version);
                                });
    return;
  }
  out.notes.push_back("no reader for this manifest");
}

}  // namespace unwarp::scan
