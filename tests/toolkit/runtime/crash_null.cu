// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lineinfo
// stderr: kernel _Z5storePiii: bad memory access at address (nil), block (1,0,0), thread (5,2,0)
// stderr: crash_null.cu:11
//
// A store to nothing names kernel, block, thread and source line, in a loop over threads and in a fiber.
#include "check.h"

__global__ void store(int* target, int x, int y) {
  if (blockIdx.x == 1 && threadIdx.x == x && threadIdx.y == y) {
    *target = 1;
  }
}

int main() {
  store<<<2, dim3(8, 4)>>>(nullptr, 5, 2);
  GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  return failures;
}
