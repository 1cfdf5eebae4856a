// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pixi's manifest, which is a file of its own (pixi.toml) or a table of pyproject.toml: packages of conda and of the
// Python index for all, per feature and per platform; channels, indexes, the CUDA version asked of the system, tasks
// and environment. A table of packages is known by its last word, so that features, targets and environments of any
// depth are found.
#include <algorithm>

#include "base/text.h"
#include "scan/packages/wanted_packages.h"
#include "scan/readers.h"

namespace unwarp::scan::packages {
namespace {

using Path = std::vector<std::string>;

/// The position behind the first `key` at or behind `base`, or 0.
std::size_t behind(const Path& path, std::size_t base, std::string_view key) {
  for (std::size_t i = base; i + 1 < path.size(); ++i)
    if (path[i] == key) return i + 1;
  return 0;
}

std::size_t namePosition(const Path& path, std::size_t base) {
  for (std::size_t i = base; i + 1 < path.size(); ++i)
    if (path[i].ends_with("dependencies") || path[i] == "constraints" || path[i] == "run-constraints") return i + 1;
  return 0;
}

}  // namespace

void addCondaChannel(const ReadContext& context, std::string_view channel, std::uint32_t line, FileFacts& out) {
  for (std::string_view host : {"https://conda.anaconda.org/", "https://prefix.dev/", "https://repo.prefix.dev/"})
    if (channel.starts_with(host)) channel.remove_prefix(host.size());
  while (channel.ends_with("/")) channel.remove_suffix(1);
  addDependency(context, out, knowledge::Ecosystem::Config, "channels=" + std::string(channel), line);
}

void readPixiEntry(const ReadContext& context, const JsonScalar& scalar, std::size_t base, WantedPackages& wanted,
                   FileFacts& out) {
  const Path& path = scalar.path;
  if (path.size() < base + 2) return;
  const std::string& key = path.back();
  const bool address = key == "index" || key == "index-url" || behind(path, base, "extra-index-urls") != 0 ||
                       behind(path, base, "find-links") != 0;
  if (address && scalar.value.find("://") != std::string::npos)
    return python::addPackageIndex(context, scalar.value, scalar.line, out);
  if (const std::size_t name = namePosition(path, base); name != 0)
    return wanted.addTableEntry(scalar, name, path[name - 1] != "pypi-dependencies");
  const std::string& table = path[path.size() - 2];
  if (behind(path, base, "channels") != 0 && (key == "channel" || table == "channels"))
    return addCondaChannel(context, scalar.value, scalar.line, out);
  if (table == "system-requirements" && key == "cuda")
    return addCondaSpec(context, "cuda-version " + scalar.value, scalar.line, out);
  if (table == "env") return addEnvironment(context, key, scalar.value, scalar.line, out);
  const std::size_t task = behind(path, base, "tasks");
  if (task != 0 && (task + 1 == path.size() || key == "cmd")) readShellText(context, scalar.value, scalar.line, out);
}

}  // namespace unwarp::scan::packages
