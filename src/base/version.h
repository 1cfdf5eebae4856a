// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace unwarp {

/// The tool's version, as `unwarp --version` and every result show it.
inline constexpr std::string_view version = "0.1.0";

}  // namespace unwarp
