// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -g
// stderr: bad memory access at address
// stderr: block (0,0,0), thread (100,0,0)
// stderr: crash_unmapped.cu:13
//
// A store behind the end of what is mapped, in a function that is inlined into a kernel that vectorises: the line is the
// function's, the thread the first that is too far.
#include "check.h"
#include <sys/mman.h>

__device__ inline void put(float* out, int i, float value) {
  out[i] = value;
}

__global__ void fill(float* out) { put(out, blockIdx.x * blockDim.x + threadIdx.x, 1.5f); }

int main() {
  // Two pages, of which the second may not be touched; the array begins 100 floats before it.
  constexpr size_t kPage = 4096;
  auto* memory = static_cast<char*>(mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (memory == MAP_FAILED || mprotect(memory + kPage, kPage, PROT_NONE) != 0) return 2;
  fill<<<1, 256>>>(reinterpret_cast<float*>(memory + kPage) - 100);
  GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  return failures;
}
