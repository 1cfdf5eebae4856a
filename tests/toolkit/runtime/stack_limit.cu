// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaLimitStackSize gives recursion the room that it asks for, also on fibers.
#include "check.h"
__device__ __noinline__ int deep(int depth, int* out) {
  volatile int frame[64];
  frame[depth % 64] = depth;
  if (depth > 0) return deep(depth - 1, out) + frame[depth % 64];
  *out = 1;
  return 0;
}
__global__ void recurse(int depth, int* out) {
  __syncthreads();
  out[1 + threadIdx.x] = deep(depth, out);
}
int main() {
  int* out = nullptr;
  OK(cudaMallocManaged(&out, 4 * 65));
  OK(cudaDeviceSetLimit(cudaLimitStackSize, 512 * 1024));
  recurse<<<1, 64>>>(2500, out);
  OK(cudaDeviceSynchronize());
  EXPECT(out[0] == 1 && out[64] == 2500 * 2501 / 2);
  GIVES(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitStackSize, 64 << 20));
  return failures;
}
