// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfloat16: __nv_bfloat16, __nv_bfloat162 and their functions (CUDA Math API, "Bfloat16 Precision Intrinsics"), and the
// conversions between the two 16-bit formats. C sees the raw types.
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#include "cuda_fp16.h"

typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __nv_bfloat16_raw;
typedef struct __attribute__((aligned(4))) {
  unsigned short x;
  unsigned short y;
} __nv_bfloat162_raw;

#if defined(__cplusplus)
#define UW_T __nv_bfloat16
#define UW_T2 __nv_bfloat162
#define UW_RAW __nv_bfloat16_raw
#define UW_RAW2 __nv_bfloat162_raw
#define UW_OTHER __half
#define UW_FORMAT ::__uw::bfloat
#define UW_WORD bfloat16
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define UW_CONVERSIONS 0
#else
#define UW_CONVERSIONS 1
#endif
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define UW_OPERATORS 0
#else
#define UW_OPERATORS 1
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define UW_OPERATORS2 0
#else
#define UW_OPERATORS2 1
#endif
#include "unwarp/float16_types.inc"
#include "unwarp/float16_conversions.inc"
#include "unwarp/float16_arithmetic.inc"
#include "unwarp/float16_functions.inc"

UW_LOW_MEMBER __half::__half(const __nv_bfloat16 other)
    : __x(__uw::half::fromFloat(__uw::bfloat::toFloat(other.__x))) {}
UW_LOW_MEMBER __nv_bfloat16::__nv_bfloat16(const __half other)
    : __x(__uw::bfloat::fromFloat(__uw::half::toFloat(other.__x))) {}

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif
#endif
