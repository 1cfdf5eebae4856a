// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One warp scans one row of a matrix, 32 columns at a time, and carries the total of the last lane on.
// WRONG at 64: two rows share a warp, and the broadcast from lane 31 (no width given) hands the second row the carry of
// the first.
#include "check.h"

constexpr int kBlock = 128;

__global__ void scanRows(int rows, int columns, const int* values, int* scanned) {
  int lane = threadIdx.x & 31;
  int row = blockIdx.x * (kBlock / 32) + (threadIdx.x >> 5);
  int carry = 0;
  for (int start = 0; start < columns; start += 32) {
    int sum = row < rows ? values[row * columns + start + lane] : 0;
    for (int offset = 1; offset < 32; offset *= 2) {
      int before = __shfl_up_sync(0xffffffff, sum, offset);
      if (lane >= offset) sum += before;
    }
    sum += carry;
    if (row < rows) scanned[row * columns + start + lane] = sum;
    carry = __shfl_sync(0xffffffff, sum, 31);
  }
}

int main() {
  const int rows = 64, columns = 160;
  std::vector<int> values = numbers(rows * columns, 100), expected(rows * columns);
  for (int i = 0; i < rows * columns; ++i) expected[i] = values[i] + (i % columns != 0 ? expected[i - 1] : 0);
  DeviceArray<int> device(values), scanned(rows * columns);
  scanRows<<<rows * 32 / kBlock, kBlock>>>(rows, columns, device.get(), scanned.get());
  finishLaunch();
  return verdict("row_scan_carry", expected, scanned.toHost());
}
