// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bessel functions. Below 8, CUDA's bound is relative even beside the zeros: piecewise polynomials with the nearest
// zero factored out. Beyond, it is absolute and the C library keeps it. Y near zero is its definition (Abramowitz and
// Stegun 9.1.13): (2/pi) log(x) J(x), the pole of Y1, and an even series. I0 and I1 have no zeros but that of I1 at 0;
// beyond 8 they are e^x / sqrt(x) times a polynomial of 1/x (9.7.1).
#include <limits>

#include "runtime/device_math.h"
#include "runtime/device_math_pair.h"

#pragma STDC FP_CONTRACT OFF

namespace uw::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
constexpr double kTableEnd = 8;

// Beyond the table of I0 or I1.
double grown(double a, const Table& table) {
  if (a > 720) return kInfinity;
  return exponential({a, 0}).rounded(table(1 / a) / std::sqrt(a));
}

// The power series (9.1.10): it is 1 at 0, exactly.
double smallJ0(double x) {
  static constexpr double kSeries[] = {-1.0,
                                       1.0 / 4,
                                       -1.0 / 36,
                                       1.0 / 576,
                                       -1.0 / 14400,
                                       1.0 / 518400,
                                       -1.0 / 25401600,
                                       1.0 / 1625702400.0,
                                       -1.0 / 131681894400.0};
  double square = 0.25 * x * x;
  return 1 + square * polynomial(kSeries, square);
}

// Domain of the functions of the second kind; true when `result` is the answer.
bool isOutside(double x, double& result) {
  if (x > 0) return false;
  result = x == 0 ? -kInfinity : kNotANumber;
  return true;
}

}  // namespace
}  // namespace uw::math

using namespace uw::math;

double __uwm_j0(double x) noexcept {
  double a = std::fabs(x);
  if (a < 1) return smallJ0(a);
  return a < kTableEnd ? kJ0Table(a) : ::j0(x);
}
double __uwm_j1(double x) noexcept {
  double a = std::fabs(x);
  if (!(a < kTableEnd)) return ::j1(x);
  return std::signbit(x) ? -kJ1Table(a) : kJ1Table(a);
}
double __uwm_y0(double x) noexcept {
  double outside = 0;
  if (isOutside(x, outside)) return outside;
  if (x >= kTableEnd) return ::y0(x);
  if (x >= 0.5) return kY0Table(x);
  return kTwoOverPi * std::log(x) * smallJ0(x) + kY0SmallTable(x * x);
}
double __uwm_y1(double x) noexcept {
  double outside = 0;
  if (isOutside(x, outside)) return outside;
  if (x >= kTableEnd) return ::y1(x);
  if (x >= 0.5) return kY1Table(x);
  double pole = -kTwoOverPi / x;
  if (x < 0x1p-60) return pole;
  return pole + (kTwoOverPi * std::log(x) * kJ1Table(x) + x * kY1SmallTable(x * x));
}
double __uwm_jn(int n, double x) noexcept {
  if (n < 0) return kNotANumber;
  return n == 0 ? __uwm_j0(x) : n == 1 ? __uwm_j1(x) : ::jn(n, x);
}
double __uwm_yn(int n, double x) noexcept {
  if (n < 0) return kNotANumber;
  double outside = 0;
  if (isOutside(x, outside)) return outside;
  return n == 0 ? __uwm_y0(x) : n == 1 ? __uwm_y1(x) : ::yn(n, x);
}

double __uwm_cyl_bessel_i0(double x) noexcept {
  double a = std::fabs(x);
  if (a < kTableEnd) return kI0Table(a);
  return std::isnan(x) ? x : grown(a, kI0LargeTable);
}
double __uwm_cyl_bessel_i1(double x) noexcept {
  double a = std::fabs(x);
  if (a < kTableEnd) return std::copysign(kI1Table(a), x);
  return std::isnan(x) ? x : std::copysign(grown(a, kI1LargeTable), x);
}
