// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// threadIdx, blockIdx, blockDim, gridDim, warpSize, under the name that editors want included.
#pragma once
#define __DEVICE_LAUNCH_PARAMETERS_H__  // public code asks whether this header was included

#include "vector_types.h"
#if defined(__cplusplus) && defined(__CUDA__)
#include "unwarp/builtin_variables.h"
#endif
