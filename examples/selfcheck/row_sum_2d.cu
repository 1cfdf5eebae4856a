// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of (32, 8) threads sums eight rows, one row of threads each; the tree starts at warpSize / 2.
// WRONG at 64: two rows of threads are one warp, and the first step adds the neighbour's row.
#include "check.h"

constexpr int kRowsPerBlock = 8;

__global__ void rowSums(int columns, const int* values, int* sums) {
  int row = blockIdx.x * kRowsPerBlock + threadIdx.y;
  int sum = 0;
  for (int c = threadIdx.x; c < columns; c += 32) sum += values[row * columns + c];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (threadIdx.x == 0) sums[row] = sum;
}

int main() {
  const int rows = 64, columns = 200;
  std::vector<int> values = numbers(rows * columns, 1000), expected(rows, 0);
  for (int i = 0; i < rows * columns; ++i) expected[i / columns] += values[i];
  DeviceArray<int> device(values), sums(rows);
  rowSums<<<rows / kRowsPerBlock, dim3(32, kRowsPerBlock)>>>(columns, device.get(), sums.get());
  finishLaunch();
  return verdict("row_sum_2d", expected, sums.toHost());
}
