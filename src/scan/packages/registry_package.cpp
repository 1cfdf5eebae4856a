// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/packages/registry_package.h"

#include <string>

namespace unwarp::scan::packages {

bool addRegistryPackage(const ReadContext& context, std::string_view registry, std::string_view name,
                        std::uint32_t line, FileFacts& out, std::string_view version) {
  constexpr std::size_t longestName = 200;
  if (name.empty() || name.size() > longestName) return false;
  const std::string full = std::string(registry) + ":" + std::string(name);
  if (addDependency(context, out, knowledge::Ecosystem::OtherPkg, full, line, version)) {
    out.dependencies.back().name = name;
    return true;
  }
  return addDependency(context, out, knowledge::Ecosystem::OtherPkg, name, line, version);
}

}  // namespace unwarp::scan::packages
