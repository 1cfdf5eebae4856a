// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A volatile counter under a lock that every lane takes: the lane that has the lock goes on alone. When it waited at
// its volatile store for the rest of its warp, which spins, this took over half a minute.
#include <chrono>

#include "check.h"

__global__ void count(int* lock, int* counter, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    for (bool done = false; !done;) {
      if (atomicExch(lock, 1) == 0) {
        *(volatile int*)counter += 1;
        __threadfence();
        atomicExch(lock, 0);
        done = true;
      }
    }
  }
}

int main() {
  int* memory;
  if (cudaMallocManaged(&memory, 2 * sizeof(int)) != cudaSuccess) return 1;
  memory[0] = memory[1] = 0;
  auto start = std::chrono::steady_clock::now();
  count<<<32, 128>>>(memory, memory + 1, 80);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%d, %.1f s\n", memory[1], took.count());
  return memory[1] != 32 * 128 * 80 || took.count() > 15;
}
