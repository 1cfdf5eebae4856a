// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histogram with a private copy of the bins per block and atomics on shared memory. Right at any width.
#include "check.h"

constexpr int kBins = 64;

__global__ void histogram(int n, const int* keys, unsigned* bins) {
  __shared__ unsigned local[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[keys[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

int main() {
  const int n = 200003;
  std::vector<int> keys = numbers(n, kBins);
  std::vector<unsigned> expected(kBins, 0);
  for (int key : keys) ++expected[key];
  DeviceArray<int> device(keys);
  DeviceArray<unsigned> bins(kBins);
  histogram<<<32, 256>>>(n, device.get(), bins.get());
  finishLaunch();
  return verdict("histogram_shared", expected, bins.toHost());
}
