// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// blockSum of include/warp.cuh against a sum on the host. It stages one partial sum per 32 threads after a tree over
// warpSize: right at 32 lanes, wrong at 64.
#include <cstdio>

#include "../include/warp.cuh"

__global__ void sumKernel(const int* values, int* sums) {
  const int sum = blockSum(values[blockIdx.x * blockDim.x + threadIdx.x]);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

int main() {
  constexpr int blocks = 4, threads = 256;
  int *values = nullptr, *sums = nullptr;
  if (cudaMallocManaged(&values, blocks * threads * sizeof(int)) != cudaSuccess) return 2;
  if (cudaMallocManaged(&sums, blocks * sizeof(int)) != cudaSuccess) return 2;
  for (int i = 0; i < blocks * threads; ++i) values[i] = i % 17 + 1;
  sumKernel<<<blocks, threads>>>(values, sums);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  bool right = true;
  for (int block = 0; block < blocks; ++block) {
    int expected = 0;
    for (int i = 0; i < threads; ++i) expected += values[block * threads + i];
    std::printf("block %d: sum %d, expected %d\n", block, sums[block], expected);
    right = right && sums[block] == expected;
  }
  std::printf("%s\n", right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
