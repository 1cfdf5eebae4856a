// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel marks what it finds wrong by the number of the check; main prints it and fails.
#pragma once

#include <cstdio>

#define EXPECT(CONDITION)                                                                                        \
  do {                                                                                                           \
    if (!(CONDITION)) {                                                                                          \
      atomicAdd(bad, 1);                                                                                         \
      if (*bad < 10)                                                                                             \
        printf("line %d, thread %d: %s\n", __LINE__, (int)(threadIdx.x + threadIdx.y * blockDim.x), #CONDITION); \
    }                                                                                                            \
  } while (0)

template <class Kernel>
int runChecked(Kernel kernel, dim3 grid, dim3 block) {
  int* bad = nullptr;
  int host = -1;
  cudaMalloc(&bad, sizeof(int));
  cudaMemset(bad, 0, sizeof(int));
  kernel<<<grid, block>>>(bad);
  cudaError_t error = cudaMemcpy(&host, bad, sizeof(int), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));
  return host;
}
