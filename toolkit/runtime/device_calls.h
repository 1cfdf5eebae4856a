// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that compiled kernels call, by name: `uw_...` of this runtime, and the mathematical and memory
// functions of the C library. The loader binds kernels to this table and to nothing else.
#pragma once

#include <string>

namespace uw {

/// Address of a function that device code may call, or null.
void* deviceFunction(const std::string& name);

}  // namespace uw
