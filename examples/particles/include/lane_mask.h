// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lane masks for both vendors: the one file of this project that already has its AMD branch.
#pragma once

#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__)
#include <hip/hip_runtime.h>
using LaneMask = unsigned long long;
__device__ inline LaneMask voteMask(bool predicate) { return __ballot(predicate); }
__device__ inline int countLanes(LaneMask mask) { return __popcll(mask); }
#else
#include <cuda_runtime.h>
using LaneMask = unsigned int;
__device__ inline LaneMask voteMask(bool predicate) { return __ballot_sync(0xffffffffu, predicate); }
__device__ inline int countLanes(LaneMask mask) { return __popc(mask); }
#endif
