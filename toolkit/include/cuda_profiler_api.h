// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaProfilerStart and cudaProfilerStop: accepted; there is no profiler to start.
#pragma once
#define __CUDA_PROFILER_API_H__  // public code asks whether this header was included

#include "cuda_runtime_api.h"
