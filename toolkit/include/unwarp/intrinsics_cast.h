// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions with a rounding direction, and bits seen as another type (CUDA Math API, "Type Casting Intrinsics").
// Floating point to integer saturates; a NaN becomes 0, but the sign bit alone where the source is a double or the
// result has 64 bits (PTX ISA, `cvt`). Towards a narrower floating type the nearest value is corrected by one step when
// it lies on the wrong side; that is exact, overflow and subnormals included.
#pragma once

#include "../device_types.h"
#include "math.h"

UW_MATH int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
UW_MATH unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
UW_MATH float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
UW_MATH float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
UW_MATH long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
UW_MATH double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
UW_MATH int __double2hiint(double x) { return static_cast<int>(__builtin_bit_cast(long long, x) >> 32); }
UW_MATH int __double2loint(double x) { return static_cast<int>(__builtin_bit_cast(long long, x)); }
UW_MATH double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 |
                                        static_cast<unsigned>(low));
}
UW_MATH int float_as_int(float x) { return __float_as_int(x); }
UW_MATH unsigned float_as_uint(float x) { return __float_as_uint(x); }
UW_MATH float int_as_float(int x) { return __int_as_float(x); }
UW_MATH float uint_as_float(unsigned x) { return __uint_as_float(x); }

// Floating point to integer: `whole` is integral already.
#define UW_SATURATE(name, F, T, least, beyond, notNumber)                   \
  UW_MATH T name(F whole) {                                                 \
    if (whole != whole) return notNumber;                                   \
    if (whole >= beyond) return static_cast<T>(~(least));                   \
    return whole < static_cast<F>(least) ? least : static_cast<T>(whole);   \
  }
UW_SATURATE(__uwm_to_int, float, int, (-2147483647 - 1), 0x1p31f, 0)
UW_SATURATE(__uwm_to_uint, float, unsigned, 0u, 0x1p32f, 0u)
UW_SATURATE(__uwm_to_ll, float, long long, (-9223372036854775807ll - 1), 0x1p63f, (-9223372036854775807ll - 1))
UW_SATURATE(__uwm_to_ull, float, unsigned long long, 0ull, 0x1p64f, 0x8000000000000000ull)
UW_SATURATE(__uwm_to_int, double, int, (-2147483647 - 1), 0x1p31, (-2147483647 - 1))
UW_SATURATE(__uwm_to_uint, double, unsigned, 0u, 0x1p32, 0x80000000u)
UW_SATURATE(__uwm_to_ll, double, long long, (-9223372036854775807ll - 1), 0x1p63, (-9223372036854775807ll - 1))
UW_SATURATE(__uwm_to_ull, double, unsigned long long, 0ull, 0x1p64, 0x8000000000000000ull)
#undef UW_SATURATE

#define UW_TO_INTEGER(from, F, suffix, to, T)                                                      \
  UW_MATH T __##from##2##to##_rn(F x) { return __uwm_to_##to(__builtin_roundeven##suffix(x)); }    \
  UW_MATH T __##from##2##to##_rz(F x) { return __uwm_to_##to(__builtin_trunc##suffix(x)); }        \
  UW_MATH T __##from##2##to##_rd(F x) { return __uwm_to_##to(__builtin_floor##suffix(x)); }        \
  UW_MATH T __##from##2##to##_ru(F x) { return __uwm_to_##to(__builtin_ceil##suffix(x)); }
UW_TO_INTEGER(float, float, f, int, int)
UW_TO_INTEGER(float, float, f, uint, unsigned)
UW_TO_INTEGER(float, float, f, ll, long long)
UW_TO_INTEGER(float, float, f, ull, unsigned long long)
UW_TO_INTEGER(double, double, , int, int)
UW_TO_INTEGER(double, double, , uint, unsigned)
UW_TO_INTEGER(double, double, , ll, long long)
UW_TO_INTEGER(double, double, , ull, unsigned long long)
#undef UW_TO_INTEGER

// The next float above or below; only called for values that are not at that end already.
UW_MATH float __uwm_above(float x) {
  int bits = __float_as_int(x);
  return x == 0 ? 0x1p-149f : __int_as_float(bits + (bits < 0 ? -1 : 1));
}
UW_MATH float __uwm_below(float x) { return -__uwm_above(-x); }
UW_MATH float __double2float_rn(double x) { return static_cast<float>(x); }
UW_MATH float __double2float_ru(double x) {
  float nearest = static_cast<float>(x);
  return static_cast<double>(nearest) < x ? __uwm_above(nearest) : nearest;
}
UW_MATH float __double2float_rd(double x) {
  float nearest = static_cast<float>(x);
  return static_cast<double>(nearest) > x ? __uwm_below(nearest) : nearest;
}
UW_MATH float __double2float_rz(double x) { return x < 0 ? __double2float_ru(x) : __double2float_rd(x); }

