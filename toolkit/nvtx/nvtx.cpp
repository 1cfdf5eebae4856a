// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnvToolsExt: CMake's FindCUDAToolkit up to 3.30 sets a property on it in every project that asks for a CMake of 3.25
// or newer, so a toolkit without it cannot be configured there.
#define UW_NVTX_LINKAGE __attribute__((visibility("default")))
#include <nvToolsExt.h>
