// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stderr: block: [1,0,0], thread: [5,0,0] Assertion `value < 5` failed.
//
// A failed assertion is error 710 and stays.
#include <cassert>

#include "check.h"
__global__ void checks(int value) {
  if (blockIdx.x == 1 && threadIdx.x == 5) assert(value < 5);
}
int main() {
  checks<<<2, 32>>>(4);
  OK(cudaDeviceSynchronize());
  checks<<<2, 32>>>(5);
  GIVES(cudaErrorAssert, cudaDeviceSynchronize());
  GIVES(cudaErrorAssert, cudaGetLastError());
  return failures;
}
