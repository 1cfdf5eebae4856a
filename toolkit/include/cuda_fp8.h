// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 8-bit floating point: e4m3, e5m2, ue5m3, and e8m0 scale factors (CUDA Math API, "FP8 Intrinsics"). Conversions round
// once, from every source.
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#if defined(__cplusplus)
#include "unwarp/narrow_floats.h"

namespace __uw {
template <class F>
UW_LOW __nv_fp8_storage_t toFp8(F x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  bool finite = saturate == __NV_SATFINITE;
  unsigned code = kind == __NV_E4M3 ? e4m3::from(x, finite, kNearest) : e5m2::from(x, finite, kNearest);
  return static_cast<__nv_fp8_storage_t>(code);
}
UW_LOW __half_raw fp8ToHalf(unsigned code, __nv_fp8_interpretation_t kind) {
  return halfRaw(kind == __NV_E4M3 ? e4m3::toFloat(code) : e5m2::toFloat(code));
}
template <class F>
UW_LOW __nv_fp8_storage_t toE8m0(F x, __nv_saturation_t saturate, enum cudaRoundMode mode) {
  return static_cast<__nv_fp8_storage_t>(e8m0::from(x, saturate == __NV_SATFINITE, roundingOf(mode)));
}
UW_LOW __nv_bfloat16_raw e8m0ToBfloat(unsigned code) {
  __nv_bfloat16_raw raw;
  raw.x = bfloat::fromFloat(e8m0::toFloat(code));
  return raw;
}
UW_LOW __nv_fp8x2_storage_t twoBytes(unsigned low, unsigned high) {
  return static_cast<__nv_fp8x2_storage_t>(low | high << 8);
}
}  // namespace __uw

#define UW_CONVERT(ONE, TYPE, VALUE, TWO, TYPE2, LOW, HIGH)                                                   \
  UW_LOW __nv_fp8_storage_t __nv_cvt_##ONE##_to_fp8(const TYPE x, const __nv_saturation_t saturate,           \
                                                    const __nv_fp8_interpretation_t fp8_interpretation) {     \
    return __uw::toFp8(VALUE, saturate, fp8_interpretation);                                                  \
  }                                                                                                           \
  UW_LOW __nv_fp8x2_storage_t __nv_cvt_##TWO##_to_fp8x2(const TYPE2 x, const __nv_saturation_t saturate,      \
                                                        const __nv_fp8_interpretation_t fp8_interpretation) { \
    return __uw::twoBytes(__uw::toFp8(LOW, saturate, fp8_interpretation),                                     \
                          __uw::toFp8(HIGH, saturate, fp8_interpretation));                                   \
  }
UW_NARROW_SOURCES(UW_CONVERT)
#undef UW_CONVERT
UW_LOW __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                          const __nv_fp8_interpretation_t fp8_interpretation) {
  return __uw::fp8ToHalf(x, fp8_interpretation);
}
UW_LOW __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                              const __nv_fp8_interpretation_t fp8_interpretation) {
  __half2_raw made;
  made.x = __uw::fp8ToHalf(x & 0xffu, fp8_interpretation).x;
  made.y = __uw::fp8ToHalf(static_cast<unsigned>(x) >> 8, fp8_interpretation).x;
  return made;
}

#define UW_CONVERT(ONE, TYPE, VALUE, TWO, TYPE2, LOW, HIGH)                                               \
  UW_LOW __nv_fp8_storage_t __nv_cvt_##ONE##_to_e8m0(const TYPE x, const __nv_saturation_t saturate,      \
                                                     const enum cudaRoundMode rounding) {                 \
    return __uw::toE8m0(VALUE, saturate, rounding);                                                       \
  }                                                                                                       \
  UW_LOW __nv_fp8x2_storage_t __nv_cvt_##TWO##_to_e8m0x2(const TYPE2 x, const __nv_saturation_t saturate, \
                                                         const enum cudaRoundMode rounding) {             \
    return __uw::twoBytes(__uw::toE8m0(LOW, saturate, rounding), __uw::toE8m0(HIGH, saturate, rounding)); \
  }
