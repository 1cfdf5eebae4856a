// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as sums of two doubles (Dekker 1971; Knuth's two-sum), and the two kernels that most functions need with more
// than double precision: exp after Tang (1989), a table of 2^(i/64) and a short series, and log with a table of
// logarithms of 128 slices of the significand. Relative errors are about 2^-60.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace uw::math {

struct Pair {
  double high = 0;
  double low = 0;
};

inline Pair sum(double a, double b) {
  double high = a + b;
  double part = high - a;
  return {high, (a - (high - part)) + (b - part)};
}
// Veltkamp's halves and Dekker's product, exact below 2^996: a fused multiply-add would be a call on the CPUs that this
// is compiled for.
inline Pair halves(double a) {
  double scaled = a * 0x1.0000002p27;
  double high = scaled - (scaled - a);
  return {high, a - high};
}
inline Pair product(double a, double b) {
  double high = a * b;
  Pair x = halves(a), y = halves(b);
  return {high, ((x.high * y.high - high) + x.high * y.low + x.low * y.high) + x.low * y.low};
}
inline Pair product(Pair a, Pair b) {
  Pair result = product(a.high, b.high);
  result.low += a.high * b.low + a.low * b.high;
  return result;
}
inline Pair inverse(Pair a) {
  double first = 1.0 / a.high;
  Pair back = product(a.high, first);
  return {first, first * ((1.0 - back.high) - back.low - a.low * first)};
}

/// A pair times a power of two: exponents of exp(x) leave the range of doubles before the function's own result does.
struct Scaled {
  Pair value;
  int exponent = 0;

  double rounded(double factor = 1.0) const { return scale((value.high + value.low) * factor, exponent); }
  static double scale(double value, int exponent) {
    if (exponent < -1000 || exponent > 1000) return std::ldexp(value, exponent);
    return value * std::bit_cast<double>(static_cast<uint64_t>(1023 + exponent) << 52);
  }
};

/// e^(high + low) for |high| below 2^20.
Scaled exponential(Pair x);

/// log(x) for finite positive x.
Pair logarithm(double x);

/// One polynomial of a table of device_math_tables.inc, around `centre`, for arguments from `start` on.
struct Piece {
  double start, centre, zero, zeroLow;
  bool factored;
  int first, count;
};

struct Table {
  std::span<const Piece> pieces;
  std::span<const double> coefficients;

  double operator()(double x) const {
    const Piece* piece = &pieces.back();
    while (piece != &pieces.front() && x < piece->start) --piece;
    const double* terms = coefficients.data() + piece->first;
    double step = x - piece->centre;
    double value = terms[piece->count - 1];
    for (int i = piece->count - 2; i >= 0; --i) value = value * step + terms[i];
    return piece->factored ? value * ((x - piece->zero) - piece->zeroLow) : value;
  }
};

/// c0 + c1 x + c2 x^2 + ...
template <int Count>
double polynomial(const double (&terms)[Count], double x) {
  double value = terms[Count - 1];
  for (int i = Count - 2; i >= 0; --i) value = value * x + terms[i];
  return value;
}

extern const Table kErfcxTable, kErfinvTable, kErfcinvTable, kJ0Table, kJ1Table, kY0Table, kY1Table, kY0SmallTable,
    kY1SmallTable, kI0Table, kI1Table, kI0LargeTable, kI1LargeTable;

}  // namespace uw::math
