// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of 16 numbers by cooperative groups. A static tile carries its size, so its shuffles stay inside it: right at 32
// and at 64.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kTile = 16;

__global__ void tileSums(const int* values, int* sums) {
  cg::thread_block_tile<kTile> tile = cg::tiled_partition<kTile>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = values[i];
  for (int offset = kTile / 2; offset > 0; offset /= 2) sum += tile.shfl_down(sum, offset);
  if (tile.thread_rank() == 0) sums[i / kTile] = sum;
}

int main() {
  const int blocks = 30, block = 128, n = blocks * block;
  std::vector<int> values = numbers(n, 1000), expected(n / kTile, 0);
  for (int i = 0; i < n; ++i) expected[i / kTile] += values[i];
  DeviceArray<int> device(values), sums(n / kTile);
  tileSums<<<blocks, block>>>(device.get(), sums.get());
  finishLaunch();
  return verdict("tile_reduce", expected, sums.toHost());
}
