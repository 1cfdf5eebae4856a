// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tiers: auto
// env: UNWARP_DEVICES=2
//
// A plain copy follows the earlier work of both devices and comes before their later work, whichever is current.
#include "check.h"

__global__ void fillSlowly(int* out, int value) {
  long long start = clock64();
  while (clock64() - start < 50 * 1000 * 1000) {
  }
  *out = value;
}

int main() {
  int *first, *second, result = 0;
  OK(cudaMalloc(&first, sizeof(int)));
  OK(cudaSetDevice(1));
  OK(cudaMalloc(&second, sizeof(int)));

  fillSlowly<<<1, 1>>>(second, 1);
  OK(cudaSetDevice(0));
  OK(cudaMemcpyPeer(first, 0, second, 1, sizeof(int)));
  OK(cudaMemcpy(&result, first, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(result == 1);

  OK(cudaSetDevice(1));
  fillSlowly<<<1, 1>>>(second, 2);
  OK(cudaSetDevice(0));
  OK(cudaMemcpy(&result, second, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(result == 2);

  fillSlowly<<<1, 1>>>(first, 3);
  OK(cudaMemcpy(second, first, sizeof(int), cudaMemcpyDefault));
  OK(cudaSetDevice(1));
  OK(cudaMemcpy(&result, second, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(result == 3);
  return failures;
}
