// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histogram with one atomic per distinct key of a warp: the lanes of a key elect the first of them, which adds their
// number. WRONG at 64: the mask has 32 bits, so the upper lanes are not in it, and `tid & 31` finds each leader twice.
#include "check.h"

constexpr int kBins = 8;

__global__ void histogram(int n, const int* keys, unsigned* bins) {
  int lane = threadIdx.x & 31;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int key = keys[i];
    unsigned same = __match_any_sync(0xffffffff, key);
    if (lane == __ffs(same) - 1) atomicAdd(&bins[key], __popc(same));
  }
}

int main() {
  const int n = 32 * 256 * 4;  // whole blocks and rounds, so that every lane takes part in every match
  std::vector<int> keys = numbers(n, kBins);
  std::vector<unsigned> expected(kBins, 0);
  for (int key : keys) ++expected[key];
  DeviceArray<int> device(keys);
  DeviceArray<unsigned> bins(kBins);
  histogram<<<32, 256>>>(n, device.get(), bins.get());
  finishLaunch();
  return verdict("histogram_match", expected, bins.toHost());
}
