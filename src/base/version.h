// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The version of the program, written once: `--version` and every result show this word. CMakeLists.txt repeats it for
// packages; a release changes both. Nothing else belongs here.
#pragma once

#include <string_view>

namespace unwarp {

/// The tool's version, as `unwarp --version` and every result show it.
inline constexpr std::string_view version = "0.1.0";

}  // namespace unwarp
