// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cuda_fp16.h and cuda_bf16.h share: names joined from words, and the runtime's functions that they call.
#pragma once

#include <stdint.h>  // programs take its names from cuda_fp8.h

#include "../vector_types.h"
#include "small_floats.h"

#define UW_JOIN_(A, B) A##B
#define UW_JOIN(A, B) UW_JOIN_(A, B)
#define UW_JOIN3_(A, B, C) A##B##C
#define UW_JOIN3(A, B, C) UW_JOIN3_(A, B, C)
#define UW_JOIN5_(A, B, C, D, E) A##B##C##D##E
#define UW_JOIN5(A, B, C, D, E) UW_JOIN5_(A, B, C, D, E)

#if defined(__CUDA__)
#include "opaque.h"
#include "warp.h"
extern "C" {
__device__ unsigned __uw_atomic_add_half(void* address, unsigned value);
__device__ unsigned __uw_atomic_add_bfloat16(void* address, unsigned value);
}
#endif
