// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 4-bit formats: e2m1, and e0m3, whose numbers are integers; a pair lies in one byte, x in its low half (CUDA Math API,
// "FP4 Intrinsics"). Neither has infinities or NaNs: conversions saturate.
#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__
#define __CUDA_FP4_TYPES_EXIST__

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short int __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1, __NV_E0M3 } __nv_fp4_interpretation_t;

#if defined(__cplusplus)
#include "unwarp/narrow_floats.h"

namespace __uw {
template <class F>
UW_LOW unsigned toFp4(F x, __nv_fp4_interpretation_t kind, rounding mode) {
  return kind == __NV_E2M1 ? e2m1::from(x, true, mode) : e0m3::from(x, true, mode);
}
UW_LOW __half_raw fp4ToHalf(unsigned code, __nv_fp4_interpretation_t kind) {
  return halfRaw(kind == __NV_E2M1 ? e2m1::toFloat(code) : e0m3::toFloat(code));
}
}  // namespace __uw

#define UW_CONVERT(ONE, TYPE, VALUE, TWO, TYPE2, LOW, HIGH)                                                           \
  UW_LOW __nv_fp4_storage_t __nv_cvt_##ONE##_to_fp4(const TYPE x, const __nv_fp4_interpretation_t fp4_interpretation, \
                                                    const enum cudaRoundMode rounding) {                              \
    return static_cast<__nv_fp4_storage_t>(__uw::toFp4(VALUE, fp4_interpretation, __uw::roundingOf(rounding)));       \
  }                                                                                                                   \
  UW_LOW __nv_fp4x2_storage_t __nv_cvt_##TWO##_to_fp4x2(                                                              \
      const TYPE2 x, const __nv_fp4_interpretation_t fp4_interpretation, const enum cudaRoundMode rounding) {         \
    unsigned low = __uw::toFp4(LOW, fp4_interpretation, __uw::roundingOf(rounding));                                  \
    unsigned high = __uw::toFp4(HIGH, fp4_interpretation, __uw::roundingOf(rounding));                                \
    return static_cast<__nv_fp4x2_storage_t>(low | high << 4);                                                        \
  }
UW_NARROW_SOURCES(UW_CONVERT)
#undef UW_CONVERT
UW_LOW __half_raw __nv_cvt_fp4_to_halfraw(const __nv_fp4_storage_t x,
                                          const __nv_fp4_interpretation_t fp4_interpretation) {
  return __uw::fp4ToHalf(x, fp4_interpretation);
}
UW_LOW __half2_raw __nv_cvt_fp4x2_to_halfraw2(const __nv_fp4x2_storage_t x,
                                              const __nv_fp4_interpretation_t fp4_interpretation) {
  __half2_raw made;
  made.x = __uw::fp4ToHalf(x & 0xfu, fp4_interpretation).x;
  made.y = __uw::fp4ToHalf(static_cast<unsigned>(x) >> 4, fp4_interpretation).x;
  return made;
}

#define UW_STORAGE __nv_fp4_storage_t
#define UW_STORAGE2 __nv_fp4x2_storage_t
#define UW_STORAGE4 __nv_fp4x4_storage_t
#define UW_BITS 4
#ifdef __CUDA_NO_FP4_CONVERSIONS__
#define UW_CONSTRUCTORS 0
#else
#define UW_CONSTRUCTORS 1
#endif
#ifdef __CUDA_NO_FP4_CONVERSION_OPERATORS__
#define UW_CONVERSIONS 0
#else
#define UW_CONVERSIONS 1
#endif

#define UW_N __nv_fp4_e2m1
#define UW_NX2 __nv_fp4x2_e2m1
#define UW_NX4 __nv_fp4x4_e2m1
#define UW_FORMAT ::__uw::e2m1
#define UW_MODE ::__uw::kNearest
#include "unwarp/narrow_types.inc"

#define UW_N __nv_fp4_e0m3
#define UW_NX2 __nv_fp4x2_e0m3
#define UW_NX4 __nv_fp4x4_e0m3
#define UW_FORMAT ::__uw::e0m3
#define UW_MODE ::__uw::kNearest
#include "unwarp/narrow_types.inc"

#undef UW_STORAGE
#undef UW_STORAGE2
#undef UW_STORAGE4
#undef UW_BITS
#undef UW_CONSTRUCTORS
#undef UW_CONVERSIONS
#endif
#endif
