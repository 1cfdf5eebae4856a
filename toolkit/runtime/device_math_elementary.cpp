// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that the C library has, but with more error than CUDA publishes (2.2 ulp for tanh where CUDA has 1), and
// those of CUDA that are one step away from elementary ones. Formulas: the definitions of the hyperbolic functions by
// e^x, Taylor series near zero, one Newton step for roots, exact reduction modulo 2 for sinpi and cospi.
#include <limits>

#include "runtime/device_math.h"
#include "runtime/device_math_pair.h"

#pragma STDC FP_CONTRACT OFF

namespace uw::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr Pair kPi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr Pair kLog10 = {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};
constexpr Pair kInverseLog10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};

bool isOrdinary(double x) {
  return x != 0 && std::isfinite(x);
}

// The root and what it lacks: y + d with d = (x - y^3) / (3 y^2). Arguments far from 1 are scaled by 2^(3k).
Pair cubeRoot(double x, int& exponent) {
  exponent = 0;
  if (std::fabs(x) < 0x1p-900) exponent = -100;
  if (std::fabs(x) > 0x1p900) exponent = 100;
  if (exponent) x = std::ldexp(x, -3 * exponent);
  double y = std::cbrt(x);
  Pair square = product(y, y);
  Pair cube = product(square.high, y);
  return {y, ((x - cube.high) - cube.low - square.low * y) / (3 * square.high)};
}

// e^a and e^-a as pairs, for a up to about 40: beyond, e^-a no longer matters.
struct Exponentials {
  Pair grown;
  Pair shrunk;
};
Exponentials exponentials(double a) {
  Scaled grown = exponential({a, 0});
  double factor = Scaled::scale(1.0, grown.exponent);
  Pair value = {grown.value.high * factor, grown.value.low * factor};
  return {value, inverse(value)};
}

// The last quarter turn of 2 r / pi, r exact: which quadrant, and the angle in it as a pair of radians.
struct Turn {
  int quadrant;
  Pair angle;
};
Turn turn(double x) {
  double within = std::fabs(x) < 0x1p51 ? x : std::fmod(x, 2.0);
  double quarters = std::rint(2 * within);
  return {static_cast<int>(static_cast<int64_t>(quarters) & 3), product(kPi, {within - 0.5 * quarters, 0})};
}

double sineOf(Pair angle) {
  return std::sin(angle.high) + angle.low * std::cos(angle.high);
}
double cosineOf(Pair angle) {
  return std::cos(angle.high) - angle.low * std::sin(angle.high);
}

// Zeros have the argument's sign, and the cosine's none.
double signedSine(const Turn& at, double value, double x) {
  if (value == 0) return std::copysign(0.0, x);
  return at.quadrant & 2 ? -value : value;
}
double signedCosine(const Turn& at, double value) {
  if (value == 0) return 0.0;
  bool negative = at.quadrant == 1 || at.quadrant == 2;
  return negative ? -value : value;
}

}  // namespace

double cbrt(double x) {
  if (!isOrdinary(x)) return x + x;
  int exponent = 0;
  Pair root = cubeRoot(x, exponent);
  return std::ldexp(root.high + root.low, exponent);
}

double cosh(double x) {
  double a = std::fabs(x);
  if (!(a < 711)) return std::isnan(x) ? x : kInfinity;
  if (a > 40) return exponential({a, 0}).rounded(0.5);
  Exponentials e = exponentials(a);
  Pair total = sum(e.grown.high, e.shrunk.high);
  return 0.5 * (total.high + (total.low + e.grown.low + e.shrunk.low));
}

double sinh(double x) {
  static constexpr double kSeries[] = {1.0 / 6,        1.0 / 120,        1.0 / 5040,
                                       1.0 / 362880.0, 1.0 / 39916800.0, 1.0 / 6227020800.0};
  double a = std::fabs(x);
  if (a < 0.2) return x + x * (x * x * polynomial(kSeries, x * x));
  if (!(a < 711)) return std::isnan(x) ? x : std::copysign(kInfinity, x);
  if (a > 40) return std::copysign(exponential({a, 0}).rounded(0.5), x);
  Exponentials e = exponentials(a);
  Pair total = sum(e.grown.high, -e.shrunk.high);
  return std::copysign(0.5 * (total.high + (total.low + e.grown.low - e.shrunk.low)), x);
}

