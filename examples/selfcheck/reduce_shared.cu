// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block sums by halving in shared memory, a barrier at each step down to the last. Right at any width: nothing here
// relies on which threads run together.
#include "check.h"

constexpr int kBlock = 256;

__global__ void blockSums(int n, const int* values, int* sums) {
  __shared__ int partial[kBlock];
  int i = blockIdx.x * kBlock + threadIdx.x;
  partial[threadIdx.x] = i < n ? values[i] : 0;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

int main() {
  const int n = 50001, blocks = (n + kBlock - 1) / kBlock;
  std::vector<int> values = numbers(n, 1000), expected(blocks, 0);
  for (int i = 0; i < n; ++i) expected[i / kBlock] += values[i];
  DeviceArray<int> device(values), sums(blocks);
  blockSums<<<blocks, kBlock>>>(n, device.get(), sums.get());
  finishLaunch();
  return verdict("reduce_shared", expected, sums.toHost());
}
