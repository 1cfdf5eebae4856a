// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first lines of a build's output that say why something was not built. CMake's, make's, the compiler's and the
// linker's own words are recognised; where none is found, the last lines stand for themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "result/trial_result.h"

namespace unwarp::trial {

/// The first errors of `cmake`'s configure step, one line each: "CMakeLists.txt:12: Could not find ...".
std::vector<std::string> configureErrors(std::string_view output);

/// One failure per target that `make -k --output-sync=target` gave up, with the first error lines before it; targets
/// that failed only because another did are left out.
std::vector<result::BuildFailure> makeFailures(std::string_view output);

/// The first error lines of a compiler or linker.
std::vector<std::string> compilerErrors(std::string_view output);

}  // namespace unwarp::trial
