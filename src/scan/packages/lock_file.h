// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `[[package]]` form that several lock files share.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace unwarp::scan::packages {

/// Calls `visit(name, version, line)` for each `[[package]]` (or `[[packages]]`) table, by lines.
void eachLockedPackage(std::string_view text,
                       const std::function<void(std::string_view, std::string_view, std::uint32_t)>& visit);

}  // namespace unwarp::scan::packages
