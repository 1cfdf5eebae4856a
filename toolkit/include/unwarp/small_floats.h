// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits of the 16-, 8-, 6- and 4-bit floating-point formats. One integer routine rounds a float or a double to any of
// them, in any rounding mode, once; what loops call most (half and bfloat16 to nearest) has a short form beside it.
// Host and device use the same code, so that both sides of a program agree on every bit. NaNs made here are the
// canonical ones of the PTX ISA: positive, all bits set.
//
// half <-> float is an instruction of nearly every x86-64 CPU (F16C); device code is compiled for the CPU at hand and
// uses it through `_Float16`. Host code knows neither its CPU nor, in other compilers, the type: it gets the integers.
#pragma once

#include "../host_defines.h"

#define UW_LOW static __inline__ __host__ __device__ __attribute__((always_inline))
#define UW_LOW_MEMBER __host__ __device__ __attribute__((always_inline)) inline
#if defined(__clang__)
// A product and a sum are two roundings, also where the command line allows contraction: `_rn` functions promise it,
// and results must not depend on whether the CPU has half-precision FMA.
#define UW_EACH_ROUNDED _Pragma("clang fp contract(off)")
#else
#define UW_EACH_ROUNDED
#endif
#if defined(__clang__) && (defined(__CUDA_ARCH__) || defined(__F16C__))
#define UW_NATIVE_HALF 1
#endif

