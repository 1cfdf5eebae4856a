// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// env: UNWARP_DEVICE=gfx950
// widths: 64
// tiers: auto
//
// On a gfx950 profile a kernel gets all 160 KiB without asking and no more.
#include "check.h"
__global__ void touch(int* out, int words) {
  extern __shared__ int data[];
  data[words - 1] = words;
  *out = data[words - 1];
}
int main() {
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  EXPECT(p.major == 9 && p.minor == 5 && p.warpSize == 64 && p.sharedMemPerBlock == 160 * 1024);
  EXPECT(p.maxThreadsDim[2] == 1024);
  int* out = nullptr;
  OK(cudaMallocManaged(&out, 4));
  touch<<<1, 1, 160 * 1024>>>(out, 40 * 1024);
  OK(cudaDeviceSynchronize());
  EXPECT(*out == 40 * 1024);
  touch<<<1, 1, 160 * 1024 + 1>>>(out, 1);
  GIVES(cudaErrorInvalidValue, cudaGetLastError());
  return failures;
}
