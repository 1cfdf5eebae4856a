// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error function's family. erfcx(x) = exp(x^2) erfc(x) comes from piecewise polynomials and, for large x, from its
// asymptotic series (Abramowitz and Stegun 7.1.23); erfc and normcdf are it times exp(-x^2), with the square as a pair,
// since its rounding error would be multiplied by x^2. The inverses are piecewise polynomials too: of y^2 near 0, of
// sqrt(-log y) in the tails. tools/gen_math_tables.py made the tables.
#include <limits>

#include "runtime/device_math.h"
#include "runtime/device_math_pair.h"

#pragma STDC FP_CONTRACT OFF

namespace uw::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kInverseRootPi = 0x1.20dd750429b6dp-1;
constexpr Pair kRootHalf = {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55};
constexpr double kRootTwo = 0x1.6a09e667f3bcdp+0;

// x >= 0.
double scaledComplement(double x) {
  if (x < 10) return kErfcxTable(x);
  if (x > 0x1p26) return kInverseRootPi / x;
  double square = 1 / (2 * x * x);
  double term = 1, tail = 0;
  for (int k = 1; k <= 14; ++k) {
    term *= -(2 * k - 1) * square;
    tail += term;
  }
  double first = kInverseRootPi / x;
  return first + first * tail;
}

// erfc(high + low) times `factor`, a power of two.
double complement(Pair x, double factor) {
  double z = x.high;
  if (z < 0.5) {
    if (z < -6) return 2 * factor;
    double upper = z < -0.5 ? 2 - complement({-z, -x.low}, 1) : 1 - std::erf(z);
    return factor * upper;
  }
  if (z > 28) return 0;
  Pair square = product(x, x);
  Scaled decay = exponential({-square.high, -square.low});
  return decay.rounded(scaledComplement(z) * factor);
}

// The inverse of erf for |y| <= 0.5.
double innerInverse(double y) {
  return y * kErfinvTable(y * y);
}
// The inverse of erfc for 0 < t < 0.5.
double outerInverse(double t) {
  Pair power = logarithm(t);
  double s = std::sqrt(-power.high);
  Pair square = product(s, s);
  double lack = ((-power.high - square.high) - square.low - power.low) / (2 * s);
  return s * kErfcinvTable(s) + lack;
}

}  // namespace

double erfc(double x) {
  return std::isnan(x) ? x : complement({x, 0}, 1);
}

}  // namespace uw::math

using namespace uw::math;

double __uwm_erfcx(double x) noexcept {
  if (x >= 0) return scaledComplement(x);
  if (std::isnan(x)) return x;
  if (x < -27) return kInfinity;
  Pair square = product(x, x);
  Scaled growth = exponential(square);
  double grown = growth.rounded(2.0);
  return grown - scaledComplement(-x);
}

double __uwm_normcdf(double x) noexcept {
  if (std::isnan(x)) return x;
  if (x > 100) return 1;
  if (x < -100) return 0;
  return complement(product(kRootHalf, {-x, 0}), 0.5);
}

double __uwm_erfinv(double x) noexcept {
  double a = std::fabs(x);
  if (a <= 0.5) return innerInverse(x);
  if (a < 1) return std::copysign(outerInverse(1 - a), x);
  return a == 1 ? std::copysign(kInfinity, x) : kNotANumber;
}

double __uwm_erfcinv(double x) noexcept {
  if (!(x >= 0 && x <= 2)) return kNotANumber;
  if (x == 0 || x == 2) return x == 0 ? kInfinity : -kInfinity;
  if (x < 0.5) return outerInverse(x);
  return x <= 1.5 ? innerInverse(1 - x) : -outerInverse(2 - x);
}

double __uwm_normcdfinv(double x) noexcept {
  return -kRootTwo * __uwm_erfcinv(2 * x);
}
