// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waiting loops inside assembly: on a flag of another thread, on a lock, and between blocks.
#include <cstdio>

__device__ void waitFor(const unsigned* flag, unsigned value) {
  asm volatile(
      "{ .reg .pred p; .reg .u32 seen;\n"
      "again: ld.acquire.gpu.global.u32 seen, [%0];\n"
      "setp.ne.u32 p, seen, %1;\n"
      "@p bra again; }" ::"l"(flag), "r"(value) : "memory");
}

__global__ void chain(unsigned* flags, unsigned* counter, unsigned* lock) {
  unsigned t = threadIdx.x, n = blockDim.x;
  // The last thread begins, each waits for the one above it.
  if (t + 1 < n) waitFor(flags + t + 1, 1);
  asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flags + t) : "memory");
  __syncthreads();
  asm volatile(
      "{ .reg .pred p; .reg .u32 old;\n"
      "$take: atom.global.cas.b32 old, [%0], 0, 1; setp.ne.u32 p, old, 0; @p bra $take;\n"
      "membar.gl; ld.volatile.global.u32 old, [%1]; add.u32 old, old, 1; st.volatile.global.u32 [%1], old;\n"
      "membar.gl; atom.global.exch.b32 old, [%0], 0; }" ::"l"(lock), "l"(counter) : "memory");
}

__global__ void blocks(unsigned* flags) {
  if (blockIdx.x > 0) waitFor(flags + blockIdx.x - 1, 7);
  asm volatile("red.release.gpu.global.add.u32 [%0], 7;" ::"l"(flags + blockIdx.x) : "memory");
}

int main() {
  unsigned *memory, host[256] = {};
  cudaMalloc(&memory, sizeof host);
  cudaMemset(memory, 0, sizeof host);
  chain<<<1, 96>>>(memory, memory + 200, memory + 201);
  blocks<<<20, 1>>>(memory + 128);
  cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
  printf("%u %u %u %s\n", host[0], host[200], host[147], cudaGetErrorString(cudaGetLastError()));
  return host[0] != 1 || host[200] != 96 || host[147] != 7;
}
