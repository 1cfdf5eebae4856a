// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 6-bit floating point: e2m3 and e3m2, each in the low bits of a byte (CUDA Math API, "FP6 Intrinsics"). Neither has
// infinities or NaNs: conversions saturate.
#ifndef __CUDA_FP6_H__
#define __CUDA_FP6_H__
#define __CUDA_FP6_TYPES_EXIST__

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short int __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

#if defined(__cplusplus)
#include "unwarp/narrow_floats.h"

namespace __uw {
template <class F>
UW_LOW unsigned toFp6(F x, __nv_fp6_interpretation_t kind, rounding mode) {
  return kind == __NV_E2M3 ? e2m3::from(x, true, mode) : e3m2::from(x, true, mode);
}
UW_LOW __half_raw fp6ToHalf(unsigned code, __nv_fp6_interpretation_t kind) {
  return halfRaw(kind == __NV_E2M3 ? e2m3::toFloat(code) : e3m2::toFloat(code));
}
}  // namespace __uw

#define UW_CONVERT(ONE, TYPE, VALUE, TWO, TYPE2, LOW, HIGH)                                                           \
  UW_LOW __nv_fp6_storage_t __nv_cvt_##ONE##_to_fp6(const TYPE x, const __nv_fp6_interpretation_t fp6_interpretation, \
                                                    const enum cudaRoundMode rounding) {                              \
    return static_cast<__nv_fp6_storage_t>(__uw::toFp6(VALUE, fp6_interpretation, __uw::roundingOf(rounding)));       \
  }                                                                                                                   \
  UW_LOW __nv_fp6x2_storage_t __nv_cvt_##TWO##_to_fp6x2(                                                              \
      const TYPE2 x, const __nv_fp6_interpretation_t fp6_interpretation, const enum cudaRoundMode rounding) {         \
    unsigned low = __uw::toFp6(LOW, fp6_interpretation, __uw::roundingOf(rounding));                                  \
    unsigned high = __uw::toFp6(HIGH, fp6_interpretation, __uw::roundingOf(rounding));                                \
    return static_cast<__nv_fp6x2_storage_t>(low | high << 8);                                                        \
  }
UW_NARROW_SOURCES(UW_CONVERT)
#undef UW_CONVERT
UW_LOW __half_raw __nv_cvt_fp6_to_halfraw(const __nv_fp6_storage_t x,
                                          const __nv_fp6_interpretation_t fp6_interpretation) {
  return __uw::fp6ToHalf(x, fp6_interpretation);
}
UW_LOW __half2_raw __nv_cvt_fp6x2_to_halfraw2(const __nv_fp6x2_storage_t x,
                                              const __nv_fp6_interpretation_t fp6_interpretation) {
  __half2_raw made;
  made.x = __uw::fp6ToHalf(x & 0xffu, fp6_interpretation).x;
  made.y = __uw::fp6ToHalf(static_cast<unsigned>(x) >> 8, fp6_interpretation).x;
  return made;
}

#define UW_STORAGE __nv_fp6_storage_t
#define UW_STORAGE2 __nv_fp6x2_storage_t
#define UW_STORAGE4 __nv_fp6x4_storage_t
#define UW_BITS 8
#ifdef __CUDA_NO_FP6_CONVERSIONS__
#define UW_CONSTRUCTORS 0
#else
#define UW_CONSTRUCTORS 1
#endif
#ifdef __CUDA_NO_FP6_CONVERSION_OPERATORS__
#define UW_CONVERSIONS 0
#else
#define UW_CONVERSIONS 1
#endif

#define UW_N __nv_fp6_e2m3
#define UW_NX2 __nv_fp6x2_e2m3
#define UW_NX4 __nv_fp6x4_e2m3
#define UW_FORMAT ::__uw::e2m3
#define UW_MODE ::__uw::kNearest
#include "unwarp/narrow_types.inc"

#define UW_N __nv_fp6_e3m2
#define UW_NX2 __nv_fp6x2_e3m2
#define UW_NX4 __nv_fp6x4_e3m2
#define UW_FORMAT ::__uw::e3m2
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
