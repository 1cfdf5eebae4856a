// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic with a rounding direction (CUDA Math API, "Single/Double Precision Intrinsics"). To nearest is the CPU's
// own operation, marked so that LLVM never fuses it with a neighbour: programs write `__fmul_rn` to prevent just that.
// The other directions are calls of the runtime, which sets the CPU's rounding mode around one operation; they are
// exact in every case. Direction codes: toolkit/runtime/device_math_rounded.cpp.
#pragma once

#include "math.h"

extern "C" {
#define UW_PURE __device__ __attribute__((const))
UW_PURE float __uwm_fadd(float x, float y, int direction);
UW_PURE float __uwm_fmul(float x, float y, int direction);
UW_PURE float __uwm_fdiv(float x, float y, int direction);
UW_PURE float __uwm_fsqrt(float x, int direction);
UW_PURE float __uwm_fmaf(float x, float y, float z, int direction);
UW_PURE double __uwm_dadd(double x, double y, int direction);
UW_PURE double __uwm_dmul(double x, double y, int direction);
UW_PURE double __uwm_ddiv(double x, double y, int direction);
UW_PURE double __uwm_dsqrt(double x, int direction);
UW_PURE double __uwm_dfma(double x, double y, double z, int direction);
#undef UW_PURE
}

#define UW_NEAREST(T, letter, root)                 \
  UW_MATH T __##letter##add_rn(T x, T y) {                 \
    _Pragma("clang fp contract(off)") return x + y;        \
  }                                                        \
  UW_MATH T __##letter##sub_rn(T x, T y) {                 \
    _Pragma("clang fp contract(off)") return x - y;        \
  }                                                        \
  UW_MATH T __##letter##mul_rn(T x, T y) {                 \
    _Pragma("clang fp contract(off)") return x * y;        \
  }                                                        \
  UW_MATH T __##letter##div_rn(T x, T y) {                 \
    _Pragma("clang fp contract(off)") return x / y;        \
  }                                                        \
  UW_MATH T __##letter##rcp_rn(T x) {                      \
    _Pragma("clang fp contract(off)") return T(1) / x;     \
  }                                                        \
  UW_MATH T __##letter##sqrt_rn(T x) { return root(x); }
UW_NEAREST(float, f, __builtin_sqrtf)
UW_NEAREST(double, d, __builtin_sqrt)
#undef UW_NEAREST
UW_MATH float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
UW_MATH double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
// Rounding a double once more is right for every float: all 2^24 significands of two binades were tried.
UW_MATH float __frsqrt_rn(float x) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))); }

#define UW_DIRECTED(T, letter, mode, code)                                                       \
  UW_MATH T __##letter##add_##mode(T x, T y) { return __uwm_##letter##add(x, y, code); }         \
  UW_MATH T __##letter##sub_##mode(T x, T y) { return __uwm_##letter##add(x, -y, code); }        \
  UW_MATH T __##letter##mul_##mode(T x, T y) { return __uwm_##letter##mul(x, y, code); }         \
  UW_MATH T __##letter##div_##mode(T x, T y) { return __uwm_##letter##div(x, y, code); }         \
  UW_MATH T __##letter##rcp_##mode(T x) { return __uwm_##letter##div(T(1), x, code); }           \
  UW_MATH T __##letter##sqrt_##mode(T x) { return __uwm_##letter##sqrt(x, code); }
UW_DIRECTED(float, f, rd, 1)
UW_DIRECTED(float, f, ru, 2)
UW_DIRECTED(float, f, rz, 3)
UW_DIRECTED(double, d, rd, 1)
UW_DIRECTED(double, d, ru, 2)
UW_DIRECTED(double, d, rz, 3)
#undef UW_DIRECTED
UW_MATH float __fmaf_rd(float x, float y, float z) { return __uwm_fmaf(x, y, z, 1); }
UW_MATH float __fmaf_ru(float x, float y, float z) { return __uwm_fmaf(x, y, z, 2); }
UW_MATH float __fmaf_rz(float x, float y, float z) { return __uwm_fmaf(x, y, z, 3); }
UW_MATH double __fma_rd(double x, double y, double z) { return __uwm_dfma(x, y, z, 1); }
UW_MATH double __fma_ru(double x, double y, double z) { return __uwm_dfma(x, y, z, 2); }
UW_MATH double __fma_rz(double x, double y, double z) { return __uwm_dfma(x, y, z, 3); }
// These keep subnormals even with -ftz=true.
UW_MATH float __fmaf_ieee_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
UW_MATH float __fmaf_ieee_rd(float x, float y, float z) { return __uwm_fmaf(x, y, z, 1); }
UW_MATH float __fmaf_ieee_ru(float x, float y, float z) { return __uwm_fmaf(x, y, z, 2); }
UW_MATH float __fmaf_ieee_rz(float x, float y, float z) { return __uwm_fmaf(x, y, z, 3); }

// Two floats at once.
#define UW_PAIRS(mode)                                                                                        \
  UW_MATH float2 __fadd2_##mode(float2 x, float2 y) { return {__fadd_##mode(x.x, y.x), __fadd_##mode(x.y, y.y)}; } \
  UW_MATH float2 __fmul2_##mode(float2 x, float2 y) { return {__fmul_##mode(x.x, y.x), __fmul_##mode(x.y, y.y)}; } \
  UW_MATH float2 __ffma2_##mode(float2 x, float2 y, float2 z) {                                               \
    return {__fmaf_##mode(x.x, y.x, z.x), __fmaf_##mode(x.y, y.y, z.y)};                                      \
  }
UW_PAIRS(rn)
UW_PAIRS(rd)
UW_PAIRS(ru)
UW_PAIRS(rz)
#undef UW_PAIRS
