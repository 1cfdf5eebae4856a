// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions for device code, as overloads of the C library's names. clang turns the built-ins into LLVM
// intrinsics or calls of the C library, whose errors are below CUDA's published bounds.
#pragma once

#include "opaque.h"

#define UW_MATH static __inline__ __attribute__((always_inline, device))

UW_MATH double acos(double x) { return __builtin_acos(x); }
UW_MATH float acosf(float x) { return __builtin_acosf(x); }
UW_MATH double acosh(double x) { return __builtin_acosh(x); }
UW_MATH float acoshf(float x) { return __builtin_acoshf(x); }
UW_MATH double asin(double x) { return __builtin_asin(x); }
UW_MATH float asinf(float x) { return __builtin_asinf(x); }
UW_MATH double asinh(double x) { return __builtin_asinh(x); }
UW_MATH float asinhf(float x) { return __builtin_asinhf(x); }
UW_MATH double atan(double x) { return __builtin_atan(x); }
UW_MATH float atanf(float x) { return __builtin_atanf(x); }
UW_MATH double atanh(double x) { return __builtin_atanh(x); }
UW_MATH float atanhf(float x) { return __builtin_atanhf(x); }
UW_MATH double cbrt(double x) { return __builtin_cbrt(x); }
UW_MATH float cbrtf(float x) { return __builtin_cbrtf(x); }
UW_MATH double ceil(double x) { return __builtin_ceil(x); }
UW_MATH float ceilf(float x) { return __builtin_ceilf(x); }
UW_MATH double cos(double x) { return __builtin_cos(x); }
UW_MATH float cosf(float x) { return __builtin_cosf(x); }
UW_MATH double cosh(double x) { return __builtin_cosh(x); }
UW_MATH float coshf(float x) { return __builtin_coshf(x); }
UW_MATH double erf(double x) { return __builtin_erf(x); }
UW_MATH float erff(float x) { return __builtin_erff(x); }
UW_MATH double erfc(double x) { return __builtin_erfc(x); }
UW_MATH float erfcf(float x) { return __builtin_erfcf(x); }
UW_MATH double exp(double x) { return __builtin_exp(x); }
UW_MATH float expf(float x) { return __builtin_expf(x); }
UW_MATH double exp2(double x) { return __builtin_exp2(x); }
UW_MATH float exp2f(float x) { return __builtin_exp2f(x); }
UW_MATH double expm1(double x) { return __builtin_expm1(x); }
UW_MATH float expm1f(float x) { return __builtin_expm1f(x); }
UW_MATH double fabs(double x) { return __builtin_fabs(x); }
UW_MATH float fabsf(float x) { return __builtin_fabsf(x); }
UW_MATH double floor(double x) { return __builtin_floor(x); }
UW_MATH float floorf(float x) { return __builtin_floorf(x); }
UW_MATH double lgamma(double x) { return __builtin_lgamma(x); }
UW_MATH float lgammaf(float x) { return __builtin_lgammaf(x); }
UW_MATH double log(double x) { return __builtin_log(x); }
UW_MATH float logf(float x) { return __builtin_logf(x); }
UW_MATH double log10(double x) { return __builtin_log10(x); }
UW_MATH float log10f(float x) { return __builtin_log10f(x); }
UW_MATH double log1p(double x) { return __builtin_log1p(x); }
UW_MATH float log1pf(float x) { return __builtin_log1pf(x); }
UW_MATH double log2(double x) { return __builtin_log2(x); }
UW_MATH float log2f(float x) { return __builtin_log2f(x); }
UW_MATH double nearbyint(double x) { return __builtin_nearbyint(x); }
UW_MATH float nearbyintf(float x) { return __builtin_nearbyintf(x); }
UW_MATH double rint(double x) { return __builtin_rint(x); }
UW_MATH float rintf(float x) { return __builtin_rintf(x); }
UW_MATH double round(double x) { return __builtin_round(x); }
UW_MATH float roundf(float x) { return __builtin_roundf(x); }
UW_MATH double sin(double x) { return __builtin_sin(x); }
UW_MATH float sinf(float x) { return __builtin_sinf(x); }
UW_MATH double sinh(double x) { return __builtin_sinh(x); }
UW_MATH float sinhf(float x) { return __builtin_sinhf(x); }
UW_MATH double sqrt(double x) { return __builtin_sqrt(x); }
UW_MATH float sqrtf(float x) { return __builtin_sqrtf(x); }
UW_MATH double tan(double x) { return __builtin_tan(x); }
UW_MATH float tanf(float x) { return __builtin_tanf(x); }
UW_MATH double tanh(double x) { return __builtin_tanh(x); }
UW_MATH float tanhf(float x) { return __builtin_tanhf(x); }
UW_MATH double tgamma(double x) { return __builtin_tgamma(x); }
UW_MATH float tgammaf(float x) { return __builtin_tgammaf(x); }
UW_MATH double trunc(double x) { return __builtin_trunc(x); }
UW_MATH float truncf(float x) { return __builtin_truncf(x); }
UW_MATH double logb(double x) { return __builtin_logb(x); }
UW_MATH float logbf(float x) { return __builtin_logbf(x); }
UW_MATH double atan2(double x, double y) { return __builtin_atan2(x, y); }
UW_MATH float atan2f(float x, float y) { return __builtin_atan2f(x, y); }
UW_MATH double copysign(double x, double y) { return __builtin_copysign(x, y); }
UW_MATH float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
UW_MATH double fdim(double x, double y) { return __builtin_fdim(x, y); }
UW_MATH float fdimf(float x, float y) { return __builtin_fdimf(x, y); }
UW_MATH double fmax(double x, double y) { return __builtin_fmax(x, y); }
UW_MATH float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
UW_MATH double fmin(double x, double y) { return __builtin_fmin(x, y); }
UW_MATH float fminf(float x, float y) { return __builtin_fminf(x, y); }
UW_MATH double fmod(double x, double y) { return __builtin_fmod(x, y); }
UW_MATH float fmodf(float x, float y) { return __builtin_fmodf(x, y); }
UW_MATH double hypot(double x, double y) { return __builtin_hypot(x, y); }
UW_MATH float hypotf(float x, float y) { return __builtin_hypotf(x, y); }
UW_MATH double nextafter(double x, double y) { return __builtin_nextafter(x, y); }
UW_MATH float nextafterf(float x, float y) { return __builtin_nextafterf(x, y); }
UW_MATH double pow(double x, double y) { return __builtin_pow(x, y); }
UW_MATH float powf(float x, float y) { return __builtin_powf(x, y); }
UW_MATH double remainder(double x, double y) { return __builtin_remainder(x, y); }
UW_MATH float remainderf(float x, float y) { return __builtin_remainderf(x, y); }
UW_MATH double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
UW_MATH float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
UW_MATH double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
UW_MATH float rsqrtf(float x) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))); }
UW_MATH float __expf(float x) { return __builtin_expf(x); }
UW_MATH float __logf(float x) { return __builtin_logf(x); }
UW_MATH float __sinf(float x) { return __builtin_sinf(x); }
UW_MATH float __cosf(float x) { return __builtin_cosf(x); }
UW_MATH float __powf(float x, float y) { return __builtin_powf(x, y); }
UW_MATH float __fdividef(float x, float y) { return x / y; }
UW_MATH int __popc(unsigned x) { return __builtin_popcount(x); }
UW_MATH int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
UW_MATH int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
UW_MATH int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
UW_MATH int __ffs(int x) { return __builtin_ffs(x); }
UW_MATH int __ffsll(long long x) { return __builtin_ffsll(x); }
UW_MATH int abs(int x) { return x < 0 ? -x : x; }
