// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pyproject.toml: the requirement lists of the standard and of poetry, pdm, uv, hatch, rye, flit and tox, which are
// known by their keys, so that a tool's next list is found too; the package indexes and sources they name; tasks; the
// build settings of cibuildwheel and scikit-build, which run commands and set variables of their own.
#include <algorithm>

#include "base/text.h"
#include "scan/build/hip_words.h"
#include "scan/deploy/sites.h"
#include "scan/packages/toml_values.h"
#include "scan/packages/wanted_packages.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using Path = std::vector<std::string>;

bool isPath(const Path& path, std::initializer_list<std::string_view> pattern) {
  if (path.size() != pattern.size()) return false;
  return std::equal(path.begin(), path.end(), pattern.begin(),
                    [](const std::string& part, std::string_view want) { return want == "*" || part == want; });
}

/// Tools with a file of their own, which holds what else stands below `[tool.NAME]`; empty for pyproject.toml.
std::string toolOfFile(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (std::string_view tool : {"uv", "tox", "hatch"})
    if (name.starts_with(tool) && name.substr(tool.size()) == ".toml") return std::string(tool);
  return {};
}

bool isPixi(const Path& path) {
  return path.size() > 2 && path[0] == "tool" && path[1] == "pixi";
}

bool isIndex(std::string_view part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Keys under which all tools list packages: `dependencies`, `dev-dependencies`, `constraint-dependencies`, `requires`,
/// `test-requires`, ...
bool listsPackages(std::string_view key) {
  return key.ends_with("dependencies") || key.ends_with("requires") || key == "dependency-groups" ||
         key == "requires-extra" || key == "deps";
}

/// Of those, tables of lists: `group = ["torch"]`. Poetry has `name = spec` under such a name.
bool holdsGroups(const Path& path, std::size_t at) {
  const std::string& key = path[at];
  const bool poetry = at >= 2 && path[1] == "poetry";
  return !poetry && (key == "optional-dependencies" || key == "dependency-groups" || key == "dev-dependencies" ||
                     key == "requires-extra" || key == "extra-build-dependencies");
}

/// What a scalar below a list or table of packages is.
enum class Part { None, Requirement, TableEntry };
struct Place {
  Part part = Part::None;
  std::size_t name = 0;  ///< position of the package's name in the path of a table's entry
};

Place placeOf(const Path& path) {
  if (isPath(path, {"tool", "pdm", "resolution", "overrides", "*"})) return {Part::TableEntry, 4};
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    if (!listsPackages(path[i])) continue;
    const std::size_t below = path.size() - i - 1;
    if (isIndex(path[i + 1])) return {below == 1 ? Part::Requirement : Part::None};
    if (below >= 2 && holdsGroups(path, i) && isIndex(path[i + 2]))
      return {below == 2 ? Part::Requirement : Part::None};
    return {Part::TableEntry, i + 1};
  }
  return {};
}

/// Package indexes, and where uv takes single packages from.
bool readSource(const ReadContext& context, const JsonScalar& scalar, FileFacts& out) {
  const Path& path = scalar.path;
  const std::string& key = path.back();
  const bool source = path[1] == "uv" && path[2] == "sources" && (key == "git" || key == "url");
  if (source && python::addPackageAddress(context, scalar.value, scalar.line, out)) return true;
  // uv's short name for one of torch's indexes.
  if (path[1] == "uv" && key == "torch-backend") {
    const std::string address = "https://download.pytorch.org/whl/" + scalar.value;
    python::addPackageIndex(context, address, scalar.line, out, build::mentionsHip(scalar.value));
    return true;
  }
  const std::string_view list = path[path.size() - 2];
  const bool address =
      key == "url" || key == "index-url" || key == "default-index" || list == "extra-index-url" || list == "find-links";
  if (!address || scalar.value.find("://") == std::string::npos) return false;
  python::addPackageIndex(context, scalar.value, scalar.line, out, build::mentionsHip(scalar.value));
  return true;
}

