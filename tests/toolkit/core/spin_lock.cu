// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same lock on a device whose lanes progress on their own (the default), by lanes of one warp and by many blocks; and
// the form that also works in lockstep, because the lane that has the lock gives it back inside the loop.
#include <cstdio>

__global__ void spin(int* lock, int* total) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *(volatile int*)total += 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void tryInside(int* lock, int* total) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *(volatile int*)total += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

int main() {
  int* memory;
  int total = 0;
  cudaMalloc(&memory, 2 * sizeof(int));
  cudaMemset(memory, 0, 2 * sizeof(int));
  spin<<<8, 96>>>(memory, memory + 1);
  tryInside<<<8, 96>>>(memory, memory + 1);
  cudaMemcpy(&total, memory + 1, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", total);
  return total != 2 * 8 * 96;
}
