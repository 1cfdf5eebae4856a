// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 32
// tiers: auto
// env: UNWARP_POISON=0 CUDA_LAUNCH_BLOCKING=1
//
// UNWARP_POISON=0 leaves fresh memory as the system gives it (large blocks: zero); CUDA_LAUNCH_BLOCKING makes launches wait.
#include "check.h"
__global__ void fault() { *(volatile int*)nullptr = 1; }
int main() {
  unsigned* memory = nullptr;
  unsigned fresh = 1;
  OK(cudaMalloc(&memory, 64 << 20));
  OK(cudaMemcpy(&fresh, memory + 1000000, 4, cudaMemcpyDeviceToHost));
  EXPECT(fresh == 0);
  fault<<<1, 1>>>();
  GIVES(cudaErrorIllegalAddress, cudaGetLastError());
  return failures;
}
