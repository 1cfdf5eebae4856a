// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of device_math_pair.h and the tables they and the special functions read.
#include "runtime/device_math_pair.h"

#pragma STDC FP_CONTRACT OFF

namespace uw::math {
namespace {

#include "runtime/device_math_tables.inc"

// log(2) in two parts: the first has 32 zero bits at its end, so that its product with a small integer is exact.
constexpr double kLog2High = 0x1.62e42fee00000p-1;
constexpr double kLog2Low = 0x1.a39ef35793c76p-33;

}  // namespace

// x = n log(2)/64 + r with |r| <= log(2)/128; then e^x = 2^(n/64) e^r.
Scaled exponential(Pair x) {
  constexpr double kSlices = 64 / 0x1.62e42fefa39efp-1;
  // Added and taken away, this rounds to an integer, which is then the sum's last bits.
  constexpr double kRounder = 0x1.8p52;
  double rounded = x.high * kSlices + kRounder;
  double count = rounded - kRounder;
  auto n = static_cast<int>(std::bit_cast<uint64_t>(rounded));
  Pair rest = sum(x.high - count * (kLog2High / 64), -count * (kLog2Low / 64));
  rest = sum(rest.high, rest.low + x.low);
  double r = rest.high;
  static constexpr double kSeries[] = {1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040};
  double step = r + (rest.low + r * r * polynomial(kSeries, r));
  const double* power = kPowers + 2 * (n & 63);
  Pair value = sum(power[0], power[0] * step);
  value.low += power[1];
  return {value, n >> 6};
}

// x = 2^k m with m in [0.705, 1.41); c is about 1/m, and log m = -log c + log(1 + (c m - 1)).
Pair logarithm(double x) {
  constexpr uint64_t kStart = 0x3fe6900000000000;
  int exponent = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    exponent = -54;
  }
  uint64_t bits = std::bit_cast<uint64_t>(x) - kStart;
  exponent += static_cast<int>(static_cast<int64_t>(bits) >> 52);
  double m = std::bit_cast<double>(std::bit_cast<uint64_t>(x) - (bits & 0xfffull << 52));
  const double* slice = kLogs + 3 * (bits >> 45 & 127);
  Pair scaled = product(m, slice[0]);
  double r = scaled.high - 1.0;
  static constexpr double kSeries[] = {1.0 / 3, -1.0 / 4, 1.0 / 5, -1.0 / 6, 1.0 / 7, -1.0 / 8, 1.0 / 9, -1.0 / 10};
  Pair square = product(r, r);
  double tail = scaled.low * (1.0 - r) + (r * square.high * polynomial(kSeries, r) - 0.5 * square.low);
  Pair total = sum(exponent * kLog2High, slice[1]);
  Pair next = sum(total.high, r);
  Pair last = sum(next.high, -0.5 * square.high);
  double low = total.low + next.low + last.low + (slice[2] + exponent * kLog2Low + tail);
  return sum(last.high, low);
}

#define UW_TABLE(name) const Table name##Table = {name##Pieces, name##Coefficients};
UW_TABLE(kErfcx)
UW_TABLE(kErfinv)
UW_TABLE(kErfcinv)
UW_TABLE(kJ0)
UW_TABLE(kJ1)
UW_TABLE(kY0)
UW_TABLE(kY1)
UW_TABLE(kY0Small)
UW_TABLE(kY1Small)
UW_TABLE(kI0)
UW_TABLE(kI1)
UW_TABLE(kI0Large)
UW_TABLE(kI1Large)
#undef UW_TABLE

}  // namespace uw::math
