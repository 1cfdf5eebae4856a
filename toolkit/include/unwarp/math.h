// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's mathematical functions and intrinsics (CUDA Math API reference). Included before the C library: device
// overloads of its names must be declared first, so that `using ::sin` in <cmath> finds them too; what needs <cmath>
// follows in math_overloads.h.
//
// Where the work is done: a function that LLVM knows stays a built-in, so that loops over threads can fold and
// vectorise it. What is left of it at link time, and every special function, is a call into the runtime
// (toolkit/runtime/device_math.h), which chooses between the C library and our own code so that no result is worse than
// CUDA's published bound. docs/gen/math-accuracy.md has the measured errors.
#pragma once

#include "opaque.h"

#define UW_MATH static __inline__ __attribute__((always_inline, device))

#include "math_library.h"
#include "math_cuda.h"
#include "intrinsics_integer.h"
#include "intrinsics_cast.h"
#include "intrinsics_rounded.h"
#include "intrinsics_fast.h"
#include "intrinsics_simd.h"
#include "intrinsics_dpx.h"
