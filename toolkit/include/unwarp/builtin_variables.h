// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// threadIdx, blockIdx, blockDim, gridDim, warpSize. Members are properties, so that reading one is a call of an opaque
// function and nothing can be written or addressed.
#pragma once

#include "../vector_types.h"
#include "opaque.h"

#define UW_INDEX_TYPE(NAME, RESULT, REGISTER)                                       \
  struct NAME {                                                                     \
    __declspec(property(get = readX)) unsigned x;                                   \
    __declspec(property(get = readY)) unsigned y;                                   \
    __declspec(property(get = readZ)) unsigned z;                                   \
    __device__ static __attribute__((always_inline)) unsigned readX() { return __uw_##REGISTER##_x(); } \
    __device__ static __attribute__((always_inline)) unsigned readY() { return __uw_##REGISTER##_y(); } \
    __device__ static __attribute__((always_inline)) unsigned readZ() { return __uw_##REGISTER##_z(); } \
    __device__ __attribute__((always_inline)) operator RESULT() const { return RESULT{readX(), readY(), readZ()}; } \
    NAME() = default;                                                               \
    NAME(const NAME&) = delete;                                                     \
    NAME& operator=(const NAME&) = delete;                                          \
    NAME* operator&() const = delete;                                               \
  }

UW_INDEX_TYPE(uwThreadIndex, uint3, tid);
UW_INDEX_TYPE(uwBlockIndex, uint3, ctaid);
UW_INDEX_TYPE(uwBlockShape, dim3, ntid);
UW_INDEX_TYPE(uwGridShape, dim3, nctaid);

struct uwWarpSize {
  __device__ __attribute__((always_inline)) operator int() const { return static_cast<int>(__uw_width()); }
  uwWarpSize() = default;
  uwWarpSize(const uwWarpSize&) = delete;
};

extern const __device__ __attribute__((weak)) uwThreadIndex threadIdx;
extern const __device__ __attribute__((weak)) uwBlockIndex blockIdx;
extern const __device__ __attribute__((weak)) uwBlockShape blockDim;
extern const __device__ __attribute__((weak)) uwGridShape gridDim;
extern const __device__ __attribute__((weak)) uwWarpSize warpSize;
#undef UW_INDEX_TYPE
