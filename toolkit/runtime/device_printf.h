// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `printf` of device code. clang packs the arguments of a call into a structure with natural alignment; this reads it
// back while walking the format, as CUDA documents it: the return value is the number of arguments, -1 without a
// format.
#pragma once

#include <cstdint>

namespace uw {

/// Prints one whole line or piece at a time to the program's stdout, so that lines of different threads do not mix.
int32_t devicePrintf(const char* format, const void* arguments);

}  // namespace uw
