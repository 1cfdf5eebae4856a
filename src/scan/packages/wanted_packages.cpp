// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars of one package follow each other in the walk, so the package ends when the path changes. A whole file that
// names an index of ROCm or CPU builds wants torch from there; a `source` per package is not resolved.
#include "scan/packages/wanted_packages.h"

#include <algorithm>
#include <span>

#include "scan/build/hip_words.h"
#include "scan/readers.h"

namespace unwarp::scan::packages {
namespace {

bool namesHip(std::span<const std::string> path) {
  return std::any_of(path.begin(), path.end(), [](const std::string& part) { return build::isHipWord(part); });
}

}  // namespace

WantedPackages::WantedPackages(const ReadContext& context, const Input& input, FileFacts& out)
    : context_(context),
      out_(out),
      index_(python::torchIndexOf(input.bytes)),
      rocm_(python::isRocmVariant(input.path)) {}

bool WantedPackages::servedElsewhere(std::string_view name) const {
  return index_ == python::TorchIndex::Cpu && python::isTorchFamily(name);
}

void WantedPackages::addRequirementText(const JsonScalar& scalar) {
  python::Package package;
  if (python::parseRequirement(scalar.value, package) && servedElsewhere(package.name)) return;
  const bool guarded = rocm_ || index_ == python::TorchIndex::Rocm || namesHip(scalar.path);
  addRequirement(context_, scalar.value, scalar.line, out_, guarded);
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
    const bool guarded = rocm_ || namesHip(std::span(path_).first(path_.size() - 1));
    if (conda_)
      addCondaSpec(context_, package_.name + " " + package_.version, line_, out_);
    else
      python::addPackage(context_, package_, line_, out_, guarded);
  }
  path_.clear();
  package_ = {};
}

}  // namespace unwarp::scan::packages
