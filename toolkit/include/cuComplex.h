// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex numbers as vector types (cuComplex.h of the toolkit): functions for host and device. Products and quotients
// follow the usual formulae; the quotient and the absolute value scale their operands against overflow.
#pragma once
#define CU_COMPLEX_H_  // public code asks whether this header was included

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define UW_COMPLEX static __inline__ __host__ __device__

#define UW_COMPLEX_FUNCTIONS(C, R, NAME_MAKE, REAL, IMAG, CONJ, ADD, SUB, MUL, DIV, ABS, FMA, SQRT, FABS) \
  UW_COMPLEX C NAME_MAKE(R x, R y) {                                                                     \
    C z;                                                                                                 \
    z.x = x;                                                                                             \
    z.y = y;                                                                                             \
    return z;                                                                                            \
  }                                                                                                      \
  UW_COMPLEX R REAL(C z) { return z.x; }                                                                 \
  UW_COMPLEX R IMAG(C z) { return z.y; }                                                                 \
  UW_COMPLEX C CONJ(C z) { return NAME_MAKE(z.x, -z.y); }                                                \
  UW_COMPLEX C ADD(C a, C b) { return NAME_MAKE(a.x + b.x, a.y + b.y); }                                 \
  UW_COMPLEX C SUB(C a, C b) { return NAME_MAKE(a.x - b.x, a.y - b.y); }                                 \
  UW_COMPLEX C MUL(C a, C b) { return NAME_MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }         \
  UW_COMPLEX C DIV(C a, C b) {                                                                           \
    R s = FABS(b.x) + FABS(b.y);                                                                         \
    R over = (R)1 / s;                                                                                   \
    R ax = a.x * over, ay = a.y * over, bx = b.x * over, by = b.y * over;                                \
    R d = (R)1 / (bx * bx + by * by);                                                                    \
    return NAME_MAKE((ax * bx + ay * by) * d, (ay * bx - ax * by) * d);                                  \
  }                                                                                                      \
  UW_COMPLEX R ABS(C z) {                                                                                \
    R a = FABS(z.x), b = FABS(z.y);                                                                      \
    R large = a > b ? a : b, small = a > b ? b : a;                                                      \
    if (large == (R)0 || !(large - large == (R)0)) return a + b;           \
    R t = small / large;                                                                                 \
    return large * SQRT((R)1 + t * t);                                                                   \
  }                                                                                                      \
  UW_COMPLEX C FMA(C a, C b, C c) { return ADD(MUL(a, b), c); }

UW_COMPLEX_FUNCTIONS(cuFloatComplex, float, make_cuFloatComplex, cuCrealf, cuCimagf, cuConjf, cuCaddf, cuCsubf, cuCmulf,
                     cuCdivf, cuCabsf, cuCfmaf, sqrtf, fabsf)
UW_COMPLEX_FUNCTIONS(cuDoubleComplex, double, make_cuDoubleComplex, cuCreal, cuCimag, cuConj, cuCadd, cuCsub, cuCmul,
                     cuCdiv, cuCabs, cuCfma, sqrt, fabs)
#undef UW_COMPLEX_FUNCTIONS

UW_COMPLEX cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
UW_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex((double)z.x, (double)z.y); }
UW_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return make_cuFloatComplex((float)z.x, (float)z.y); }
