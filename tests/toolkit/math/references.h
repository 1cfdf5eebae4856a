// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// True values in 128 bits: the C library's functions of that width, and definitions on top of them for what CUDA adds.
// Inverses start from the value to be judged and make two Newton steps; that doubles its digits twice.
#pragma once

#include "ulp.h"

namespace ulp {

extern "C" {
#define UW_WIDE(name) Wide name##f128(Wide x) noexcept
UW_WIDE(acos);
UW_WIDE(acosh);
UW_WIDE(asin);
UW_WIDE(asinh);
UW_WIDE(atan);
UW_WIDE(atanh);
UW_WIDE(cbrt);
UW_WIDE(cos);
UW_WIDE(cosh);
UW_WIDE(erf);
UW_WIDE(erfc);
UW_WIDE(exp);
UW_WIDE(exp10);
UW_WIDE(exp2);
UW_WIDE(expm1);
UW_WIDE(j0);
UW_WIDE(j1);
UW_WIDE(lgamma);
UW_WIDE(log);
UW_WIDE(log10);
UW_WIDE(log1p);
UW_WIDE(log2);
UW_WIDE(rint);
UW_WIDE(sin);
UW_WIDE(sinh);
UW_WIDE(sqrt);
UW_WIDE(tan);
UW_WIDE(tanh);
UW_WIDE(tgamma);
UW_WIDE(y0);
UW_WIDE(y1);
#undef UW_WIDE
Wide atan2f128(Wide x, Wide y) noexcept;
Wide fmodf128(Wide x, Wide y) noexcept;
Wide hypotf128(Wide x, Wide y) noexcept;
Wide powf128(Wide x, Wide y) noexcept;
Wide jnf128(int n, Wide x) noexcept;
Wide ynf128(int n, Wide x) noexcept;
}

inline Wide pi() {
  return 4 * atanf128(1);
}
inline Wide infinity() {
  return std::numeric_limits<double>::infinity();
}
inline Wide notANumber() {
  return std::numeric_limits<double>::quiet_NaN();
}

inline Wide sinpiWide(Wide x) {
  if (x - x != 0) return notANumber();
  Wide r = fmodf128(x, 2);
  Wide quarters = rintf128(2 * r);
  Wide angle = pi() * (r - quarters / 2);
  int quadrant = static_cast<int>(quarters) & 3;
  Wide value = quadrant & 1 ? cosf128(angle) : sinf128(angle);
  return quadrant & 2 ? -value : value;
}
inline Wide cospiWide(Wide x) {
  if (x - x != 0) return notANumber();
  Wide r = fmodf128(x, 2);
  return sinpiWide(r < 0 ? Wide(0.5) - r : Wide(0.5) + r);
}

inline Wide erfcxWide(Wide x) {
  if (x < 60) return x < -106 ? infinity() : expf128(x * x) * erfcf128(x);
  Wide term = 1, total = 1;
  for (int k = 1; k <= 20; ++k) {
    term *= -(2 * k - 1) / (2 * x * x);
    total += term;
  }
  return total / (x * sqrtf128(pi()));
}
inline Wide normcdfWide(Wide x) {
  return erfcf128(-x / sqrtf128(2)) / 2;
}

// Where F(x) = 0 near `start`, F being log of the tail so that no tail is too thin.
inline Wide erfcinvWide(Wide t, double start) {
  if (!(t >= 0 && t <= 2)) return notANumber();
  if (t == 0 || t == 2) return t == 0 ? infinity() : -infinity();
  Wide x = start;
  for (int i = 0; i < 3; ++i) {
    bool upper = t < Wide(0.5);
    Wide slope = -2 / sqrtf128(pi()) * expf128(-x * x);
    Wide value = upper ? erfcf128(x) : 1 - erff128(x);
    if (t > Wide(1.5)) value = erfcf128(-x), slope = -slope;
    Wide target = t > Wide(1.5) ? 2 - t : t;
    bool middle = !upper && t <= Wide(1.5);
    x -= middle ? (erff128(x) - (1 - t)) / -slope : logf128(value / target) * value / slope;
  }
  return x;
}
inline Wide erfinvWide(Wide y, double start) {
  if (y > Wide(0.5) || y < Wide(-0.5) || y != y) {
    return y < 0 ? -erfcinvWide(1 + y, -start) : erfcinvWide(1 - y, start);
  }
  Wide x = start;
  for (int i = 0; i < 2; ++i) x -= (erff128(x) - y) * sqrtf128(pi()) / 2 * expf128(x * x);
  return x;
}
inline Wide normcdfinvWide(Wide p, double start) {
  return -sqrtf128(2) * erfcinvWide(2 * p, -start * 0.70710678118654752);
}

// I_order: the power series, and beyond 60 the asymptotic one.
inline Wide besselIWide(int order, Wide x) {
  Wide a = x < 0 ? -x : x;
  if (x != x) return x;
  if (a > 2000) return x < 0 && order == 1 ? -infinity() : infinity();
  Wide sum = 0, term = 1;
  if (a < 60) {
    if (order == 1) term = a / 2;
    for (int k = 1; k < 400; ++k) {
      sum += term;
      term *= a * a / 4 / k / (k + order);
    }
  } else {
    for (int k = 1; k < 60; ++k) {
      sum += term;
      term *= -(Wide(4 * order * order) - (2 * k - 1) * (2 * k - 1)) / (k * 8 * a);
    }
    sum *= expf128(a) / sqrtf128(2 * pi() * a);
  }
  return x < 0 && order == 1 ? -sum : sum;
}

inline Wide lengthWide(Wide x, Wide y, Wide z, Wide w) {
  return sqrtf128(x * x + y * y + z * z + w * w);
}

}  // namespace ulp
