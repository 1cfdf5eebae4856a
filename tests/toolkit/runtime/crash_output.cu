// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stdout: printed once
// stderr: block (0,0,0), thread (9,0,0)
//
// Searching for the thread runs the block again, elsewhere: what the kernel prints and counts is there once.
#include "check.h"

__global__ void work(int* count, int* target) {
  if (threadIdx.x == 3) {
    printf("printed once\n");
    atomicAdd(count, 1);
  }
  if (threadIdx.x == 9) *target = 1;
}

int main() {
  int* count = nullptr;
  if (cudaMallocHost(&count, sizeof(int)) != cudaSuccess) return 2;
  *count = 0;
  work<<<1, 32>>>(count, nullptr);
  GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  EXPECT(*count == 1);
  return failures;
}
