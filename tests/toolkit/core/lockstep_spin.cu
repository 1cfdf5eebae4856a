// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// env: UNWARP_DEVICE=gfx942
// widths: 64
// status: 70
// stderr: waits at the end of a waiting loop
//
// A lock taken lane by lane inside a warp: the lane that has it stands behind the loop until the others leave it, and they
// never do. Hardware whose lanes have no progress of their own hangs here; the run must end with a report.
#include <cstdio>

__global__ void count(int* lock, int* total) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *total += 1;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int* memory;
  cudaMalloc(&memory, 2 * sizeof(int));
  cudaMemset(memory, 0, 2 * sizeof(int));
  count<<<1, 64>>>(memory, memory + 1);
  cudaDeviceSynchronize();
  std::puts("the lock was passed on");
  return 0;
}
