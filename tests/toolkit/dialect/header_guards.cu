// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helper headers of public code define what they offer only when they see that a CUDA header was included, by its guard; others
// include old headers by name.
#include <cstdio>

#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__) || !defined(__VECTOR_TYPES_H__)
#error "the headers that nvcc includes by itself do not say so"
#endif
#ifdef CU_COMPLEX_H_
#error "a header says that it was included and was not"
#endif
#include <common_functions.h>
#include <crt/common_functions.h>
#include <crt/host_config.h>
#include <crt/host_defines.h>
#include <cuComplex.h>
#include <cuda_runtime_api.h>
#include <device_atomic_functions.h>
#include <driver_functions.h>
#include <sm_20_atomic_functions.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_32_atomic_functions.h>
#include <sm_32_intrinsics.h>
#include <sm_35_atomic_functions.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_61_intrinsics.h>
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
