// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pyproject.toml: the requirement lists of the standard and of poetry, pdm, uv and hatch; the package indexes and
// sources they name; the build settings of cibuildwheel and scikit-build, which run commands and set variables of their
// own.
#include <algorithm>
#include <array>
#include <map>

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

/// Lists of PEP 508 texts.
bool isRequirementItem(const Path& path) {
  return isPath(path, {"project", "dependencies", "*"}) ||
         isPath(path, {"project", "optional-dependencies", "*", "*"}) ||
         isPath(path, {"build-system", "requires", "*"}) || isPath(path, {"dependency-groups", "*", "*"}) ||
         isPath(path, {"tool", "pdm", "dev-dependencies", "*", "*"}) ||
         isPath(path, {"tool", "uv", "dev-dependencies", "*"}) ||
         isPath(path, {"tool", "uv", "constraint-dependencies", "*"}) ||
         isPath(path, {"tool", "uv", "override-dependencies", "*"}) ||
         isPath(path, {"tool", "hatch", "envs", "*", "dependencies", "*"}) ||
         isPath(path, {"tool", "hatch", "envs", "*", "extra-dependencies", "*"}) ||
         isPath(path, {"tool", "cibuildwheel", "test-requires", "*"});
}

/// The position of the package name in tables of `name = spec`, or 0.
std::size_t namePosition(const Path& path) {
  const bool tool = path.size() >= 4 && path[0] == "tool";
  if (!tool) return 0;
  const bool poetry = path[1] == "poetry";
  if (poetry && (path[2] == "dependencies" || path[2] == "dev-dependencies")) return 3;
  if (poetry && path[2] == "group" && path.size() >= 6 && path[4] == "dependencies") return 5;
  if (path[1] == "pixi") return packages::pixiNamePosition(path, 2);
  return 0;
}

/// Index addresses, and environment, commands and images of the wheel builder.
void readSetting(const ReadContext& context, const JsonScalar& scalar, FileFacts& out) {
  const Path& path = scalar.path;
  if (path.size() < 3 || path[0] != "tool") return;
  const bool address = path.back() == "url" || path.back() == "index-url" || path[path.size() - 2] == "extra-index-url";
  if (address && scalar.value.find("://") != std::string::npos)
    return python::addPackageIndex(context, scalar.value, scalar.line, out, build::mentionsHip(scalar.value));
  if (path[1] == "scikit-build" && path.size() == 5 && path[2] == "cmake" && path[3] == "define")
    return addCmakeEntry(context, path[4] + "=" + scalar.value, scalar.line, out);
  if (path[1] != "cibuildwheel") return;
  const auto environment = std::find(path.begin(), path.end(), "environment");
  if (environment != path.end() && environment + 2 == path.end()) {
    addEnvironment(context, path.back(), scalar.value, scalar.line, out);
    addCmakeEntry(context, path.back() + "=" + scalar.value, scalar.line, out);
    return;
  }
  const std::string& key = path.back();
  if (key.starts_with("before-") || key == "test-command" || key == "repair-wheel-command")
    readShellText(context, scalar.value, scalar.line, out);
  if (key.ends_with("-image")) addImage(context, scalar.value, scalar.line, out);
}

}  // namespace

void readPyproject(const ReadContext& context, const Input& input, FileFacts& out) {
  packages::WantedPackages wanted(context, input, out);
  packages::visitTomlNoting(input.bytes, out.notes, [&](const JsonScalar& scalar) {
    if (isRequirementItem(scalar.path)) {
      if (scalar.isString) wanted.addRequirementText(scalar.value, scalar.line);
    } else if (const std::size_t name = namePosition(scalar.path); name != 0) {
      wanted.addTableEntry(scalar, name);
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
