// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fast approximations (CUDA Math API, "Single Precision Intrinsics"). A GPU has instructions for them; a CPU has not,
// and the accurate function is as fast and within every published bound. So `-use_fast_math` (__USE_FAST_MATH__), which
// maps the plain names to these, has nothing left to map here.
#pragma once

#include "math.h"

UW_MATH float __sinf(float x) { return __builtin_sinf(x); }
UW_MATH float __cosf(float x) { return __builtin_cosf(x); }
UW_MATH float __tanf(float x) { return __builtin_tanf(x); }
UW_MATH float __tanhf(float x) { return __builtin_tanhf(x); }
UW_MATH float __expf(float x) { return __builtin_expf(x); }
UW_MATH float __exp10f(float x) { return __builtin_exp10f(x); }
UW_MATH float __logf(float x) { return __builtin_logf(x); }
UW_MATH float __log2f(float x) { return __builtin_log2f(x); }
UW_MATH float __log10f(float x) { return __builtin_log10f(x); }
UW_MATH float __powf(float x, float y) { return __builtin_powf(x, y); }
UW_MATH void __sincosf(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
// The quotient is 0 for divisors beyond 2^126, as documented; infinity over such a divisor is a NaN.
UW_MATH float __fdividef(float x, float y) {
  float size = __builtin_fabsf(y);
  return size > 0x1p126f && size < __builtin_inff() ? x * 0.0f : x / y;
}
// A NaN becomes 0.
UW_MATH float __saturatef(float x) { return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f); }
UW_MATH float saturate(float x) { return __saturatef(x); }
