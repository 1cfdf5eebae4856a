// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars of one package follow each other in the walk, so the package ends when the path changes. A whole file that
// names an index of ROCm or CPU builds wants torch from there; a `source` per package is not resolved.
#include "scan/packages/wanted_packages.h"

#include <algorithm>

#include "scan/build/hip_words.h"
#include "scan/readers.h"

namespace unwarp::scan::packages {

WantedPackages::WantedPackages(const ReadContext& context, const Input& input, FileFacts& out)
    : context_(context),
      out_(out),
      index_(python::torchIndexOf(input.bytes)),
      rocm_(python::isRocmVariant(input.path)) {}

bool WantedPackages::servedElsewhere(std::string_view name) const {
  return index_ == python::TorchIndex::Cpu && python::isTorchFamily(name);
}

void WantedPackages::addRequirementText(std::string_view text, std::uint32_t line) {
  python::Package package;
  if (python::parseRequirement(text, package) && servedElsewhere(package.name)) return;
  addRequirement(context_, text, line, out_, rocm_ || index_ == python::TorchIndex::Rocm);
}

void WantedPackages::addTableEntry(const JsonScalar& scalar, std::size_t namePosition, bool conda) {
  if (namePosition >= scalar.path.size()) return;
  const auto end = scalar.path.begin() + static_cast<std::ptrdiff_t>(namePosition) + 1;
  const std::vector<std::string> path(scalar.path.begin(), end);
  if (path != path_) {
    flush();
    path_ = path;
    package_.name = path.back();
    line_ = scalar.line;
    conda_ = conda;
  }
  const std::string_view key =
      scalar.path.size() > namePosition + 1 ? std::string_view(scalar.path[namePosition + 1]) : std::string_view();
  const bool plain = key.empty() || (key[0] >= '0' && key[0] <= '9' && scalar.path.size() == namePosition + 2);
  if (plain || key == "version") package_.version = scalar.value == "*" ? std::string() : scalar.value;
  if (key == "build" || key == "build-string") package_.version += "=" + scalar.value;
  if (key == "extras") package_.extras.push_back(scalar.value);
  if (key == "markers" || key == "platform" || key == "sys_platform") package_.marker = scalar.value;
  if (key == "git" || key == "url") package_.url = scalar.value + package_.url;  // `branch` may stand before `git`
  if (key == "tag" || key == "rev" || key == "branch") package_.url += "@" + scalar.value;
}

void WantedPackages::flush() {
  if (!path_.empty() && !servedElsewhere(package_.name)) {
    const bool guarded = rocm_ || std::any_of(path_.begin(), path_.end() - 1,
                                              [](const std::string& part) { return build::isHipWord(part); });
    if (conda_)
      addCondaSpec(context_, package_.name + " " + package_.version, line_, out_);
    else
      python::addPackage(context_, package_, line_, out_, guarded);
  }
  path_.clear();
  package_ = {};
}

std::size_t pixiNamePosition(const std::vector<std::string>& path, std::size_t base) {
  for (std::size_t i = base; i + 1 < path.size() && i < base + 6; ++i) {
    const std::string& part = path[i];
    const bool table = part == "dependencies" || part == "pypi-dependencies" || part == "host-dependencies" ||
                       part == "build-dependencies";
    if (table) return i + 1;
  }
  return 0;
}

}  // namespace unwarp::scan::packages
