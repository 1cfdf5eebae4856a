// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -O1
// widths: 32
//
// Zeros with their signs, infinities, NaN, poles and ends of domains, as the Math API documents them.
#include <cmath>

#include "check.h"

#define VALUES(X) \
  X(sinpi(0.0), 0.0) X(sinpi(-0.0), -0.0) X(sinpi(3.0), 0.0) X(sinpi(-3.0), -0.0) X(sinpi(inf), nan0) X(sinpi(1e300), 0.0) \
  X(cospi(0.5), 0.0) X(cospi(-2.5), 0.0) X(cospi(1e300), 1.0) X(cospi(-inf), nan0) X(sinpi(2.5), 1.0) X(sinpi(-0.5), -1.0) \
  X(erfinv(1.0), inf) X(erfinv(-1.0), -inf) X(erfinv(1.5), nan0) X(erfinv(-0.0), -0.0) X(erfcinv(0.0), inf) X(erfcinv(2.0), -inf) \
  X(erfcinv(-1.0), nan0) X(erfcinv(nan0), nan0) X(normcdf(inf), 1.0) X(normcdf(-inf), 0.0) X(normcdf(nan0), nan0) \
  X(normcdfinv(0.0), -inf) X(normcdfinv(1.0), inf) X(normcdfinv(2.0), nan0) X(erfcx(inf), 0.0) X(erfcx(-inf), inf) X(erfcx(nan0), nan0) \
  X(rcbrt(0.0), inf) X(rcbrt(-0.0), -inf) X(rcbrt(inf), 0.0) X(rcbrt(-inf), -0.0) X(rsqrt(0.0), inf) X(rsqrt(-0.0), -inf) X(rsqrt(inf), 0.0) \
  X(rsqrt(-1.0), nan0) X(cbrt(-0.0), -0.0) X(cbrt(-inf), -inf) X(cbrt(27.0), 3.0) X(exp10(-inf), 0.0) X(exp10(inf), inf) X(exp10(3.0), 1000.0) \
  X(exp10(22.0), 1e22) X(log10(0.0), -inf) X(log10(-1.0), nan0) X(log10(1e22), 22.0) X(log10(1.0), 0.0) X(log10(inf), inf) X(tanh(inf), 1.0) \
  X(tanh(-0.0), -0.0) X(tanh(nan0), nan0) X(sinh(-inf), -inf) X(sinh(-0.0), -0.0) X(cosh(-inf), inf) X(cosh(0.0), 1.0) X(cosh(nan0), nan0) \
  X(erfc(-inf), 2.0) X(erfc(inf), 0.0) X(erfc(nan0), nan0) X(erfc(0.0), 1.0) X(tgamma(5.0), 24.0) X(tgamma(0.0), inf) X(tgamma(-1.0), nan0) \
  X(tgamma(-inf), nan0) X(lgamma(1.0), 0.0) X(lgamma(-3.0), inf) X(lgamma(-inf), inf) X(j0(0.0), 1.0) X(j1(-0.0), -0.0) X(j0(inf), 0.0) \
  X(jn(-1, 2.0), nan0) X(y0(0.0), -inf) X(y1(0.0), -inf) X(y1(1e-310), -inf) X(yn(2, 0.0), -inf) X(y0(-1.0), nan0) X(yn(-1, 1.0), nan0) X(y0(inf), 0.0) \
  X(cyl_bessel_i0(inf), inf) X(cyl_bessel_i1(-inf), -inf) X(cyl_bessel_i1(-0.0), -0.0) X(cyl_bessel_i0(nan0), nan0) \
  X(norm3d(nan0, -inf, 1.0), inf) X(norm3d(1e200, 0.0, 0.0), 1e200) X(rnorm3d(0.0, 0.0, 0.0), inf) X(rnorm3d(inf, nan0, 0.0), 0.0) X(rhypot(0.0, 0.0), inf) \
  X(rhypot(1e-200, 0.0), 1e200) X(hypot(inf, nan0), inf) X(pow(nan0, 0.0), 1.0) X(pow(1.0, nan0), 1.0) X(pow(-2.0, 3.0), -8.0) X(pow(0.0, -1.0), inf) \
  X(atan2(0.0, -1.0), 3.14159265358979323846) X(atan2(-0.0, 1.0), -0.0) X(fmod(5.5, inf), 5.5) X(fmod(1.0, 0.0), nan0) X(fmax(nan0, 1.0), 1.0) \
  X(fmin(1.0, nan0), 1.0) X(fdim(1.0, 2.0), 0.0) X(round(-2.5), -3.0) X(rint(2.5), 2.0) X(nearbyint(-0.5), -0.0) X(trunc(-1.5), -1.0) X(remainder(5.0, 3.0), -1.0) \
  X(ldexp(1.0, -1074), 4.9406564584124654e-324) X(logb(0.0), -inf) X(nextafter(0.0, 1.0), 4.9406564584124654e-324) X(copysign(1.0, -0.0), -1.0) \
  X(log1p(-1.0), -inf) X(expm1(-inf), -1.0) X(exp2(-1074.0), 4.9406564584124654e-324) X(acosh(0.5), nan0) X(atanh(1.0), inf)

#define FLOATS(X) \
  X(sinpif(-1.0f), -0.0f) X(erfinvf(-1.0f), -inff0) X(normcdff(-inff0), 0.0f) X(rsqrtf(0.0f), inff0) X(tanhf(-0.0f), -0.0f) X(coshf(100.0f), inff0) \
  X(exp10f(3.0f), 1000.0f) X(exp10f(-50.0f), 0.0f) X(log10f(1e10f), 10.0f) X(tgammaf(-2.0f), nanf0) X(lgammaf(2.0f), 0.0f) X(log1pf(-1.0f), -inff0) \
  X(cbrtf(-8.0f), -2.0f) X(erfcf(20.0f), 0.0f) X(powf(2.0f, 0.5f), 1.41421356f) X(norm4df(1.0f, inff0, nanf0, 0.0f), inff0) X(rnorm4df(0.0f, 0.0f, 0.0f, 0.0f), inff0) \
  X(normcdfinvf(0.5f), -0.0f) X(fmaf(inff0, 0.0f, 1.0f), nanf0) X(sqrtf(-1.0f), nanf0) X(jnf(3, 0.0f), 0.0f) X(ynf(3, 0.0f), -inff0)

__global__ void all(double* d, float* f, double inf, double nan0, float inff0, float nanf0) {
  (void)nan0, (void)nanf0;
#define PUT_DOUBLE(call, wanted) *d++ = call;
#define PUT_FLOAT(call, wanted) *f++ = call;
  VALUES(PUT_DOUBLE) FLOATS(PUT_FLOAT)
}

int main() {
  double* d = shared<double>(200);
  float* f = shared<float>(50);
  double inf = INFINITY, nan0 = NAN;
  float inff0 = INFINITY, nanf0 = NAN;
  all<<<1, 1>>>(d, f, inf, nan0, inff0, nanf0);
  cudaDeviceSynchronize();
#define JUDGE_DOUBLE(call, wanted) expect(#call, *d++, wanted);
#define JUDGE_FLOAT(call, wanted) expect(#call, *f++, wanted);
  VALUES(JUDGE_DOUBLE) FLOATS(JUDGE_FLOAT)
  return finish();
}
