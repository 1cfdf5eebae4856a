// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two halfwords or four bytes of a 32-bit word at once (CUDA Math API, "SIMD Intrinsics"). Each is one operation on a
// vector type of clang, so a loop over threads keeps its whole width. Comparisons: `__vcmp...` gives all ones per true
// lane, `__vset...` gives 1. `ss` saturates as signed, `us` as unsigned numbers.
#pragma once

#include "math.h"

typedef signed char __uwm_signed4 __attribute__((vector_size(4)));
typedef unsigned char __uwm_unsigned4 __attribute__((vector_size(4)));
typedef short __uwm_signed2 __attribute__((vector_size(4)));
typedef unsigned short __uwm_unsigned2 __attribute__((vector_size(4)));
// Twice as wide, for sums that need the carry.
typedef int __uwm_wide4 __attribute__((vector_size(16)));
typedef int __uwm_wide2 __attribute__((vector_size(8)));

#define UW_S(n, x) __builtin_bit_cast(__uwm_signed##n, x)
#define UW_U(n, x) __builtin_bit_cast(__uwm_unsigned##n, x)
#define UW_WORD(x) __builtin_bit_cast(unsigned, x)

// Half away from zero, as PTX's vavrg rounds.
#define UW_ROUNDED_MEAN(n)                                                                                       \
  UW_MATH unsigned __vavgs##n(unsigned a, unsigned b) {                                                          \
    __uwm_wide##n sum = __builtin_convertvector(UW_S(n, a), __uwm_wide##n) +                                     \
                        __builtin_convertvector(UW_S(n, b), __uwm_wide##n);                                      \
    return UW_WORD(__builtin_convertvector((sum + ((sum >= 0) & 1)) >> 1, __uwm_signed##n));                     \
  }

// Sums of absolute differences run over the lanes.
#define UW_SUMS(n)                                                                 \
  UW_MATH unsigned __vsads##n(unsigned a, unsigned b) {                            \
    __uwm_unsigned##n gaps = UW_U(n, __vabsdiffs##n(a, b));                        \
    unsigned sum = 0;                                                              \
    for (int i = 0; i < n; ++i) sum += gaps[i];                                    \
    return sum;                                                                    \
  }                                                                                \
  UW_MATH unsigned __vsadu##n(unsigned a, unsigned b) {                            \
    __uwm_unsigned##n gaps = UW_U(n, __vabsdiffu##n(a, b));                        \
    unsigned sum = 0;                                                              \
    for (int i = 0; i < n; ++i) sum += gaps[i];                                    \
    return sum;                                                                    \
  }

#define UW_COMPARISON(n, name, SIGN, op)                                                                        \
  UW_MATH unsigned __vcmp##name##n(unsigned a, unsigned b) { return UW_WORD(SIGN(n, a) op SIGN(n, b)); }        \
  UW_MATH unsigned __vset##name##n(unsigned a, unsigned b) { return UW_WORD((SIGN(n, a) op SIGN(n, b)) & 1); }

#define UW_LANES(n)                                                                                              \
  UW_MATH unsigned __vadd##n(unsigned a, unsigned b) { return UW_WORD(UW_U(n, a) + UW_U(n, b)); }                \
  UW_MATH unsigned __vaddss##n(unsigned a, unsigned b) {                                                         \
    return UW_WORD(__builtin_elementwise_add_sat(UW_S(n, a), UW_S(n, b)));                                       \
  }                                                                                                              \
  UW_MATH unsigned __vaddus##n(unsigned a, unsigned b) {                                                         \
    return UW_WORD(__builtin_elementwise_add_sat(UW_U(n, a), UW_U(n, b)));                                       \
  }                                                                                                              \
  UW_MATH unsigned __vsub##n(unsigned a, unsigned b) { return UW_WORD(UW_U(n, a) - UW_U(n, b)); }                \
  UW_MATH unsigned __vsubss##n(unsigned a, unsigned b) {                                                         \
    return UW_WORD(__builtin_elementwise_sub_sat(UW_S(n, a), UW_S(n, b)));                                       \
  }                                                                                                              \
  UW_MATH unsigned __vsubus##n(unsigned a, unsigned b) {                                                         \
    return UW_WORD(__builtin_elementwise_sub_sat(UW_U(n, a), UW_U(n, b)));                                       \
  }                                                                                                              \
  UW_MATH unsigned __vneg##n(unsigned a) { return __vsub##n(0, a); }                                             \
  UW_MATH unsigned __vnegss##n(unsigned a) { return __vsubss##n(0, a); }                                         \
  UW_MATH unsigned __vmaxs##n(unsigned a, unsigned b) {                                                          \
    return UW_WORD(__builtin_elementwise_max(UW_S(n, a), UW_S(n, b)));                                           \
  }                                                                                                              \
  UW_MATH unsigned __vmaxu##n(unsigned a, unsigned b) {                                                          \
    return UW_WORD(__builtin_elementwise_max(UW_U(n, a), UW_U(n, b)));                                           \
  }                                                                                                              \
  UW_MATH unsigned __vmins##n(unsigned a, unsigned b) {                                                          \
    return UW_WORD(__builtin_elementwise_min(UW_S(n, a), UW_S(n, b)));                                           \
  }                                                                                                              \
  UW_MATH unsigned __vminu##n(unsigned a, unsigned b) {                                                          \
    return UW_WORD(__builtin_elementwise_min(UW_U(n, a), UW_U(n, b)));                                           \
  }                                                                                                              \
  UW_MATH unsigned __vabs##n(unsigned a) { return __vmaxs##n(a, __vneg##n(a)); }                                 \
  UW_MATH unsigned __vabsss##n(unsigned a) { return __vmaxs##n(a, __vnegss##n(a)); }                             \
  UW_MATH unsigned __vabsdiffs##n(unsigned a, unsigned b) { return __vsub##n(__vmaxs##n(a, b), __vmins##n(a, b)); } \
  UW_MATH unsigned __vabsdiffu##n(unsigned a, unsigned b) { return __vsub##n(__vmaxu##n(a, b), __vminu##n(a, b)); } \
  UW_MATH unsigned __vhaddu##n(unsigned a, unsigned b) { return __vadd##n(a & b, UW_WORD(UW_U(n, a ^ b) >> 1)); } \
  UW_MATH unsigned __vavgu##n(unsigned a, unsigned b) { return __vsub##n(a | b, UW_WORD(UW_U(n, a ^ b) >> 1)); } \
  UW_ROUNDED_MEAN(n)                                                                                             \
  UW_SUMS(n)                                                                                                     \
  UW_COMPARISON(n, eq, UW_U, ==)                                                                                 \
  UW_COMPARISON(n, ne, UW_U, !=)                                                                                 \
  UW_COMPARISON(n, ges, UW_S, >=)                                                                                \
  UW_COMPARISON(n, gts, UW_S, >)                                                                                 \
  UW_COMPARISON(n, les, UW_S, <=)                                                                                \
  UW_COMPARISON(n, lts, UW_S, <)                                                                                 \
  UW_COMPARISON(n, geu, UW_U, >=)                                                                                \
  UW_COMPARISON(n, gtu, UW_U, >)                                                                                 \
  UW_COMPARISON(n, leu, UW_U, <=)                                                                                \
  UW_COMPARISON(n, ltu, UW_U, <)
UW_LANES(2)
UW_LANES(4)
#undef UW_LANES
#undef UW_COMPARISON
#undef UW_SUMS
#undef UW_ROUNDED_MEAN
#undef UW_WORD
#undef UW_U
#undef UW_S