namespace __uw {

enum rounding { kNearest, kZero, kUp, kDown };

template <class F>
struct wide;
template <>
struct wide<float> {
  typedef unsigned bits;
  enum : int { fraction = 23, bias = 127, exponents = 0xff };
};
template <>
struct wide<double> {
  typedef unsigned long long bits;
  enum : int { fraction = 52, bias = 1023, exponents = 0x7ff };
};

template <class F>
UW_LOW typename wide<F>::bits bitsOf(F x) {
  return __builtin_bit_cast(typename wide<F>::bits, x);
}
template <class F>
UW_LOW typename wide<F>::bits magnitudeOf(F x) {
  typedef typename wide<F>::bits bits;
  return bitsOf(x) & (~static_cast<bits>(0) >> 1);
}
template <class F>
UW_LOW bool isNegative(F x) {
  return bitsOf(x) != magnitudeOf(x);
}
// Tests of bits, which -ffast-math of a host compiler does not fold away.
template <class F>
UW_LOW bool isInfinite(F x) {
  typedef typename wide<F>::bits bits;
  return magnitudeOf(x) == static_cast<bits>(wide<F>::exponents) << wide<F>::fraction;
}
template <class F>
UW_LOW bool isNan(F x) {
  typedef typename wide<F>::bits bits;
  return magnitudeOf(x) > static_cast<bits>(wide<F>::exponents) << wide<F>::fraction;
}

UW_LOW bool growsMagnitude(rounding mode, bool negative) {
  return mode == kUp ? !negative : mode == kDown && negative;
}

// The code without its sign of a finite `x` in a format of M fraction bits whose least normal number is 2^MIN. Codes
// run on past the format's largest finite one; the caller decides what those become.
template <int M, int MIN, class F>
UW_LOW unsigned roundedCode(F x, rounding mode) {
  typedef typename wide<F>::bits bits;
  const bits one = 1;
  const int fraction = wide<F>::fraction;
  bits magnitude = magnitudeOf(x);
  int field = static_cast<int>(magnitude >> fraction);
  bits significand = (magnitude & ((one << fraction) - 1)) | (field ? one << fraction : 0);
  int above = (field ? field : 1) - wide<F>::bias - MIN;  // binary orders above the least normal number
  int drop = fraction - M + (above < 0 ? -above : 0);
  if (drop > fraction + 2) drop = fraction + 2;  // less than a quarter of the least number: only "not zero" is left
  bits kept = significand >> drop;
  bits rest = significand & ((one << drop) - 1);
  bits half = one << (drop - 1);
  bool nearestUp = rest > half || (rest == half && (kept & 1));
  bool up = mode == kNearest ? nearestUp : rest != 0 && growsMagnitude(mode, isNegative(x));
  return static_cast<unsigned>(kept) + up + (above > 0 ? static_cast<unsigned>(above) << M : 0u);
}

// Formats with an infinity and all NaNs: half is <5, 10>, bfloat16 <8, 7>.
template <int E, int M, class F>
UW_LOW unsigned short ieeeCode(F x, rounding mode) {
  const unsigned infinity = ((1u << E) - 1) << M;
  unsigned sign = isNegative(x) ? 1u << (E + M) : 0u;
  if (isNan(x)) return static_cast<unsigned short>(infinity | ((1u << M) - 1));
  if (isInfinite(x)) return static_cast<unsigned short>(sign | infinity);
  unsigned code = roundedCode<M, 2 - (1 << (E - 1)), F>(x, mode);
  if (code >= infinity) code = mode == kNearest || growsMagnitude(mode, sign != 0) ? infinity : infinity - 1;
  return static_cast<unsigned short>(sign | code);
}

// An integer as a double that every narrower format rounds like the integer itself: bits that a double has no place for
// are kept as one sticky bit.
UW_LOW double exactly(unsigned long long value) {
  unsigned long long sticky = (value >> 11 << 11) | ((value & 0x7ff) ? 0x800 : 0);
  return static_cast<double>(value >> 53 ? sticky : value);
}
UW_LOW double exactly(long long value) {
  double magnitude =
      exactly(value < 0 ? 0ull - static_cast<unsigned long long>(value) : static_cast<unsigned long long>(value));
  return value < 0 ? -magnitude : magnitude;
}

// A double cut to a float's 24 digits, the last one set when anything was cut: a narrower format rounds it like the
// whole.
UW_LOW double stickyFloat(double x) {
  unsigned long long bits = bitsOf(x);
  unsigned long long sticky = (bits & 0x1fffffffull) ? 0x20000000ull : 0;
  return __builtin_bit_cast(double, (bits & ~0x1fffffffull) | sticky);
}

// p + c rounded to odd, so that a second, narrower rounding gives what one rounding of the exact sum gives. p and c
// must leave room in a double's exponent.
UW_LOW double sumToOdd(double p, double c) {
  UW_EACH_ROUNDED
  double sum = p + c;
  double part = sum - p;
  double error = (p - (sum - part)) + (c - part);
  unsigned long long bits = bitsOf(sum);
  bool inexact = error < 0 || error > 0;  // false for the NaN that infinities leave here
  bool tooLarge = (error < 0) != (sum < 0);
  if (inexact && !(bits & 1)) bits += tooLarge ? -1ll : 1ll;
  return __builtin_bit_cast(double, bits);
}

// What the two 16-bit formats differ in.
struct half {
  enum : unsigned short { infinity = 0x7c00, nan = 0x7fff, one = 0x3c00 };
  static UW_LOW_MEMBER float toFloat(unsigned short code) {
    UW_EACH_ROUNDED
#ifdef UW_NATIVE_HALF
    return static_cast<float>(__builtin_bit_cast(_Float16, code));
#else
    unsigned magnitude = code & 0x7fffu;
    unsigned sign = static_cast<unsigned>(code & 0x8000u) << 16;
    unsigned normal = (magnitude << 13) + (112u << 23);
    unsigned special = (magnitude << 13) | 0x7f800000u | (magnitude > 0x7c00u ? 0x400000u : 0u);
    unsigned small = bitsOf(static_cast<float>(magnitude) * (1.0f / 16777216.0f));
    unsigned bits = magnitude >= 0x7c00u ? special : magnitude < 0x400u ? small : normal;
    return __builtin_bit_cast(float, bits | sign);
#endif
  }
  static UW_LOW_MEMBER unsigned short fromFloat(float x) {
    UW_EACH_ROUNDED
#ifdef UW_NATIVE_HALF
    unsigned short code = __builtin_bit_cast(unsigned short, static_cast<_Float16>(x));
    return isNan(x) ? static_cast<unsigned short>(nan) : code;
#else
    return ieeeCode<5, 10>(x, kNearest);
#endif
  }
  static UW_LOW_MEMBER unsigned short fromDouble(double x) {
    UW_EACH_ROUNDED
#ifdef UW_NATIVE_HALF
    return fromFloat(static_cast<float>(stickyFloat(x)));
#else
    return ieeeCode<5, 10>(x, kNearest);
#endif
  }
  static UW_LOW_MEMBER unsigned short from(float x, rounding mode) {
    return mode == kNearest ? fromFloat(x) : ieeeCode<5, 10>(x, mode);
  }
  static UW_LOW_MEMBER unsigned short from(double x, rounding mode) {
    return mode == kNearest ? fromDouble(x) : ieeeCode<5, 10>(x, mode);
  }
  // The product is exact in a double. The sum is rounded there only when the smaller term lies far below half of the
  // last place of the larger, where it cannot make or break a tie; what is left is one rounding to half.
  static UW_LOW_MEMBER unsigned short multiplyAdd(float a, float b, float c) {
    UW_EACH_ROUNDED
    return fromDouble(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
  }
};

struct bfloat {
  enum : unsigned short { infinity = 0x7f80, nan = 0x7fff, one = 0x3f80 };
  static UW_LOW_MEMBER float toFloat(unsigned short code) {
    return __builtin_bit_cast(float, static_cast<unsigned>(code) << 16);
  }
  static UW_LOW_MEMBER unsigned short fromFloat(float x) {
    unsigned bits = bitsOf(x);
    unsigned short code = static_cast<unsigned short>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
    return isNan(x) ? static_cast<unsigned short>(nan) : code;
  }
  static UW_LOW_MEMBER unsigned short from(float x, rounding mode) {
    return mode == kNearest ? fromFloat(x) : ieeeCode<8, 7>(x, mode);
  }
  static UW_LOW_MEMBER unsigned short from(double x, rounding mode) { return ieeeCode<8, 7>(x, mode); }
  static UW_LOW_MEMBER unsigned short multiplyAdd(float a, float b, float c) {
    UW_EACH_ROUNDED
    double sum = sumToOdd(static_cast<double>(a) * static_cast<double>(b), c);
    double narrow = stickyFloat(sum);
    // From 2^-126 to 2^127: a normal float before and after rounding.
    bool fits = magnitudeOf(narrow) >= 897ull << 52 && magnitudeOf(narrow) < 1150ull << 52;
    return fits ? fromFloat(static_cast<float>(narrow)) : ieeeCode<8, 7>(sum, kNearest);
  }
};

// Integers from floats, saturated; NaN gives 0 in 32 bits and less, the top bit alone in 64.
template <class T>
struct integer {
  enum : int { bits = static_cast<int>(sizeof(T) * 8), isSigned = static_cast<T>(-1) < static_cast<T>(0) };
};
UW_LOW float toWhole(float x, rounding mode) {
  return mode == kNearest ? __builtin_rintf(x)
         : mode == kZero  ? __builtin_truncf(x)
         : mode == kUp    ? __builtin_ceilf(x)
                          : __builtin_floorf(x);
}
template <class T>
UW_LOW T toInteger(float x, rounding mode) {
  typedef integer<T> of;
  const T top = static_cast<T>(1ull << (of::bits - 1));
  const T least = of::isSigned ? top : static_cast<T>(0);
  const T largest = static_cast<T>(~least);
  const float limit = static_cast<float>(1ull << (of::bits - 1)) * (of::isSigned ? 1.0f : 2.0f);
  if (isNan(x)) return of::bits == 64 ? top : static_cast<T>(0);
  float whole = toWhole(x, mode);
  if (whole >= limit) return largest;
  if (whole < (of::isSigned ? -limit : 0.0f)) return least;
  return static_cast<T>(whole);
}

}  // namespace __uw
