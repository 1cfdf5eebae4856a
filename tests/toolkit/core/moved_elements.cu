// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 32
//
// The lanes of a warp move elements within one shared array without a barrier between reading and writing: a sort by
// rank of structures, and a shift. Hardware reads for all lanes before the first one writes.
#include <cstdio>

struct Color {
  float red, green, blue;
};

__global__ void sortByRank(const int* ranks, float* out) {
  __shared__ Color colors[16];
  __shared__ int order[16];
  int t = threadIdx.x;
  if (t < 16) {
    colors[t] = Color{t * 1.0f, t * 2.0f, t * 3.0f};
    order[t] = ranks[t];
  }
  __syncthreads();
  if (t < 16) colors[order[t]] = colors[t];
  __syncthreads();
  if (t < 16) out[t] = colors[t].red + colors[t].green + colors[t].blue;
}

__global__ void shift(int* out) {
  __shared__ int s[33];
  int t = threadIdx.x;
  s[t] = t;
  if (t == 0) s[32] = 32;
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    s[t + 1] = s[t] + 1;
    __syncthreads();
  }
  out[t] = s[t];
}

int main() {
  int ranks[16], *deviceRanks, shifted[32], *deviceShifted, wrong = 0;
  float sorted[16], *deviceSorted;
  for (int i = 0; i < 16; ++i) ranks[i] = (i * 7 + 3) % 16;
  cudaMalloc(&deviceRanks, sizeof ranks);
  cudaMalloc(&deviceSorted, sizeof sorted);
  cudaMalloc(&deviceShifted, sizeof shifted);
  cudaMemcpy(deviceRanks, ranks, sizeof ranks, cudaMemcpyHostToDevice);
  sortByRank<<<1, 64>>>(deviceRanks, deviceSorted);
  shift<<<1, 32>>>(deviceShifted);
  cudaMemcpy(sorted, deviceSorted, sizeof sorted, cudaMemcpyDeviceToHost);
  cudaMemcpy(shifted, deviceShifted, sizeof shifted, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 16; ++i) wrong += sorted[ranks[i]] != i * 6.0f;
  // Each round moves everything up by one and adds one; the lowest elements repeat what stood at 0.
  int expected[33];
  for (int i = 0; i < 33; ++i) expected[i] = i;
  for (int round = 0; round < 4; ++round)
    for (int i = 32; i > 0; --i) expected[i] = expected[i - 1] + 1;
  for (int i = 0; i < 32; ++i) wrong += shifted[i] != expected[i];
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
