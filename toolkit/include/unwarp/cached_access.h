// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores that name a cache policy (Programming Guide, "Read-Only Data Cache Load Function", "Load Functions
// Using Cache Hints", "Store Functions Using Cache Hints"). A policy changes no value, so they are plain accesses;
// `__ldcv` promises to look at memory again each time, which a compiler keeps only for volatile accesses.
#pragma once

#include "../vector_types.h"
#include "opaque.h"

#define UW_CACHED(T)                                               \
  UW_DEVICE T __ldg(const T* from) { return *from; }               \
  UW_DEVICE T __ldca(const T* from) { return *from; }              \
  UW_DEVICE T __ldcg(const T* from) { return *from; }              \
  UW_DEVICE T __ldcs(const T* from) { return *from; }              \
  UW_DEVICE T __ldlu(const T* from) { return *from; }              \
  UW_DEVICE void __stwb(T* to, T value) { *to = value; }           \
  UW_DEVICE void __stcg(T* to, T value) { *to = value; }           \
  UW_DEVICE void __stcs(T* to, T value) { *to = value; }           \
  UW_DEVICE void __stwt(T* to, T value) { *to = value; }
#define UW_CACHED_SCALAR(T) \
  UW_CACHED(T)              \
  UW_DEVICE T __ldcv(const T* from) { return *static_cast<const volatile T*>(from); }
#define UW_CACHED_VECTOR(T)                 \
  UW_CACHED(T)                              \
  UW_DEVICE T __ldcv(const T* from) {       \
    __asm__ volatile("" ::: "memory");      \
    return *from;                           \
  }
UW_CACHED_SCALAR(char)
UW_CACHED_SCALAR(signed char)
UW_CACHED_SCALAR(short)
UW_CACHED_SCALAR(int)
UW_CACHED_SCALAR(long)
UW_CACHED_SCALAR(long long)
UW_CACHED_SCALAR(unsigned char)
UW_CACHED_SCALAR(unsigned short)
UW_CACHED_SCALAR(unsigned int)
UW_CACHED_SCALAR(unsigned long)
UW_CACHED_SCALAR(unsigned long long)
UW_CACHED_SCALAR(float)
UW_CACHED_SCALAR(double)
UW_CACHED_VECTOR(char2)
UW_CACHED_VECTOR(char4)
UW_CACHED_VECTOR(short2)
UW_CACHED_VECTOR(short4)
UW_CACHED_VECTOR(int2)
UW_CACHED_VECTOR(int4)
UW_CACHED_VECTOR(longlong2)
UW_CACHED_VECTOR(uchar2)
UW_CACHED_VECTOR(uchar4)
UW_CACHED_VECTOR(ushort2)
UW_CACHED_VECTOR(ushort4)
UW_CACHED_VECTOR(uint2)
UW_CACHED_VECTOR(uint4)
UW_CACHED_VECTOR(ulonglong2)
UW_CACHED_VECTOR(float2)
UW_CACHED_VECTOR(float4)
UW_CACHED_VECTOR(double2)
#undef UW_CACHED
#undef UW_CACHED_SCALAR
#undef UW_CACHED_VECTOR
