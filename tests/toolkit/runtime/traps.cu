// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 32
// stderr: trap, block (0,0,0), thread (3,0,0)
//
// __trap() is error 719 and names the thread in every tier.
#include "check.h"
__global__ void traps() {
  if (threadIdx.x == 3) __trap();
}
int main() {
  traps<<<1, 32>>>();
  GIVES(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  return failures;
}
