// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages of registries whose names may clash: a name is looked up with its registry in front (`cargo:cudarc`), then
// as it stands, so that the table can tell registries apart where it has to.
#pragma once

#include <string_view>

#include "scan/facts.h"

namespace unwarp::scan::packages {

/// False when the package is no binding.
bool addRegistryPackage(const ReadContext& context, std::string_view registry, std::string_view name,
                        std::uint32_t line, FileFacts& out, std::string_view version = {});

}  // namespace unwarp::scan::packages
