// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -G
// stderr: kernel _Z5shiftPii: bad memory access at address (nil), block (0,0,0), thread (70,0,0)
// stderr: crash_region.cu:11
//
// A fault behind a barrier, in a kernel whose threads run in loops between their meetings.
#include "check.h"
__device__ void put(int* target, int value, int wanted) {
  // Not reached by anybody else.
  if (threadIdx.x == wanted)
    *target = value;
}
__global__ void shift(int* target, int wanted) {
  __shared__ int values[128];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  put(target, values[(threadIdx.x + 1) % 128], wanted);
}
int main() {
  shift<<<1, 128>>>(nullptr, 70);
  GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  return failures;
}
