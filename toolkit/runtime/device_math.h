// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions of device code at run time. A name that a kernel leaves undefined is a function of the C
// library (`tanhf`, also when LLVM made it from an intrinsic) or one that our headers declare (`__uwm_erfinv`, see
// toolkit/include/unwarp/math_cuda.h). The C library serves where its error is within CUDA's published bound; where it
// is not, or has no such function, the functions declared here do. Host code of CUDA programs calls the `__uwm_` ones
// directly, so they are visible symbols.
//
// Our double results come from sums of two doubles (device_math_pair.h) with about 2^-60 relative error before the last
// rounding; our float results are double results rounded once.
#pragma once

#include <string>

#define UW_EXPORTED extern "C" __attribute__((visibility("default")))

UW_EXPORTED double __uwm_rcbrt(double x) noexcept;
UW_EXPORTED double __uwm_sinpi(double x) noexcept;
UW_EXPORTED double __uwm_cospi(double x) noexcept;
UW_EXPORTED float __uwm_sinpif(float x) noexcept;
UW_EXPORTED float __uwm_cospif(float x) noexcept;
UW_EXPORTED double __uwm_erfinv(double x) noexcept;
UW_EXPORTED double __uwm_erfcinv(double x) noexcept;
UW_EXPORTED double __uwm_erfcx(double x) noexcept;
UW_EXPORTED double __uwm_normcdf(double x) noexcept;
UW_EXPORTED double __uwm_normcdfinv(double x) noexcept;
UW_EXPORTED double __uwm_cyl_bessel_i0(double x) noexcept;
UW_EXPORTED double __uwm_cyl_bessel_i1(double x) noexcept;
UW_EXPORTED double __uwm_j0(double x) noexcept;
UW_EXPORTED double __uwm_j1(double x) noexcept;
UW_EXPORTED double __uwm_y0(double x) noexcept;
UW_EXPORTED double __uwm_y1(double x) noexcept;
UW_EXPORTED double __uwm_jn(int n, double x) noexcept;
UW_EXPORTED double __uwm_yn(int n, double x) noexcept;
UW_EXPORTED double __uwm_rhypot(double x, double y) noexcept;
UW_EXPORTED double __uwm_norm4d(double x, double y, double z, double w) noexcept;
UW_EXPORTED double __uwm_rnorm4d(double x, double y, double z, double w) noexcept;
UW_EXPORTED double __uwm_norm(int count, const double* values) noexcept;
UW_EXPORTED double __uwm_rnorm(int count, const double* values) noexcept;
UW_EXPORTED float __uwm_normf(int count, const float* values) noexcept;
UW_EXPORTED float __uwm_rnormf(int count, const float* values) noexcept;

namespace uw::math {

/// The address that device code's undefined `name` means, or null when it is no mathematical function of ours.
void* function(const std::string& name);

double cbrt(double x);
double cosh(double x);
double sinh(double x);
double tanh(double x);
double exp10(double x);
double log10(double x);
double erfc(double x);

// Arithmetic with a rounding direction: 1 down, 2 up, 3 towards zero (toolkit/include/unwarp/intrinsics_rounded.h).
float addDirected(float x, float y, int direction);
float multiplyDirected(float x, float y, int direction);
float divideDirected(float x, float y, int direction);
float rootDirected(float x, int direction);
float fuseDirected(float x, float y, float z, int direction);
double addDirected(double x, double y, int direction);
double multiplyDirected(double x, double y, int direction);
double divideDirected(double x, double y, int direction);
double rootDirected(double x, int direction);
double fuseDirected(double x, double y, double z, int direction);

}  // namespace uw::math
