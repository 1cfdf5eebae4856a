// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions that CUDA adds to the C library's, for device and host code. `__uwm_...` are functions of the
// runtime library (toolkit/runtime/device_math.h), called alike from both sides; the float forms compute in double and
// round once, because doubles cost a CPU no more.
#pragma once

#include <features.h>

#include "math.h"

// Newer C libraries declare some of these names for host code themselves (C23).
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 41)
#define UW_C23 UW_MATH
#endif
#endif
#ifndef UW_C23
#define UW_C23 UW_BOTH
#endif

extern "C" {
#define UW_PURE __host__ __device__ __attribute__((const))
UW_PURE double __uwm_rcbrt(double x) noexcept;
UW_PURE double __uwm_sinpi(double x) noexcept;
UW_PURE double __uwm_cospi(double x) noexcept;
UW_PURE float __uwm_sinpif(float x) noexcept;
UW_PURE float __uwm_cospif(float x) noexcept;
UW_PURE double __uwm_erfinv(double x) noexcept;
UW_PURE double __uwm_erfcinv(double x) noexcept;
UW_PURE double __uwm_erfcx(double x) noexcept;
UW_PURE double __uwm_normcdf(double x) noexcept;
UW_PURE double __uwm_normcdfinv(double x) noexcept;
UW_PURE double __uwm_cyl_bessel_i0(double x) noexcept;
UW_PURE double __uwm_cyl_bessel_i1(double x) noexcept;
UW_PURE double __uwm_j0(double x) noexcept;
UW_PURE double __uwm_j1(double x) noexcept;
UW_PURE double __uwm_y0(double x) noexcept;
UW_PURE double __uwm_y1(double x) noexcept;
UW_PURE double __uwm_jn(int n, double x) noexcept;
UW_PURE double __uwm_yn(int n, double x) noexcept;
UW_PURE double __uwm_rhypot(double x, double y) noexcept;
UW_PURE double __uwm_norm4d(double x, double y, double z, double w) noexcept;
UW_PURE double __uwm_rnorm4d(double x, double y, double z, double w) noexcept;
__host__ __device__ double __uwm_norm(int count, const double* values) noexcept;
__host__ __device__ double __uwm_rnorm(int count, const double* values) noexcept;
__host__ __device__ float __uwm_normf(int count, const float* values) noexcept;
__host__ __device__ float __uwm_rnormf(int count, const float* values) noexcept;
#undef UW_PURE
}

