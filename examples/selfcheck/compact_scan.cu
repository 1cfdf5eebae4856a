// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the even numbers of each block, in order, by a scan in shared memory. Right at any width.
#include "check.h"

constexpr int kBlock = 256;

__global__ void compactEven(const int* values, int* kept, int* counts) {
  __shared__ int position[kBlock];
  int tid = threadIdx.x;
  int value = values[blockIdx.x * kBlock + tid];
  int keep = value % 2 == 0;
  position[tid] = keep;
  __syncthreads();
  for (int offset = 1; offset < kBlock; offset *= 2) {
    int before = tid >= offset ? position[tid - offset] : 0;
    __syncthreads();
    position[tid] += before;
    __syncthreads();
  }
  if (keep) kept[blockIdx.x * kBlock + position[tid] - 1] = value;
  if (tid == kBlock - 1) counts[blockIdx.x] = position[tid];
}

int main() {
  const int blocks = 50, n = blocks * kBlock;
  std::vector<int> values = numbers(n, 1000), expected(n, 0);
  for (int b = 0; b < blocks; ++b) {
    int out = b * kBlock;
    for (int i = b * kBlock; i < (b + 1) * kBlock; ++i)
      if (values[i] % 2 == 0) expected[out++] = values[i];
  }
  DeviceArray<int> device(values), kept(n), counts(blocks);
  compactEven<<<blocks, kBlock>>>(device.get(), kept.get(), counts.get());
  finishLaunch();
  return verdict("compact_scan", expected, kept.toHost());
}
