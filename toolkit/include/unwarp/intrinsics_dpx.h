// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic programming steps (Programming Guide, "DPX"): minima and maxima of two or three values, of a sum and a value,
// with clamping at zero (`relu`) or with the answer which one it was. For host code too, as CUDA has them.
#pragma once

#include "math.h"

typedef short __uwm_s16x2 __attribute__((vector_size(4)));
typedef unsigned short __uwm_u16x2 __attribute__((vector_size(4)));

// For a type of one lane the vector built-ins take the plain integer.
#define UW_LEAST(L, a, b) __builtin_bit_cast(L, __builtin_elementwise_min(__builtin_bit_cast(L, a), __builtin_bit_cast(L, b)))
#define UW_MOST(L, a, b) __builtin_bit_cast(L, __builtin_elementwise_max(__builtin_bit_cast(L, a), __builtin_bit_cast(L, b)))
#define UW_RAW(T, L, a) __builtin_bit_cast(T, L(a))

// T is the word that the caller sees, L its lanes, U the same lanes unsigned, so that sums wrap.
#define UW_DPX(kind, T, L, U)                                                                              \
  UW_BOTH T __uwm_sum_##kind(T a, T b) {                                                                   \
    return __builtin_bit_cast(T, __builtin_bit_cast(U, a) + __builtin_bit_cast(U, b));                     \
  }                                                                                                        \
  UW_BOTH T __uwm_max_##kind(T a, T b) { return __builtin_bit_cast(T, UW_MOST(L, a, b)); }                 \
  UW_BOTH T __uwm_min_##kind(T a, T b) { return __builtin_bit_cast(T, UW_LEAST(L, a, b)); }                \
  UW_BOTH T __vimax3_##kind(T a, T b, T c) { return __uwm_max_##kind(__uwm_max_##kind(a, b), c); }         \
  UW_BOTH T __vimin3_##kind(T a, T b, T c) { return __uwm_min_##kind(__uwm_min_##kind(a, b), c); }         \
  UW_BOTH T __viaddmax_##kind(T a, T b, T c) { return __uwm_max_##kind(__uwm_sum_##kind(a, b), c); }       \
  UW_BOTH T __viaddmin_##kind(T a, T b, T c) { return __uwm_min_##kind(__uwm_sum_##kind(a, b), c); }
UW_DPX(s32, int, int, unsigned)
UW_DPX(u32, unsigned, unsigned, unsigned)
UW_DPX(s16x2, unsigned, __uwm_s16x2, __uwm_u16x2)
UW_DPX(u16x2, unsigned, __uwm_u16x2, __uwm_u16x2)
#undef UW_DPX

#define UW_RELU(kind, T)                                                                                           \
  UW_BOTH T __vimax_##kind##_relu(T a, T b) { return __vimax3_##kind(a, b, 0); }                                   \
  UW_BOTH T __vimin_##kind##_relu(T a, T b) { return __uwm_max_##kind(__uwm_min_##kind(a, b), 0); }                \
  UW_BOTH T __vimax3_##kind##_relu(T a, T b, T c) { return __uwm_max_##kind(__vimax3_##kind(a, b, c), 0); }        \
  UW_BOTH T __vimin3_##kind##_relu(T a, T b, T c) { return __uwm_max_##kind(__vimin3_##kind(a, b, c), 0); }        \
  UW_BOTH T __viaddmax_##kind##_relu(T a, T b, T c) { return __uwm_max_##kind(__viaddmax_##kind(a, b, c), 0); }    \
  UW_BOTH T __viaddmin_##kind##_relu(T a, T b, T c) { return __uwm_max_##kind(__viaddmin_##kind(a, b, c), 0); }
UW_RELU(s32, int)
UW_RELU(s16x2, unsigned)
#undef UW_RELU

// The predicate says that the first operand was taken; equal ones count as the first.
#define UW_PICK(kind, T)                                 \
  UW_BOTH T __vibmax_##kind(T a, T b, bool* first) {     \
    *first = a >= b;                                     \
    return a >= b ? a : b;                               \
  }                                                      \
  UW_BOTH T __vibmin_##kind(T a, T b, bool* first) {     \
    *first = a <= b;                                     \
    return a <= b ? a : b;                               \
  }
UW_PICK(s32, int)
UW_PICK(u32, unsigned)
#undef UW_PICK
#define UW_PICK_PAIR(kind, H)                                                                           \
  UW_BOTH unsigned __vibmax_##kind(unsigned a, unsigned b, bool* firstHigh, bool* firstLow) {           \
    *firstHigh = static_cast<H>(a >> 16) >= static_cast<H>(b >> 16);                                    \
    *firstLow = static_cast<H>(a) >= static_cast<H>(b);                                                 \
    return __uwm_max_##kind(a, b);                                                                      \
  }                                                                                                     \
  UW_BOTH unsigned __vibmin_##kind(unsigned a, unsigned b, bool* firstHigh, bool* firstLow) {           \
    *firstHigh = static_cast<H>(a >> 16) <= static_cast<H>(b >> 16);                                    \
    *firstLow = static_cast<H>(a) <= static_cast<H>(b);                                                 \
    return __uwm_min_##kind(a, b);                                                                      \
  }
UW_PICK_PAIR(s16x2, short)
UW_PICK_PAIR(u16x2, unsigned short)
#undef UW_PICK_PAIR
#undef UW_LEAST
#undef UW_MOST
#undef UW_RAW
