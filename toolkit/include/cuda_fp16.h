// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half precision: __half, __half2 and their functions (CUDA Math API, "Half Precision Intrinsics"). Everything but
// shuffles, cached loads and atomics works on both sides, with the same bits. C sees the raw types.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

// Programs declare their own vectors of 16-bit values with it.
#ifndef __CUDA_ALIGN__
#define __CUDA_ALIGN__(n) __attribute__((aligned(n)))
#endif

typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __half_raw;
typedef struct __attribute__((aligned(4))) {
  unsigned short x;
  unsigned short y;
} __half2_raw;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#if defined(__cplusplus)
#include "unwarp/float16.h"

#define UW_T __half
#define UW_T2 __half2
#define UW_RAW __half_raw
#define UW_RAW2 __half2_raw
#define UW_OTHER __nv_bfloat16
#define UW_FORMAT ::__uw::half
#define UW_WORD half
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define UW_CONVERSIONS 0
#else
#define UW_CONVERSIONS 1
#endif
#ifdef __CUDA_NO_HALF_OPERATORS__
#define UW_OPERATORS 0
#else
#define UW_OPERATORS 1
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define UW_OPERATORS2 0
#else
#define UW_OPERATORS2 1
#endif
#include "unwarp/float16_types.inc"
#include "unwarp/float16_conversions.inc"
#include "unwarp/float16_arithmetic.inc"
#include "unwarp/float16_functions.inc"

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#if !defined(CUDA_NO_HALF)
typedef __half half;
typedef __half2 half2;
#endif
#endif
#endif
