// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Five-point stencil along a line with a halo in dynamic shared memory. Right at any width.
#include "check.h"

constexpr int kRadius = 2;

__global__ void stencil(int n, const int* in, int* out) {
  extern __shared__ int tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x + kRadius;
  tile[t] = i < n ? in[i] : 0;
  if (threadIdx.x < kRadius) {
    tile[t - kRadius] = i >= kRadius && i - kRadius < n ? in[i - kRadius] : 0;
    int right = i + blockDim.x;
    tile[t + blockDim.x] = right < n ? in[right] : 0;
  }
  __syncthreads();
  if (i >= n) return;
  int sum = 0;
  for (int d = -kRadius; d <= kRadius; ++d) sum += (kRadius + 1 - abs(d)) * tile[t + d];
  out[i] = sum;
}

int main() {
  const int n = 10011, block = 192;
  std::vector<int> in = numbers(n, 1000), expected(n, 0);
  for (int i = 0; i < n; ++i)
    for (int d = -kRadius; d <= kRadius; ++d)
      if (i + d >= 0 && i + d < n) expected[i] += (kRadius + 1 - std::abs(d)) * in[i + d];
  DeviceArray<int> device(in), out(n);
  stencil<<<(n + block - 1) / block, block, (block + 2 * kRadius) * sizeof(int)>>>(n, device.get(), out.get());
  finishLaunch();
  return verdict("stencil", expected, out.toHost());
}
