// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lineinfo
// stderr: trap, block (0,0,0), thread (3,0,0)
// stderr: crash_trap.cu:9
#include "check.h"

__global__ void stop() {
  if (threadIdx.x == 3) {
    __trap();
  }
}

int main() {
  stop<<<1, 32>>>();
  GIVES(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  return failures;
}
