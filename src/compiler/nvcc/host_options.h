// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build files tell nvcc's host compiler things that only g++ knows (-fno-gnu-unique, -fno-var-tracking). clang stops at
// an unknown flag, so it is asked first. Flags that nearly every build passes are known to be known: no process then.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace unwarp::nvcc {

/// Those of `flags` that clang calls unknown. Runs clang once when a flag is not a common one.
std::set<std::string> flagsUnknownTo(const std::string& clang, const std::vector<std::string>& flags);

}  // namespace unwarp::nvcc
