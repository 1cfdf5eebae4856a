// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// warpMax with one atomic per 32 threads, as speedKernel of src/reduce.cu does it: right whatever the width, because the
// exchange stays within groups of 32 and each group has its own leader.
#include <cstdio>

#include "../include/warp.cuh"

__global__ void largestKernel(const int* values, int count, int* largest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = warpMax(i < count ? values[i] : 0);
  if (laneId() == 0) atomicMax(largest, value);
}

int main() {
  constexpr int count = 1000;
  int *values = nullptr, *largest = nullptr;
  if (cudaMallocManaged(&values, count * sizeof(int)) != cudaSuccess) return 2;
  if (cudaMallocManaged(&largest, sizeof(int)) != cudaSuccess) return 2;
  int expected = 0;
  for (int i = 0; i < count; ++i) {
    values[i] = i * 7919 % 1009;
    expected = values[i] > expected ? values[i] : expected;
  }
  *largest = 0;
  largestKernel<<<(count + 255) / 256, 256>>>(values, count, largest);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  std::printf("largest %d, expected %d\n%s\n", *largest, expected, *largest == expected ? "PASS" : "FAIL");
  return *largest == expected ? 0 : 1;
}
