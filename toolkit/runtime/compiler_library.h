// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that LLVM's code generation expects in a compiler's own library, for kernels: conversions of 16-bit floats
// on CPUs without instructions for them, arithmetic on 128-bit integers. With them stand the atomic additions on 16-bit
// floats that our headers call.
#pragma once

#include <string>

namespace uw {

/// Address of such a function, or null.
void* compilerLibraryFunction(const std::string& name);

}  // namespace uw
