// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that are measured, as lists for macros. Columns: the call as device code writes it (arguments x, y, z),
// the bound published in CUDA's Programming Guide ("Mathematical Functions", largest distance to the correctly rounded
// result), its unit (places or absolute error), the interesting range of arguments, the true value (of `x` in double
// for floats, in 128 bits for doubles; `got` is the value to be judged), and which arguments the bound is published
// for.
#pragma once

// clang-format off
#define UW_FLOAT_ONE(X) \
  X(acosf(x), 2, places, acos(x), true) \
  X(acoshf(x), 4, places, acosh(x), true) \
  X(asinf(x), 2, places, asin(x), true) \
  X(asinhf(x), 3, places, asinh(x), true) \
  X(atanf(x), 2, places, atan(x), true) \
  X(atanhf(x), 3, places, atanh(x), true) \
  X(cbrtf(x), 1, places, cbrt(x), true) \
  X(cosf(x), 2, places, cos(x), true) \
  X(coshf(x), 2, places, cosh(x), true) \
  X(cospif(x), 1, places, cospi(x), true) \
  X(cyl_bessel_i0f(x), 6, places, cyl_bessel_i0(x), true) \
  X(cyl_bessel_i1f(x), 6, places, cyl_bessel_i1(x), true) \
  X(erff(x), 2, places, erf(x), true) \
  X(erfcf(x), 4, places, erfc(x), true) \
  X(erfcinvf(x), 4, places, erfcinv(x), true) \
  X(erfcxf(x), 4, places, erfcx(x), true) \
  X(erfinvf(x), 2, places, erfinv(x), true) \
  X(expf(x), 2, places, exp(x), true) \
  X(exp10f(x), 2, places, exp10(x), true) \
  X(exp2f(x), 2, places, exp2(x), true) \
  X(expm1f(x), 1, places, expm1(x), true) \
  X(j0f(x), 9, places, j0(x), std::fabs(x) < 8) \
  X(j1f(x), 9, places, j1(x), std::fabs(x) < 8) \
  X(lgammaf(x), 6, places, lgamma(x), x < -10.001 || x > -2.264) \
  X(logf(x), 1, places, log(x), true) \
  X(log10f(x), 2, places, log10(x), true) \
  X(log1pf(x), 1, places, log1p(x), true) \
  X(log2f(x), 1, places, log2(x), true) \
  X(normcdff(x), 5, places, normcdf(x), true) \
  X(normcdfinvf(x), 5, places, normcdfinv(x), true) \
  X(rcbrtf(x), 1, places, rcbrt(x), true) \
  X(rsqrtf(x), 2, places, rsqrt(x), true) \
  X(sinf(x), 2, places, sin(x), true) \
  X(sinhf(x), 3, places, sinh(x), true) \
  X(sinpif(x), 1, places, sinpi(x), true) \
  X(sqrtf(x), 0, places, sqrt(x), true) \
  X(tanf(x), 4, places, tan(x), true) \
  X(tanhf(x), 2, places, tanh(x), true) \
  X(tgammaf(x), 5, places, tgamma(x), true) \
  X(y0f(x), 9, places, y0(x), x < 8) \
  X(y1f(x), 9, places, y1(x), x < 8) \
  X(j0f(x), 2.2e-6, absolute, j0(x), std::fabs(x) >= 8) \
  X(j1f(x), 2.2e-6, absolute, j1(x), std::fabs(x) >= 8) \
  X(jnf(128, x), 2.2e-6, absolute, jn(128, x), true) \
  X(y0f(x), 2.2e-6, absolute, y0(x), x >= 8) \
  X(y1f(x), 2.2e-6, absolute, y1(x), x >= 8) \
  X(ynf(2, x), 2.2e-6, absolute, yn(2, x), x >= 2)

#define UW_FLOAT_MANY(X) \
  X(atan2f(x, y), 3, places, -100, 100, atan2(x, y), true) \
  X(fmodf(x, y), 0, places, -1e6, 1e6, fmod(x, y), true) \
  X(remainderf(x, y), 0, places, -1e6, 1e6, remainder(x, y), true) \
  X(hypotf(x, y), 3, places, -1e3, 1e3, hypot(x, y), true) \
  X(rhypotf(x, y), 2, places, -1e3, 1e3, rhypot(x, y), true) \
  X(powf(x, y), 4, places, -40, 40, pow(x, y), true) \
  X(powf(1 + x * 0x1p-10f, y * 0x1p10f), 4, places, -8, 8, pow(double(1 + a * 0x1p-10f), b * 1024.0), true) \
  X(norm3df(x, y, z), 3, places, -1e3, 1e3, norm3d(x, y, z), true) \
  X(rnorm3df(x, y, z), 2, places, -1e3, 1e3, rnorm3d(x, y, z), true) \
  X(norm4df(x, y, z, x), 3, places, -1e3, 1e3, norm4d(x, y, z, x), true) \
  X(rnorm4df(x, y, z, x), 2, places, -1e3, 1e3, rnorm4d(x, y, z, x), true) \
  X(__frsqrt_rn(x), 0, places, 0, 100, rsqrt(x), true) \
  X(__sinf(x), 2, places, -4, 4, sin(x), true) \
  X(__expf(x), 2, places, -80, 80, exp(x), true) \
  X(__logf(x), 1, places, 0, 100, log(x), true)