#define UW_SPECIAL(SIDE, name)                                                                            \
  SIDE double name(double x) { return __uwm_##name(x); }                                                  \
  SIDE float name##f(float x) { return static_cast<float>(__uwm_##name(static_cast<double>(x))); }        \
  SIDE float name(float x) { return name##f(x); }
UW_SPECIAL(UW_BOTH, rcbrt)
UW_SPECIAL(UW_BOTH, erfinv)
UW_SPECIAL(UW_BOTH, erfcinv)
UW_SPECIAL(UW_BOTH, erfcx)
UW_SPECIAL(UW_BOTH, normcdf)
UW_SPECIAL(UW_BOTH, normcdfinv)
UW_SPECIAL(UW_BOTH, cyl_bessel_i0)
UW_SPECIAL(UW_BOTH, cyl_bessel_i1)
// The host has these from the C library.
UW_SPECIAL(UW_MATH, j0)
UW_SPECIAL(UW_MATH, j1)
UW_SPECIAL(UW_MATH, y0)
UW_SPECIAL(UW_MATH, y1)
#undef UW_SPECIAL
UW_C23 double sinpi(double x) { return __uwm_sinpi(x); }
UW_C23 double cospi(double x) { return __uwm_cospi(x); }
UW_C23 float sinpif(float x) { return __uwm_sinpif(x); }
UW_C23 float cospif(float x) { return __uwm_cospif(x); }
UW_BOTH float sinpi(float x) { return __uwm_sinpif(x); }
UW_BOTH float cospi(float x) { return __uwm_cospif(x); }
UW_MATH double jn(int n, double x) { return __uwm_jn(n, x); }
UW_MATH double yn(int n, double x) { return __uwm_yn(n, x); }
UW_MATH float jnf(int n, float x) { return static_cast<float>(__uwm_jn(n, static_cast<double>(x))); }
UW_MATH float ynf(int n, float x) { return static_cast<float>(__uwm_yn(n, static_cast<double>(x))); }
UW_MATH float jn(int n, float x) { return jnf(n, x); }
UW_MATH float yn(int n, float x) { return ynf(n, x); }

UW_C23 double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
UW_C23 float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
UW_BOTH float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
UW_BOTH void sincospi(double x, double* sine, double* cosine) {
  *sine = __uwm_sinpi(x);
  *cosine = __uwm_cospi(x);
}
UW_BOTH void sincospif(float x, float* sine, float* cosine) {
  *sine = __uwm_sinpif(x);
  *cosine = __uwm_cospif(x);
}
UW_BOTH void sincospi(float x, float* sine, float* cosine) { sincospif(x, sine, cosine); }
UW_BOTH float exp10(float x) { return __builtin_exp10f(x); }
UW_BOTH double fdivide(double x, double y) { return x / y; }
UW_BOTH float fdividef(float x, float y) { return x / y; }

// Lengths. An infinite component makes the length infinite even beside a NaN, as hypot has it.
UW_BOTH float __uwm_length(float x, float y, float z, float w) {
  if (__builtin_isinf(x) || __builtin_isinf(y) || __builtin_isinf(z) || __builtin_isinf(w)) return __builtin_inff();
  double a = x, b = y, c = z, d = w;
  return static_cast<float>(__builtin_sqrt(a * a + b * b + (c * c + d * d)));
}
UW_BOTH float __uwm_inverse_length(float x, float y, float z, float w) {
  if (__builtin_isinf(x) || __builtin_isinf(y) || __builtin_isinf(z) || __builtin_isinf(w)) return 0.0f;
  double a = x, b = y, c = z, d = w;
  return static_cast<float>(1.0 / __builtin_sqrt(a * a + b * b + (c * c + d * d)));
}
UW_BOTH double rhypot(double x, double y) { return __uwm_rhypot(x, y); }
UW_BOTH double norm3d(double x, double y, double z) { return __uwm_norm4d(x, y, z, 0.0); }
UW_BOTH double rnorm3d(double x, double y, double z) { return __uwm_rnorm4d(x, y, z, 0.0); }
UW_BOTH double norm4d(double x, double y, double z, double w) { return __uwm_norm4d(x, y, z, w); }
UW_BOTH double rnorm4d(double x, double y, double z, double w) { return __uwm_rnorm4d(x, y, z, w); }
UW_BOTH double norm(int count, const double* values) { return __uwm_norm(count, values); }
UW_BOTH double rnorm(int count, const double* values) { return __uwm_rnorm(count, values); }
UW_BOTH float rhypotf(float x, float y) { return __uwm_inverse_length(x, y, 0.0f, 0.0f); }
UW_BOTH float rhypot(float x, float y) { return __uwm_inverse_length(x, y, 0.0f, 0.0f); }
UW_BOTH float norm3df(float x, float y, float z) { return __uwm_length(x, y, z, 0.0f); }
UW_BOTH float rnorm3df(float x, float y, float z) { return __uwm_inverse_length(x, y, z, 0.0f); }
UW_BOTH float norm4df(float x, float y, float z, float w) { return __uwm_length(x, y, z, w); }
UW_BOTH float rnorm4df(float x, float y, float z, float w) { return __uwm_inverse_length(x, y, z, w); }
UW_BOTH float normf(int count, const float* values) { return __uwm_normf(count, values); }
UW_BOTH float rnormf(int count, const float* values) { return __uwm_rnormf(count, values); }
#undef UW_C23