UW_CONVERT(double, double, x, double2, double2, x.x, x.y)
UW_CONVERT(float, float, x, float2, float2, x.x, x.y)
UW_CONVERT(bfloat16raw, __nv_bfloat16_raw, __uw::bfloat::toFloat(x.x), bfloat162raw, __nv_bfloat162_raw,
           __uw::bfloat::toFloat(x.x), __uw::bfloat::toFloat(x.y))
#undef UW_CONVERT
UW_LOW __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x) {
  return __uw::e8m0ToBfloat(x);
}
UW_LOW __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x) {
  __nv_bfloat162_raw made;
  made.x = __uw::e8m0ToBfloat(x & 0xffu).x;
  made.y = __uw::e8m0ToBfloat(static_cast<unsigned>(x) >> 8).x;
  return made;
}

#define UW_CONVERT(ONE, TYPE, VALUE)                                                                      \
  UW_LOW __nv_fp8_storage_t __nv_cvt_##ONE##_to_ue5m3(const TYPE x, const __nv_saturation_t saturate,     \
                                                      const enum cudaRoundMode rounding) {                \
    bool finite = saturate == __NV_SATFINITE;                                                             \
    return static_cast<__nv_fp8_storage_t>(__uw::ue5m3::from(VALUE, finite, __uw::roundingOf(rounding))); \
  }
UW_CONVERT(double, double, x)
UW_CONVERT(float, float, x)
UW_CONVERT(halfraw, __half_raw, __uw::half::toFloat(x.x))
UW_CONVERT(bfloat16raw, __nv_bfloat16_raw, __uw::bfloat::toFloat(x.x))
#undef UW_CONVERT

#define UW_STORAGE __nv_fp8_storage_t
#define UW_STORAGE2 __nv_fp8x2_storage_t
#define UW_STORAGE4 __nv_fp8x4_storage_t
#define UW_BITS 8
#ifdef __CUDA_NO_FP8_CONVERSIONS__
#define UW_CONSTRUCTORS 0
#else
#define UW_CONSTRUCTORS 1
#endif
#ifdef __CUDA_NO_FP8_CONVERSION_OPERATORS__
#define UW_CONVERSIONS 0
#else
#define UW_CONVERSIONS 1
#endif

#define UW_N __nv_fp8_e4m3
#define UW_NX2 __nv_fp8x2_e4m3
#define UW_NX4 __nv_fp8x4_e4m3
#define UW_FORMAT ::__uw::e4m3
#define UW_MODE ::__uw::kNearest
#include "unwarp/narrow_types.inc"

#define UW_N __nv_fp8_e5m2
#define UW_NX2 __nv_fp8x2_e5m2
#define UW_NX4 __nv_fp8x4_e5m2
#define UW_FORMAT ::__uw::e5m2
#define UW_MODE ::__uw::kNearest
#include "unwarp/narrow_types.inc"

#define UW_N __nv_fp8_ue5m3
#define UW_NX2 __nv_fp8x2_ue5m3
#define UW_NX4 __nv_fp8x4_ue5m3
#define UW_FORMAT ::__uw::ue5m3
#define UW_MODE ::__uw::kNearest
#include "unwarp/narrow_types.inc"

#define UW_N __nv_fp8_e8m0
#define UW_NX2 __nv_fp8x2_e8m0
#define UW_NX4 __nv_fp8x4_e8m0
#define UW_FORMAT ::__uw::e8m0
#define UW_MODE ::__uw::kUp
#include "unwarp/narrow_types.inc"

#undef UW_STORAGE
#undef UW_STORAGE2
#undef UW_STORAGE4
#undef UW_BITS
#undef UW_CONSTRUCTORS
#undef UW_CONVERSIONS
#endif
#endif
