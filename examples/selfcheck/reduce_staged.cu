// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block sums where the tree follows warpSize and the staging does not: slots are counted in 32s (`tid >> 5`).
// WRONG at 64: thread 32 is no longer the first of its warp, yet it stores what it holds after a 64-lane tree.
#include "check.h"

constexpr int kBlock = 256;

__device__ int warpSum(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

__global__ void blockSums(int n, const int* values, int* sums) {
  __shared__ int partial[kBlock / 32];
  int tid = threadIdx.x;
  int i = blockIdx.x * kBlock + tid;
  int sum = warpSum(i < n ? values[i] : 0);
  if ((tid & 31) == 0) partial[tid >> 5] = sum;
  __syncthreads();
  sum = tid < kBlock / 32 ? partial[tid] : 0;
  if (tid < warpSize) sum = warpSum(sum);
  if (tid == 0) sums[blockIdx.x] = sum;
}

int main() {
  const int n = 50001, blocks = (n + kBlock - 1) / kBlock;
  std::vector<int> values = numbers(n, 1000), expected(blocks, 0);
  for (int i = 0; i < n; ++i) expected[i / kBlock] += values[i];
  DeviceArray<int> device(values), sums(blocks);
  blockSums<<<blocks, kBlock>>>(n, device.get(), sums.get());
  finishLaunch();
  return verdict("reduce_staged", expected, sums.toHost());
}
