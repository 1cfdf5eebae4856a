// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block sums by warp shuffles with every width taken from warpSize: the lane, the slot in shared memory, the number of
// slots, the depth of the tree. Right at 32 and at 64. Compare reduce_staged.cu.
#include "check.h"

constexpr int kBlock = 256;
constexpr int kWarpsAtMost = kBlock / 32;

__device__ int warpSum(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

__global__ void blockSums(int n, const int* values, int* sums) {
  __shared__ int partial[kWarpsAtMost];
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize, warps = kBlock / warpSize;
  int i = blockIdx.x * kBlock + threadIdx.x;
  int sum = warpSum(i < n ? values[i] : 0);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = warpSum(lane < warps ? partial[lane] : 0);
    if (lane == 0) sums[blockIdx.x] = sum;
  }
}

int main() {
  const int n = 50001, blocks = (n + kBlock - 1) / kBlock;
  std::vector<int> values = numbers(n, 1000), expected(blocks, 0);
  for (int i = 0; i < n; ++i) expected[i / kBlock] += values[i];
  DeviceArray<int> device(values), sums(blocks);
  blockSums<<<blocks, kBlock>>>(n, device.get(), sums.get());
  finishLaunch();
  return verdict("reduce_portable", expected, sums.toHost());
}