double tanh(double x) {
  static constexpr double kSeries[] = {-1.0 / 3,
                                       2.0 / 15,
                                       -17.0 / 315,
                                       62.0 / 2835,
                                       -1382.0 / 155925,
                                       21844.0 / 6081075,
                                       -929569.0 / 638512875,
                                       6404582.0 / 10854718875.0,
                                       -443861162.0 / 1856156927625.0};
  double a = std::fabs(x);
  if (a < 0x1p-30) return x;
  if (a < 0.2) return x + x * (x * x * polynomial(kSeries, x * x));
  if (!(a < 20)) return std::isnan(x) ? x : std::copysign(1.0, x);
  Pair square = exponentials(2 * a).grown;
  Pair below = sum(square.high, 1.0);
  below.low += square.low;
  Pair part = inverse(below);
  Pair total = sum(1.0, -2 * part.high);
  return std::copysign(total.high + (total.low - 2 * part.low), x);
}

double exp10(double x) {
  if (std::isnan(x)) return x;
  if (x > 310) return kInfinity;
  if (x < -326) return 0.0;
  return exponential(product(kLog10, {x, 0})).rounded();
}

double log10(double x) {
  if (!(x > 0)) return x == 0 ? -kInfinity : kNotANumber;
  if (x == kInfinity) return x;
  Pair value = product(logarithm(x), kInverseLog10);
  return value.high + value.low;
}

}  // namespace uw::math

using namespace uw::math;

double __uwm_rcbrt(double x) noexcept {
  if (!isOrdinary(x)) return 1.0 / x;
  int exponent = 0;
  Pair root = inverse(cubeRoot(x, exponent));
  return std::ldexp(root.high + root.low, -exponent);
}

double __uwm_sinpi(double x) noexcept {
  if (!std::isfinite(x)) return kNotANumber;
  if (std::fabs(x) < 0x1p-500) return std::ldexp(std::ldexp(x, 200) * kPi.high, -200);
  Turn at = turn(x);
  return signedSine(at, at.quadrant & 1 ? cosineOf(at.angle) : sineOf(at.angle), x);
}

double __uwm_cospi(double x) noexcept {
  if (!std::isfinite(x)) return kNotANumber;
  Turn at = turn(x);
  return signedCosine(at, at.quadrant & 1 ? sineOf(at.angle) : cosineOf(at.angle));
}

// For a float the first part of the angle is enough.
float __uwm_sinpif(float x) noexcept {
  if (!std::isfinite(x)) return static_cast<float>(kNotANumber);
  Turn at = turn(x);
  double value = at.quadrant & 1 ? std::cos(at.angle.high) : std::sin(at.angle.high);
  return static_cast<float>(signedSine(at, value, x));
}

float __uwm_cospif(float x) noexcept {
  if (!std::isfinite(x)) return static_cast<float>(kNotANumber);
  Turn at = turn(x);
  double value = at.quadrant & 1 ? std::sin(at.angle.high) : std::cos(at.angle.high);
  return static_cast<float>(signedCosine(at, value));
}

// Lengths in the C library's widest type: 64 bits of significand and an exponent that no square of a double leaves.
namespace {

template <class Values>
long double sumOfSquares(const Values* values, int count, bool& infinite) {
  long double total = 0;
  infinite = false;
  for (int i = 0; i < count; ++i) {
    infinite |= std::isinf(values[i]);
    total += static_cast<long double>(values[i]) * static_cast<long double>(values[i]);
  }
  return total;
}

template <class T>
T length(const T* values, int count) {
  bool infinite = false;
  long double total = sumOfSquares(values, count, infinite);
  return infinite ? std::numeric_limits<T>::infinity() : static_cast<T>(std::sqrt(total));
}

template <class T>
T inverseLength(const T* values, int count) {
  bool infinite = false;
  long double total = sumOfSquares(values, count, infinite);
  return infinite ? T(0) : static_cast<T>(1 / std::sqrt(total));
}

}  // namespace

double __uwm_rhypot(double x, double y) noexcept {
  return __uwm_rnorm4d(x, y, 0, 0);
}
double __uwm_norm4d(double x, double y, double z, double w) noexcept {
  double values[] = {x, y, z, w};
  return length(values, 4);
}
double __uwm_rnorm4d(double x, double y, double z, double w) noexcept {
  double values[] = {x, y, z, w};
  return inverseLength(values, 4);
}
double __uwm_norm(int count, const double* values) noexcept {
  return length(values, count);
}
double __uwm_rnorm(int count, const double* values) noexcept {
  return inverseLength(values, count);
}
float __uwm_normf(int count, const float* values) noexcept {
  return length(values, count);
}
float __uwm_rnormf(int count, const float* values) noexcept {
  return inverseLength(values, count);
}
