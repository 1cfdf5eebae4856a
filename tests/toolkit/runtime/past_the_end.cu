// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose last threads write a little past the end of a large allocation. A GPU hands memory out in pages and lets
// that pass; the host's heap must not break by it.
#include <cstdio>

__global__ void fill(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n + 1000) out[i] = i;
}

int main() {
  const int n = (1 << 20) + 2;
  for (int round = 0; round < 4; ++round) {
    int *first, *second, last = 0;
    if (cudaMalloc(&first, n * sizeof(int)) != cudaSuccess || cudaMalloc(&second, 100) != cudaSuccess) return 1;
    fill<<<(n + 1255) / 256, 256>>>(first, n);
    if (cudaMemcpy(&last, first + n - 1, sizeof last, cudaMemcpyDeviceToHost) != cudaSuccess || last != n - 1) return 2;
    if (cudaFree(second) != cudaSuccess || cudaFree(first) != cudaSuccess) return 3;
  }
  std::puts("the heap is whole");
  return 0;
}
