// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -O1
//
// Every way to name a function gives the same value: global and std::, float overloads and `f` names, mixed arguments,
// device and host code. Types are checked as well, since a wrong overload is often only a wrong precision.
#include <cmath>
#include <type_traits>

#include "check.h"

#define SAME(a, b) \
  static_assert(std::is_same_v<decltype(a), decltype(b)>, #a); \
  *r++ = !((a) == (b))

__device__ int deviceOnly(int* out, float f, double d, int i, long l) {
  int* r = out;
  int e1 = 0, e2 = 0;
  float w1 = 0, w2 = 0;
  SAME(sin(f), sinf(f)); SAME(std::sin(f), sinf(f)); SAME(std::sin(d), sin(d)); SAME(std::exp(f), expf(f)); SAME(exp(f), expf(f));
  SAME(std::pow(f, f), powf(f, f)); SAME(pow(f, f), powf(f, f)); SAME(pow(d, i), pow(d, double(i))); SAME(std::pow(f, i), pow(double(f), double(i)));
  SAME(std::sqrt(i), sqrt(double(i))); SAME(sqrt(i), sqrt(double(i))); SAME(fmax(d, f), fmax(d, double(f))); SAME(std::fmax(f, f), fmaxf(f, f));
  SAME(std::tanh(f), tanhf(f)); SAME(tanh(f), tanhf(f)); SAME(std::erf(f), erff(f)); SAME(std::lgamma(f), lgammaf(f)); SAME(std::cbrt(f), cbrtf(f));
  SAME(std::frexp(f, &e1), frexpf(f, &e2)); SAME(frexp(f, &e1), frexpf(f, &e2)); SAME(std::modf(f, &w1), modff(f, &w2)); SAME(e1, e2); SAME(w1, w2);
  SAME(std::ldexp(f, 3), ldexpf(f, 3)); SAME(scalbn(d, 3), d * 8); SAME(scalblnf(f, 3), f * 8); SAME(std::ilogb(f), ilogbf(f)); SAME(std::lround(d), lround(d));
  SAME(std::abs(f), fabsf(f)); SAME(abs(f), fabsf(f)); SAME(std::abs(d), fabs(d)); SAME(std::abs(i), abs(i)); SAME(std::abs(l), labs(l)); SAME(abs(l), labs(l));
  SAME(std::abs((long long)l), llabs((long long)l)); SAME(std::fma(f, f, f), fmaf(f, f, f)); SAME(std::hypot(f, f), hypotf(f, f)); SAME(std::hypot(d, d, d), norm3d(d, d, d));
  SAME(std::remquo(f, 1.5f, &e1), remquof(f, 1.5f, &e2)); SAME(e1, e2); SAME(std::copysign(f, -f), copysignf(f, -f)); SAME(std::atan2(f, f), atan2f(f, f));
  SAME(std::isnan(f), false); SAME(isnan(d), false); SAME(std::isinf(d), false); SAME(isfinite(f), true); SAME(std::signbit(-f), true); SAME(signbit(d), false);
  SAME(std::isnan(nan("")), true); SAME(std::isnan(nanf("")), true); SAME(std::isnan(nan("0x123")), true); SAME(std::floor(f), floorf(f)); SAME(round(f), roundf(f));
  SAME(exp10(f), exp10f(f)); SAME(__expf(f), expf(f)); SAME(__powf(f, f), powf(f, f)); SAME(__fdividef(f, 4.0f), f / 4); SAME(__saturatef(f + 7), 1.0f); SAME(__saturatef(nanf("")), 0.0f);
  SAME(__fdividef(f, 3e38f), 0.0f); SAME(std::fmod(f, 0.25f), fmodf(f, 0.25f)); SAME(std::nextafter(f, 9.0f), nextafterf(f, 9.0f)); SAME(std::fdim(f, 0.5f), fdimf(f, 0.5f));
  float s = 0, c = 0;
  sincosf(f, &s, &c); SAME(s, sinf(f)); SAME(c, cosf(f));
  __sincosf(f, &s, &c); SAME(s, sinf(f)); sincos(f, &s, &c); SAME(c, cosf(f));
  double ds = 0, dc = 0;
  sincos(d, &ds, &dc); SAME(ds, sin(d)); SAME(dc, cos(d));
  return int(r - out);
}

__host__ __device__ int both(int* out, float f, double d, int i, long l) {
  int* r = out;
  SAME(min(i, 3), i < 3 ? i : 3); SAME(max(f, 2.0f), f > 2 ? f : 2.0f); SAME(max(f, 2.0), 2.0); SAME(min(3u, i), 2u); SAME(max(l, 1ul), 2ul); SAME(min(d, f), double(f) < d ? double(f) : d);
  SAME(rsqrt(f), rsqrtf(f)); SAME(rsqrt(4.0), 0.5); SAME(rcbrt(8.0), 0.5); SAME(rcbrt(f), rcbrtf(f)); SAME(sinpi(0.5), 1.0); SAME(cospi(1.0), -1.0); SAME(sinpi(f), sinpif(f));
  SAME(erfinv(0.0), 0.0); SAME(erfcinv(1.0), 0.0); SAME(erfinv(f), erfinvf(f)); SAME(normcdf(0.0), 0.5); SAME(normcdfinv(0.5), 0.0); SAME(erfcx(0.0), 1.0); SAME(normcdf(f), normcdff(f));
  SAME(cyl_bessel_i0(0.0), 1.0); SAME(cyl_bessel_i1(0.0), 0.0); SAME(norm3d(2.0, 3.0, 6.0), 7.0); SAME(norm4d(2.0, 4.0, 5.0, 6.0), 9.0); SAME(rhypot(3.0, 4.0), 0.2); SAME(rhypot(3.0f, 4.0f), 0.2f);
  SAME(rnorm3d(2.0, 3.0, 6.0), 1.0 / 7); SAME(norm3df(2.0f, 3.0f, 6.0f), 7.0f); SAME(rnorm4df(2.0f, 4.0f, 5.0f, 6.0f), 1.0f / 9); SAME(fdividef(f, 2.0f), f / 2); SAME(exp10(2.0f), 100.0f);
  SAME(umin(3u, 4u), 3u); SAME(llmax(3ll, 4ll), 4ll); SAME(isinf(norm3d(1.0, double(INFINITY), double(NAN))), true);
  double values[] = {1, 2, 2};
  float floats[] = {1, 2, 2};
  SAME(norm(3, values), 3.0); SAME(rnorm(3, values), 1.0 / 3); SAME(normf(3, floats), 3.0f); SAME(rnormf(3, floats), 1.0f / 3);
  double s = 0, c = 0;
  sincospi(0.5, &s, &c); SAME(s, 1.0); SAME(c, 0.0);
  float fs = 0, fc = 0;
  sincospif(1.0f, &fs, &fc); SAME(fs, 0.0f); SAME(fc, -1.0f);
  SAME(std::sin(f), std::sin(f)); SAME(int(std::max(i, 3)), 3);
  return int(r - out);
}
__global__ void onDevice(int* out, int* counts, float f, double d, int i, long l) {
  counts[0] = deviceOnly(out, f, d, i, l);
  counts[1] = both(out + 200, f, d, i, l);
}

int main() {
  int *out = shared<int>(400), *counts = shared<int>(2), onHost[200];
  onDevice<<<1, 1>>>(out, counts, 0.625f, 1.375, 2, 2L);
  cudaDeviceSynchronize();
  int count = both(onHost, 0.625f, 1.375, 2, 2L);
  expect("number of checks", count, counts[1]);
  expect("enough checks", counts[0] > 60 && count > 40, true, counts[0], count);
  for (int i = 0; i < counts[0]; ++i) expect("device only", out[i], 0, i);
  for (int i = 0; i < count; ++i) expect("device", out[200 + i], 0, i), expect("host", onHost[i], 0, i);
  return finish();
}