UW_MATH double __int2double_rn(int x) { return x; }
UW_MATH double __uint2double_rn(unsigned x) { return x; }
#define UW_FROM_32(from, T)                                                                             \
  UW_MATH float __##from##2float_rn(T x) { return static_cast<float>(x); }                              \
  UW_MATH float __##from##2float_rz(T x) { return __double2float_rz(static_cast<double>(x)); }          \
  UW_MATH float __##from##2float_rd(T x) { return __double2float_rd(static_cast<double>(x)); }          \
  UW_MATH float __##from##2float_ru(T x) { return __double2float_ru(static_cast<double>(x)); }
UW_FROM_32(int, int)
UW_FROM_32(uint, unsigned)
#undef UW_FROM_32

// The direction as an argument.
#define UW_BY_MODE(name, T, F, intrinsic)                                    \
  UW_MATH T name(F x, cudaRoundMode mode) {                                  \
    switch (mode) {                                                          \
      case cudaRoundNearest: return intrinsic##_rn(x);                       \
      case cudaRoundPosInf: return intrinsic##_ru(x);                        \
      case cudaRoundMinInf: return intrinsic##_rd(x);                        \
      default: return intrinsic##_rz(x);                                     \
    }                                                                        \
  }
UW_BY_MODE(float2int, int, float, __float2int)
UW_BY_MODE(float2uint, unsigned, float, __float2uint)
UW_BY_MODE(int2float, float, int, __int2float)
UW_BY_MODE(uint2float, float, unsigned, __uint2float)
#undef UW_BY_MODE
UW_MATH int float2int(float x) { return __float2int_rz(x); }
UW_MATH unsigned float2uint(float x) { return __float2uint_rz(x); }
UW_MATH float int2float(int x) { return __int2float_rn(x); }
UW_MATH float uint2float(unsigned x) { return __uint2float_rn(x); }

// 64-bit integers: what a significand of `digits` bits cannot hold is cut off, then one step up where that is asked for.
UW_MATH unsigned long long __uwm_leading(unsigned long long x, int digits) {
  int surplus = x == 0 ? 0 : 64 - digits - __builtin_clzll(x);
  return surplus <= 0 ? x : x >> surplus << surplus;
}
#define UW_FROM_64(to, F, B, digits)                                                             \
  UW_MATH F __uwm_##to##_down(unsigned long long x) { return static_cast<F>(__uwm_leading(x, digits)); } \
  UW_MATH F __uwm_##to##_up(unsigned long long x) {                                              \
    unsigned long long kept = __uwm_leading(x, digits);                                          \
    F value = static_cast<F>(kept);                                                              \
    return kept == x ? value : __builtin_bit_cast(F, __builtin_bit_cast(B, value) + 1);          \
  }                                                                                              \
  UW_MATH unsigned long long __uwm_##to##_size(long long x) {                                    \
    return x < 0 ? 0ull - static_cast<unsigned long long>(x) : static_cast<unsigned long long>(x); \
  }                                                                                              \
  UW_MATH F __ull2##to##_rn(unsigned long long x) { return static_cast<F>(x); }                  \
  UW_MATH F __ull2##to##_rz(unsigned long long x) { return __uwm_##to##_down(x); }               \
  UW_MATH F __ull2##to##_rd(unsigned long long x) { return __uwm_##to##_down(x); }               \
  UW_MATH F __ull2##to##_ru(unsigned long long x) { return __uwm_##to##_up(x); }                 \
  UW_MATH F __ll2##to##_rn(long long x) { return static_cast<F>(x); }                            \
  UW_MATH F __ll2##to##_rz(long long x) {                                                        \
    F size = __uwm_##to##_down(__uwm_##to##_size(x));                                            \
    return x < 0 ? -size : size;                                                                 \
  }                                                                                              \
  UW_MATH F __ll2##to##_rd(long long x) {                                                        \
    return x < 0 ? -__uwm_##to##_up(__uwm_##to##_size(x)) : __uwm_##to##_down(__uwm_##to##_size(x)); \
  }                                                                                              \
  UW_MATH F __ll2##to##_ru(long long x) {                                                        \
    return x < 0 ? -__uwm_##to##_down(__uwm_##to##_size(x)) : __uwm_##to##_up(__uwm_##to##_size(x)); \
  }
UW_FROM_64(float, float, int, 24)
UW_FROM_64(double, double, long long, 53)
#undef UW_FROM_64
