// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaProfilerStart and cudaProfilerStop: accepted; there is no profiler to start.
#pragma once

#include "cuda_runtime_api.h"
