// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What comes after <cmath>: minima and maxima for every pair of types (host and device), overloads of the C++ library
// that it does not make `constexpr` and clang therefore keeps from device code, and mixed float and double arguments.
#pragma once

#include <type_traits>

#include "math.h"

#define UW_MINMAX(A, B, T)                                                                           \
  UW_BOTH T min(A a, B b) { return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a); } \
  UW_BOTH T max(A a, B b) { return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a); }
#define UW_MINMAX_SIGNS(S, U) \
  UW_MINMAX(S, S, S)          \
  UW_MINMAX(U, U, U)          \
  UW_MINMAX(S, U, U)          \
  UW_MINMAX(U, S, U)
UW_MINMAX_SIGNS(int, unsigned)
UW_MINMAX_SIGNS(long, unsigned long)
UW_MINMAX_SIGNS(long long, unsigned long long)
#undef UW_MINMAX_SIGNS
#undef UW_MINMAX
UW_BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
UW_BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }
UW_BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
UW_BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
UW_BOTH double min(float a, double b) { return __builtin_fmin(a, b); }
UW_BOTH double max(float a, double b) { return __builtin_fmax(a, b); }
UW_BOTH double min(double a, float b) { return __builtin_fmin(a, b); }
UW_BOTH double max(double a, float b) { return __builtin_fmax(a, b); }
UW_BOTH unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
UW_BOTH unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
UW_BOTH long long llmin(long long a, long long b) { return b < a ? b : a; }
UW_BOTH long long llmax(long long a, long long b) { return a < b ? b : a; }
UW_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
UW_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }

UW_BOTH double rhypot(float x, double y) { return rhypot(static_cast<double>(x), y); }
UW_BOTH double rhypot(double x, float y) { return rhypot(x, static_cast<double>(y)); }
UW_MATH double copysign(double x, float y) { return __builtin_copysign(x, static_cast<double>(y)); }
UW_MATH float copysign(float x, double y) { return __builtin_copysignf(x, static_cast<float>(y)); }

// The C++ library's forms for other and for mixed arguments compute in double.
template <class A, class B, class = typename std::enable_if<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value>::type>
UW_MATH double remquo(A x, B y, int* quotient) {
  return __builtin_remquo(static_cast<double>(x), static_cast<double>(y), quotient);
}

namespace std {
// The float forms of these take pointers, and the integer forms of `abs` are plain functions there.
using ::abs;
using ::frexp;
using ::labs;
using ::llabs;
using ::modf;
using ::remquo;
#if __cplusplus >= 201703L
UW_MATH double hypot(double x, double y, double z) { return ::norm3d(x, y, z); }
UW_MATH float hypot(float x, float y, float z) { return ::norm3df(x, y, z); }
#endif
// The names with `f`, which the C++ standard has and some libraries leave out.
using ::acosf; using ::acoshf; using ::asinf; using ::asinhf; using ::atanf; using ::atan2f; using ::atanhf;
using ::cbrtf; using ::ceilf; using ::copysignf; using ::cosf; using ::coshf; using ::erff; using ::erfcf;
using ::expf; using ::exp2f; using ::expm1f; using ::fabsf; using ::fdimf; using ::floorf; using ::fmaf;
using ::fmaxf; using ::fminf; using ::fmodf; using ::frexpf; using ::hypotf; using ::ilogbf; using ::ldexpf;
using ::lgammaf; using ::llrintf; using ::llroundf; using ::logf; using ::log10f; using ::log1pf; using ::log2f;
using ::logbf; using ::lrintf; using ::lroundf; using ::modff; using ::nearbyintf; using ::nextafterf; using ::powf;
using ::remainderf; using ::remquof; using ::rintf; using ::roundf; using ::scalblnf; using ::scalbnf; using ::sinf;
using ::sinhf; using ::sqrtf; using ::tanf; using ::tanhf; using ::tgammaf; using ::truncf;
}  // namespace std