#define UW_DOUBLE(X) \
  X(acos(x), 2, places, -1, 1, acosf128(x), true) \
  X(acosh(x), 3, places, 1, 100, acoshf128(x), true) \
  X(asin(x), 2, places, -1, 1, asinf128(x), true) \
  X(asinh(x), 3, places, -100, 100, asinhf128(x), true) \
  X(atan(x), 2, places, -100, 100, atanf128(x), true) \
  X(atan2(x, y), 2, places, -100, 100, atan2f128(x, y), true) \
  X(atanh(x), 2, places, -1, 1, atanhf128(x), true) \
  X(cbrt(x), 1, places, -100, 100, cbrtf128(x), true) \
  X(cos(x), 2, places, -1000, 1000, cosf128(x), true) \
  X(cosh(x), 1, places, -712, 712, coshf128(x), true) \
  X(cospi(x), 2, places, -1000, 1000, cospiWide(x), true) \
  X(cyl_bessel_i0(x), 6, places, -40, 40, besselIWide(0, x), true) \
  X(cyl_bessel_i1(x), 6, places, -40, 40, besselIWide(1, x), true) \
  X(erf(x), 2, places, -7, 7, erff128(x), true) \
  X(erfc(x), 5, places, -8, 28, erfcf128(x), true) \
  X(erfcinv(x), 6, places, 0, 2, erfcinvWide(x, got), true) \
  X(erfcx(x), 4, places, -27, 60, erfcxWide(x), true) \
  X(erfinv(x), 5, places, -1, 1, erfinvWide(x, got), true) \
  X(exp(x), 1, places, -750, 750, expf128(x), true) \
  X(exp10(x), 1, places, -330, 330, exp10f128(x), true) \
  X(exp2(x), 1, places, -1080, 1080, exp2f128(x), true) \
  X(expm1(x), 1, places, -40, 710, expm1f128(x), true) \
  X(fmod(x, y), 0, places, -1e6, 1e6, fmodf128(x, y), true) \
  X(hypot(x, y), 2, places, -1e3, 1e3, hypotf128(x, y), true) \
  X(j0(x), 7, places, -8, 8, j0f128(x), std::fabs(x) < 8) \
  X(j1(x), 7, places, -8, 8, j1f128(x), std::fabs(x) < 8) \
  X(lgamma(x), 4, places, -40, 100, lgammaf128(x), x < -23.0001 || x > -2.2637) \
  X(log(x), 1, places, 0, 1000, logf128(x), true) \
  X(log10(x), 1, places, 0, 1000, log10f128(x), true) \
  X(log1p(x), 1, places, -1, 1000, log1pf128(x), true) \
  X(log2(x), 1, places, 0, 1000, log2f128(x), true) \
  X(norm3d(x, y, z), 2, places, -1e3, 1e3, lengthWide(x, y, z, 0), true) \
  X(norm4d(x, y, z, x), 2, places, -1e3, 1e3, lengthWide(x, y, z, x), true) \
  X(normcdf(x), 5, places, -39, 9, normcdfWide(x), true) \
  X(normcdfinv(x), 8, places, 0, 1, normcdfinvWide(x, got), true) \
  X(pow(x, y), 2, places, -40, 40, powf128(x, y), true) \
  X(pow(1 + x * 0x1p-20, y * 0x1p20), 2, places, -20, 20, powf128(1 + a * 0x1p-20, b * 0x1p20), true) \
  X(rcbrt(x), 1, places, -100, 100, 1 / cbrtf128(x), true) \
  X(rhypot(x, y), 1, places, -1e3, 1e3, 1 / hypotf128(x, y), true) \
  X(rnorm3d(x, y, z), 1, places, -1e3, 1e3, 1 / lengthWide(x, y, z, 0), true) \
  X(rnorm4d(x, y, z, x), 1, places, -1e3, 1e3, 1 / lengthWide(x, y, z, x), true) \
  X(rsqrt(x), 1, places, 0, 100, 1 / sqrtf128(x), true) \
  X(sin(x), 2, places, -1000, 1000, sinf128(x), true) \
  X(sinh(x), 2, places, -712, 712, sinhf128(x), true) \
  X(sinpi(x), 2, places, -1000, 1000, sinpiWide(x), true) \
  X(sqrt(x), 0, places, 0, 100, sqrtf128(x), true) \
  X(tan(x), 2, places, -1000, 1000, tanf128(x), true) \
  X(tanh(x), 1, places, -20, 20, tanhf128(x), true) \
  X(tgamma(x), 10, places, -180, 172, tgammaf128(x), true) \
  X(y0(x), 7, places, 0, 8, y0f128(x), x < 8) \
  X(y1(x), 7, places, 0, 8, y1f128(x), x < 8) \
  X(j0(x), 5e-12, absolute, 8, 1000, j0f128(x), std::fabs(x) >= 8) \
  X(j1(x), 5e-12, absolute, 8, 1000, j1f128(x), std::fabs(x) >= 8) \
  X(jn(128, x), 5e-12, absolute, 0, 300, jnf128(128, x), std::fabs(x) < 1e6) \
  X(y0(x), 5e-12, absolute, 8, 1000, y0f128(x), x >= 8) \
  X(y1(x), 5e-12, absolute, 8, 1000, y1f128(x), x >= 8) \
  X(yn(2, x), 5e-12, absolute, 3, 1000, ynf128(2, x), x > 3 && x < 1e6)
// clang-format on
