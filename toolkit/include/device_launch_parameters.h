// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// threadIdx, blockIdx, blockDim, gridDim, warpSize, under the name that editors want included.
#pragma once

#include "vector_types.h"
#if defined(__cplusplus) && defined(__CUDA__)
#include "unwarp/builtin_variables.h"
#endif
