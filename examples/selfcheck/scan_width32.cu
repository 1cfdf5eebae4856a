// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inclusive scan of groups of 32 numbers. Lane arithmetic and every shuffle say 32, so a 64-lane warp simply holds two
// groups: right at 32 and at 64, although the number is written out.
#include "check.h"

constexpr int kBlock = 128;
constexpr int kGroup = 32;

__global__ void scanGroups(int n, const int* values, int* scanned) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  int lane = threadIdx.x % kGroup;
  int sum = i < n ? values[i] : 0;
  for (int offset = 1; offset < kGroup; offset *= 2) {
    int before = __shfl_up_sync(0xffffffff, sum, offset, kGroup);
    if (lane >= offset) sum += before;
  }
  if (i < n) scanned[i] = sum;
}

int main() {
  const int n = 10007;
  std::vector<int> values = numbers(n, 100), expected(n);
  for (int i = 0; i < n; ++i) expected[i] = values[i] + (i % kGroup != 0 ? expected[i - 1] : 0);
  DeviceArray<int> device(values), scanned(n);
  scanGroups<<<(n + kBlock - 1) / kBlock, kBlock>>>(n, device.get(), scanned.get());
  finishLaunch();
  return verdict("scan_width32", expected, scanned.toHost());
}
