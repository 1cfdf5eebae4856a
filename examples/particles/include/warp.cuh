// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp-level building blocks of the solver. Written for NVIDIA GPUs: the width is a constant of the project.
#pragma once

#include <cuda_runtime.h>

constexpr int WARP_SIZE = 32;
constexpr unsigned FULL_MASK = 0xffffffffu;

__device__ __forceinline__ int laneId() { return threadIdx.x & 31; }
__device__ __forceinline__ int warpId() { return threadIdx.x >> 5; }

template <typename T>
__device__ __forceinline__ T warpSum(T value) {
  for (int offset = warpSize / 2; offset > 0; offset >>= 1) value += __shfl_down_sync(FULL_MASK, value, offset);
  return value;
}

template <typename T>
__device__ __forceinline__ T warpMax(T value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) {
    T other = __shfl_xor_sync(FULL_MASK, value, offset);
    value = other > value ? other : value;
  }
  return value;
}

/// Sum over a block of at most 1024 threads; thread 0 gets it.
template <typename T>
__device__ T blockSum(T value) {
  __shared__ T partial[WARP_SIZE];
  value = warpSum(value);
  if (laneId() == 0) partial[threadIdx.x >> 5] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : T(0);
  if (threadIdx.x < 32) value = warpSum(value);
  return value;
}