/// cibuildwheel: environment, commands and images.
void readWheelBuilder(const ReadContext& context, const JsonScalar& scalar, FileFacts& out) {
  const Path& path = scalar.path;
  const auto environment = std::find(path.begin(), path.end(), "environment");
  if (environment != path.end() && environment + 2 == path.end()) {
    addEnvironment(context, path.back(), scalar.value, scalar.line, out);
    addCmakeEntry(context, path.back() + "=" + scalar.value, scalar.line, out);
    return;
  }
  const std::string& key = path.back();
  if (key.starts_with("before-") || key == "test-command" || key == "repair-wheel-command")
    readShellText(context, scalar.value, scalar.line, out);
  if (key == "test-requires")
    for (std::string_view word : words(scalar.value)) addRequirement(context, word, scalar.line, out);
  if (key.ends_with("-image")) addImage(context, scalar.value, scalar.line, out);
}

/// An ini file as one string; its first line is the one below the opening quotes.
void readLegacyTox(const ReadContext& context, const JsonScalar& scalar, FileFacts& out) {
  FileFacts inner;
  readSetupCfg(context, {"tox.ini", scalar.value}, inner);
  appendMoved(std::move(inner), [&scalar](std::uint32_t line) { return line + scalar.line; }, out);
}

/// What tools are told to run and to set.
void readSetting(const ReadContext& context, const JsonScalar& scalar, FileFacts& out) {
  const Path& path = scalar.path;
  if (path.size() < 3 || path[0] != "tool" || readSource(context, scalar, out)) return;
  const std::string &tool = path[1], &table = path[path.size() - 2], &key = path.back();
  if (tool == "scikit-build") {
    if (table == "define") addCmakeEntry(context, key + "=" + scalar.value, scalar.line, out);
    if (table == "args" && scalar.value.starts_with("-D"))
      addCmakeEntry(context, scalar.value.substr(2), scalar.line, out);
    return;
  }
  if (tool == "cibuildwheel") return readWheelBuilder(context, scalar, out);
  if (key == "legacy_tox_ini") return readLegacyTox(context, scalar, out);
  if (table == "env-vars" || table == "env" || table == "set_env" || table == "setenv")
    return addEnvironment(context, key, scalar.value, scalar.line, out);
  // Poetry's and setuptools' scripts are entry points, not commands.
  if (tool == "poetry" || tool == "setuptools") return;
  const bool command = std::any_of(path.begin() + 2, path.end() - 1,
                                   [](const std::string& part) { return part == "scripts" || part == "tasks"; });
  if (command) readShellText(context, scalar.value, scalar.line, out);
}

}  // namespace

void readPyproject(const ReadContext& context, const Input& input, FileFacts& out) {
  packages::WantedPackages wanted(context, input, out);
  const std::string ownTool = toolOfFile(input.path);
  packages::visitTomlNoting(input.bytes, out.notes, [&](const JsonScalar& found) {
    Path path = found.path;
    if (!ownTool.empty()) path.insert(path.begin(), {"tool", ownTool});
    const JsonScalar scalar{path, found.value, found.isString, found.line};
    if (isPixi(path)) return packages::readPixiEntry(context, scalar, 2, wanted, out);
    const Place place = placeOf(path);
    if (place.part == Part::Requirement) {
      if (scalar.isString) wanted.addRequirementText(scalar);
    } else if (place.part == Part::TableEntry) {
      wanted.addTableEntry(scalar, place.name);
    } else {
      readSetting(context, scalar, out);
    }
  });
  wanted.flush();
}

void readPipfile(const ReadContext& context, const Input& input, FileFacts& out) {
  packages::WantedPackages wanted(context, input, out);
  packages::visitTomlNoting(input.bytes, out.notes, [&](const JsonScalar& scalar) {
    const Path& path = scalar.path;
    if (path.size() >= 2 && (path[0] == "packages" || path[0] == "dev-packages")) wanted.addTableEntry(scalar, 1);
    if (path.size() >= 2 && path[0] == "source" && path.back() == "url")
      python::addPackageIndex(context, scalar.value, scalar.line, out);
  });
  wanted.flush();
}

}  // namespace unwarp::scan
