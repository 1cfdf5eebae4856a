// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tiers: auto
// env: UNWARP_STATS=json
// stderr: "name":"_Z4rowsPKjjPj","tier":"T0"
// stderr: "name":"_Z7boundedjPj","tier":"T0"
// stderr: "name":"_Z9histogramPKjjPj","tier":"T0"
//
// Kernels with atomics in loops that wait for nobody: they must not be taken for waiting ones, which run many times slower.
#include "check.h"
__global__ void histogram(const unsigned* data, unsigned n, unsigned* bins) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[data[i] % 16], 1u);
}
__global__ void rows(const unsigned* start, unsigned count, unsigned* sums) {
  unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= count) return;
  for (unsigned j = start[row]; j < start[row + 1]; ++j) atomicAdd(&sums[j % 8], j);
}
__device__ unsigned last(unsigned a, unsigned b) { return min(a, b + 3); }
__global__ void bounded(unsigned n, unsigned* sums) {
  for (unsigned i = threadIdx.x; i < last(n, threadIdx.x); ++i) {
    for (unsigned k = 0; k < 2; ++k) atomicAdd(&sums[i % 8], k + 1);
  }
}
int main() {
  std::vector<unsigned> data(1000), start(101);
  for (unsigned i = 0; i < 1000; ++i) data[i] = i * i;
  for (unsigned i = 0; i < 101; ++i) start[i] = i * 3;
  unsigned* bins = toDevice(std::vector<unsigned>(16, 0));
  histogram<<<4, 32>>>(toDevice(data), 1000, bins);
  SUCCEEDS(cudaGetLastError());
  std::vector<unsigned> expected(16, 0);
  for (unsigned x : data) ++expected[x % 16];
  auto got = toHost(bins, 16);
  for (unsigned i = 0; i < 16; ++i) checkEqual("histogram", i, got[i], expected[i]);
  unsigned* sums = toDevice(std::vector<unsigned>(8, 0));
  rows<<<2, 64>>>(toDevice(start), 100, sums);
  SUCCEEDS(cudaGetLastError());
  std::vector<unsigned> rowSums(8, 0);
  for (unsigned j = 0; j < 300; ++j) rowSums[j % 8] += j;
  got = toHost(sums, 8);
  for (unsigned i = 0; i < 8; ++i) checkEqual("rows", i, got[i], rowSums[i]);
  bounded<<<1, 64>>>(60, sums);
  SUCCEEDS(cudaGetLastError());
  got = toHost(sums, 8);
  for (unsigned t = 0; t < 64; ++t) {
    for (unsigned i = t; i < std::min(60u, t + 3); ++i) rowSums[i % 8] += 3;
  }
  for (unsigned i = 0; i < 8; ++i) checkEqual("bounded", i, got[i], rowSums[i]);
  return wrongs() != 0;
}
