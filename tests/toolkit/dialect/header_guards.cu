// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helper headers of public code define what they offer only when they see that a CUDA header was included, by its guard.
#include <cstdio>

#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__) || !defined(__VECTOR_TYPES_H__)
#error "the headers that nvcc includes by itself do not say so"
#endif
#ifdef CU_COMPLEX_H_
#error "a header says that it was included and was not"
#endif
#include <cuComplex.h>
#include <cuda_runtime_api.h>
#ifndef CU_COMPLEX_H_
#error "cuComplex.h does not say that it was included"
#endif

__global__ void one(int* out) { *out = 1; }

int main() {
  int *device, result = 0;
  cudaMalloc(&device, sizeof result);
  one<<<1, 1>>>(device);
  cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost);
  return result != 1;
}
