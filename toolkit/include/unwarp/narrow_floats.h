// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits of the 8-, 6- and 4-bit formats, whose ends differ: e4m3 has one NaN and no infinity, e5m2 has both, the formats
// of 6 and 4 bits have neither, e0m3 is made of integers, e8m0 holds powers of two and no zero. A NaN converted to a
// format without one becomes its largest number, as the PTX ISA says of `cvt`.
#pragma once

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "../device_types.h"
#include "../vector_types.h"

namespace __uw {

UW_LOW rounding roundingOf(enum cudaRoundMode mode) {
  return mode == cudaRoundZero ? kZero : mode == cudaRoundPosInf ? kUp : mode == cudaRoundMinInf ? kDown : kNearest;
}

// E exponent and M fraction bits; the codes of the largest finite number, of infinity and of NaN (kNone: has none).
enum : int { kNone = -1 };
template <int E, int M, int LARGEST, int INFINITE, int NAN_CODE>
struct narrow {
  template <class F>
  static UW_LOW_MEMBER unsigned from(F x, bool saturate, rounding mode) {
    if (isNan(x)) return NAN_CODE == kNone ? LARGEST : NAN_CODE;
    unsigned sign = isNegative(x) ? 1u << (E + M) : 0u;
    unsigned code = isInfinite(x) ? LARGEST + 1u : roundedCode<M, 2 - (1 << (E - 1)), F>(x, mode);
    if (code <= static_cast<unsigned>(LARGEST)) return sign | code;
    bool cut = !isInfinite(x) && mode != kNearest && !growsMagnitude(mode, sign != 0);
    if (saturate || cut || (INFINITE == kNone && NAN_CODE == kNone)) return sign | LARGEST;
    return INFINITE == kNone ? static_cast<unsigned>(NAN_CODE) : sign | INFINITE;
  }
  static UW_LOW_MEMBER bool isNanCode(unsigned magnitude) {
    return NAN_CODE != kNone && magnitude > static_cast<unsigned>(INFINITE == kNone ? LARGEST : INFINITE);
  }
  static UW_LOW_MEMBER float toFloat(unsigned code) {
    const int bias = (1 << (E - 1)) - 1;
    unsigned magnitude = code & ((1u << (E + M)) - 1);
    unsigned sign = ((code >> (E + M)) & 1u) << 31;
    if (isNanCode(magnitude)) return __builtin_bit_cast(float, 0x7fffffffu);
    if (INFINITE != kNone && magnitude == static_cast<unsigned>(INFINITE))
      return __builtin_bit_cast(float, sign | 0x7f800000u);
    unsigned normal = (magnitude << (23 - M)) + (static_cast<unsigned>(127 - bias) << 23);
    float least = __builtin_bit_cast(float, static_cast<unsigned>(127 + 1 - bias - M) << 23);  // least number above 0
    unsigned small = bitsOf(static_cast<float>(magnitude) * least);
    return __builtin_bit_cast(float, sign | (magnitude >> M ? normal : small));
  }
};

typedef narrow<4, 3, 0x7e, kNone, 0x7f> e4m3;
typedef narrow<5, 2, 0x7b, 0x7c, 0x7f> e5m2;
typedef narrow<3, 2, 0x1f, kNone, kNone> e3m2;
typedef narrow<2, 3, 0x1f, kNone, kNone> e2m3;
typedef narrow<2, 1, 0x07, kNone, kNone> e2m1;

// No sign: what is converted loses its own.
struct ue5m3 {
  typedef narrow<5, 3, 0xfe, kNone, 0xff> magnitude;
  template <class F>
  static UW_LOW_MEMBER unsigned from(F x, bool saturate, rounding mode) {
    return magnitude::from(isNegative(x) ? -x : x, saturate, mode);
  }
  static UW_LOW_MEMBER float toFloat(unsigned code) { return magnitude::toFloat(code); }
};

// A sign and the integers from 0 to 7: the spacing of numbers below the least normal one, 8.
struct e0m3 {
  template <class F>
  static UW_LOW_MEMBER unsigned from(F x, bool, rounding mode) {
    if (isNan(x)) return 7;
    unsigned code = isInfinite(x) ? 7u : roundedCode<3, 3, F>(x, mode);
    return (isNegative(x) ? 8u : 0u) | (code < 7 ? code : 7u);
  }
  static UW_LOW_MEMBER float toFloat(unsigned code) {
    float value = static_cast<float>(code & 7);
    return code & 8 ? -value : value;
  }
};

// Powers of two from 2^-127 (code 0) to 2^127 (254); 255 is NaN. The sign of what is converted is dropped.
struct e8m0 {
  template <class F>
  static UW_LOW_MEMBER unsigned from(F value, bool saturate, rounding mode) {
    double x = static_cast<double>(value);
    if (isNan(x)) return 0xff;
    unsigned long long magnitude = magnitudeOf(x);
    int code = static_cast<int>(magnitude >> 52) - 1023 + 127;
    if (code < 0) return 0;
    unsigned long long rest = magnitude & ((1ull << 52) - 1);
    unsigned long long half = 1ull << 51;
    bool nearestUp = rest > half || (rest == half && (code & 1));
    code += mode == kNearest ? nearestUp : mode == kUp && rest != 0;
    return code <= 0xfe ? static_cast<unsigned>(code) : saturate ? 0xfeu : 0xffu;
  }
  static UW_LOW_MEMBER float toFloat(unsigned code) {
    unsigned bits = code == 0xff ? 0x7fffffffu : code == 0 ? 0x00400000u : code << 23;
    return __builtin_bit_cast(float, bits);
  }
};

UW_LOW float valueOf(__half_raw x) {
  return half::toFloat(x.x);
}
UW_LOW float valueOf(__nv_bfloat16_raw x) {
  return bfloat::toFloat(x.x);
}
UW_LOW float valueOf(__half x) {
  return half::toFloat(x.__x);
}
UW_LOW float valueOf(__nv_bfloat16 x) {
  return bfloat::toFloat(x.__x);
}
UW_LOW __half_raw halfRaw(float x) {
  __half_raw raw;
  raw.x = half::fromFloat(x);
  return raw;
}

// Vectors of four doubles come under several names, which differ in alignment.
template <class V, class D>
struct ofDoubles {};
template <class V>
struct ofDoubles<V, double> {
  typedef V type;
};
template <class V>
struct fourDoubles : ofDoubles<V, decltype(V::w)> {};

}  // namespace __uw

// What the conversion functions take: CONVERT(ONE, TYPE, its value, TWO, type of a pair, value of x, value of y).
#define UW_NARROW_SOURCES(CONVERT)                                                                        \
  CONVERT(double, double, x, double2, double2, x.x, x.y)                                                  \
  CONVERT(float, float, x, float2, float2, x.x, x.y)                                                      \
  CONVERT(halfraw, __half_raw, __uw::half::toFloat(x.x), halfraw2, __half2_raw, __uw::half::toFloat(x.x), \
          __uw::half::toFloat(x.y))                                                                       \
  CONVERT(bfloat16raw, __nv_bfloat16_raw, __uw::bfloat::toFloat(x.x), bfloat16raw2, __nv_bfloat162_raw,   \
          __uw::bfloat::toFloat(x.x), __uw::bfloat::toFloat(x.y))
