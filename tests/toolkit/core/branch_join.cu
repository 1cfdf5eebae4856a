// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of a warp write to shared memory in a branch and one of them reads all of it behind the branch, with nothing
// in between: right only because the lanes come together where the branch ends, as hardware has it.
#include <cstdio>

__global__ void total(const int* in, int* out) {
  __shared__ int part[16 * 64];
  int sum[16] = {};
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) sum[i % 16] += in[i];
  for (int k = 0; k < 16; ++k) part[16 * threadIdx.x + k] = sum[k];
  __syncthreads();
  if (threadIdx.x < 16) {
    int all = 0;
    for (int i = threadIdx.x; i < blockDim.x * 16; i += 16) all += part[i];
    part[threadIdx.x] = all;
  }
  if (threadIdx.x == 0) {
    int all = 0;
    for (int k = 0; k < 16; ++k) all += (k + 1) * part[k];
    *out = all;
  }
}

int main() {
  static int in[4096];
  int expected = 0, result = 0;
  for (int i = 0; i < 4096; ++i) expected += (i % 16 + 1) * (in[i] = i % 37 - 5);
  int *a, *b;
  cudaMalloc(&a, sizeof in);
  cudaMalloc(&b, sizeof result);
  cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
  total<<<1, 64>>>(a, b);
  cudaMemcpy(&result, b, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d, expected %d\n", result, expected);
  return result != expected;
}
