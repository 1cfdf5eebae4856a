// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's mathematical names for device code, each in double, in float with the suffix `f`, and in float under
// the plain name. Host code keeps the C library's own.
#pragma once

#include "math.h"

#define UW_ONE(name)                                               \
  UW_MATH double name(double x) { return __builtin_##name(x); }    \
  UW_MATH float name##f(float x) { return __builtin_##name##f(x); } \
  UW_MATH float name(float x) { return __builtin_##name##f(x); }
UW_ONE(acos)
UW_ONE(acosh)
UW_ONE(asin)
UW_ONE(asinh)
UW_ONE(atan)
UW_ONE(atanh)
UW_ONE(cbrt)
UW_ONE(ceil)
UW_ONE(cos)
UW_ONE(cosh)
UW_ONE(erf)
UW_ONE(erfc)
UW_ONE(exp)
UW_ONE(exp2)
UW_ONE(expm1)
UW_ONE(fabs)
UW_ONE(floor)
UW_ONE(lgamma)
UW_ONE(log)
UW_ONE(log10)
UW_ONE(log1p)
UW_ONE(log2)
UW_ONE(logb)
UW_ONE(nearbyint)
UW_ONE(rint)
UW_ONE(round)
UW_ONE(sin)
UW_ONE(sinh)
UW_ONE(sqrt)
UW_ONE(tan)
UW_ONE(tanh)
UW_ONE(tgamma)
UW_ONE(trunc)
#undef UW_ONE

#define UW_TWO(name)                                                              \
  UW_MATH double name(double x, double y) { return __builtin_##name(x, y); }      \
  UW_MATH float name##f(float x, float y) { return __builtin_##name##f(x, y); }   \
  UW_MATH float name(float x, float y) { return __builtin_##name##f(x, y); }
UW_TWO(atan2)
UW_TWO(copysign)
UW_TWO(fdim)
UW_TWO(fmax)
UW_TWO(fmin)
UW_TWO(fmod)
UW_TWO(hypot)
UW_TWO(nextafter)
UW_TWO(pow)
UW_TWO(remainder)
#undef UW_TWO

#define UW_TO_INTEGER(name, T)                              \
  UW_MATH T name(double x) { return __builtin_##name(x); }    \
  UW_MATH T name##f(float x) { return __builtin_##name##f(x); } \
  UW_MATH T name(float x) { return __builtin_##name##f(x); }
UW_TO_INTEGER(ilogb, int)
UW_TO_INTEGER(lrint, long)
UW_TO_INTEGER(llrint, long long)
UW_TO_INTEGER(lround, long)
UW_TO_INTEGER(llround, long long)
#undef UW_TO_INTEGER

#define UW_WITH(name, T)                                                      \
  UW_MATH double name(double x, T y) { return __builtin_##name(x, y); }       \
  UW_MATH float name##f(float x, T y) { return __builtin_##name##f(x, y); }   \
  UW_MATH float name(float x, T y) { return __builtin_##name##f(x, y); }
UW_WITH(frexp, int*)
UW_WITH(ldexp, int)
UW_WITH(scalbn, int)
UW_WITH(scalbln, long)
#undef UW_WITH

UW_MATH double exp10(double x) { return __builtin_exp10(x); }
UW_MATH float exp10f(float x) { return __builtin_exp10f(x); }
UW_MATH double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
UW_MATH float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
UW_MATH float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
UW_MATH double modf(double x, double* whole) { return __builtin_modf(x, whole); }
UW_MATH float modff(float x, float* whole) { return __builtin_modff(x, whole); }
UW_MATH float modf(float x, float* whole) { return __builtin_modff(x, whole); }
UW_MATH double remquo(double x, double y, int* quotient) { return __builtin_remquo(x, y, quotient); }
UW_MATH float remquof(float x, float y, int* quotient) { return __builtin_remquof(x, y, quotient); }
UW_MATH float remquo(float x, float y, int* quotient) { return __builtin_remquof(x, y, quotient); }
// Two calls: LLVM's x86 back end makes one of them.
UW_MATH void sincos(double x, double* sine, double* cosine) {
  *sine = __builtin_sin(x);
  *cosine = __builtin_cos(x);
}
UW_MATH void sincosf(float x, float* sine, float* cosine) {
  *sine = __builtin_sinf(x);
  *cosine = __builtin_cosf(x);
}
UW_MATH void sincos(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }

// Every known caller passes "": only other texts cost a call.
extern "C" __device__ double __uwm_nan(const char* payload);
extern "C" __device__ float __uwm_nanf(const char* payload);
UW_MATH double nan(const char* payload) { return payload[0] == '\0' ? __builtin_nan("") : __uwm_nan(payload); }
UW_MATH float nanf(const char* payload) { return payload[0] == '\0' ? __builtin_nanf("") : __uwm_nanf(payload); }

UW_MATH int abs(int x) { return x < 0 ? static_cast<int>(0u - static_cast<unsigned>(x)) : x; }
UW_MATH long labs(long x) { return x < 0 ? static_cast<long>(0ul - static_cast<unsigned long>(x)) : x; }
UW_MATH long long llabs(long long x) {
  return x < 0 ? static_cast<long long>(0ull - static_cast<unsigned long long>(x)) : x;
}
UW_MATH long abs(long x) { return labs(x); }
UW_MATH long long abs(long long x) { return llabs(x); }
UW_MATH double abs(double x) { return __builtin_fabs(x); }
UW_MATH float abs(float x) { return __builtin_fabsf(x); }

// The classification functions that CUDA also has under its own names; the usual ones are <cmath>'s.
UW_MATH int __isnan(double x) { return __builtin_isnan(x); }
UW_MATH int __isnanf(float x) { return __builtin_isnan(x); }
UW_MATH int __isinf(double x) { return __builtin_isinf(x); }
UW_MATH int __isinff(float x) { return __builtin_isinf(x); }
UW_MATH int __finite(double x) { return __builtin_isfinite(x); }
UW_MATH int __finitef(float x) { return __builtin_isfinite(x); }
UW_MATH int __signbitd(double x) { return __builtin_signbit(x); }
UW_MATH int __signbit(double x) { return __builtin_signbit(x); }
UW_MATH int __signbitf(float x) { return __builtin_signbit(x); }
