// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stderr: kernel _Z5scalePfi: bad memory access at address (nil), block (0,0,0), thread (0,0,0)
//
// Without line information the thread is named all the same.
#include "check.h"

__global__ void scale(float* values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= 2;
}

int main() {
  scale<<<1, 256>>>(nullptr, 256);
  GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  return failures;
}
