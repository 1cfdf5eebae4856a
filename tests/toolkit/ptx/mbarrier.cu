// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in memory: arrivals by all threads over several phases, by token and by parity, bulk copies that report
// their bytes, and a thread that drops out.
#include "check.h"

__device__ void waitParity(unsigned barrier, unsigned parity) {
  asm volatile(
      "{\n .reg .pred done;\n again:\n mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      " @done bra.uni end;\n bra.uni again;\n end:\n }" ::"r"(barrier), "r"(parity) : "memory");
}

CHECK_KERNEL(run) {
  Report r{pairs + threadIdx.x * kPairs};
  __shared__ __align__(16) unsigned data[4][64];
  __shared__ unsigned long long word;
  __shared__ unsigned long long full;
  unsigned t = threadIdx.x;
  unsigned barrier = (unsigned)__cvta_generic_to_shared(&word), copied = (unsigned)__cvta_generic_to_shared(&full);
  if (t == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(blockDim.x));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(copied));
  }
  __syncthreads();
  for (unsigned phase = 0; phase < 3; ++phase) {
    data[phase][t] = t + phase;
    unsigned long long token;
    unsigned done = 0;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(barrier) : "memory");
    while (!done) {
      asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done) : "r"(barrier), "l"(token) : "memory");
    }
    r.same(data[phase][t ^ 63], (t ^ 63) + phase);
  }
  asm volatile("{ .reg .b64 s; mbarrier.arrive.release.cta.shared::cta.b64 s, [%0]; }" ::"r"(barrier) : "memory");
  waitParity(barrier, 1);
  // One thread asks for a copy of 128 bytes; all wait for the bytes.
  auto* source = (unsigned*)(pairs + 64 * kPairs);
  if (t == 0) {
    for (int k = 0; k < 32; ++k) source[k] = 7 * k;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(copied) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     (unsigned)__cvta_generic_to_shared(data[3])), "l"(source), "r"(128), "r"(copied) : "memory");
  }
  waitParity(copied, 0);
  r.same(data[3][t % 32], 7 * (t % 32));
  if (t == 5) {
    asm volatile("{ .reg .b64 s; mbarrier.arrive_drop.shared.b64 s, [%0]; }" ::"r"(barrier) : "memory");
    return;
  }
  for (int phase = 0; phase < 2; ++phase) {
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(barrier) : "memory");
    waitParity(barrier, phase);
  }
}

int main() {
  Pair* pairs = nullptr;
  size_t bytes = sizeof(Pair) * kPairs * 65;
  Pair* host = (Pair*)malloc(bytes);
  cudaMalloc(&pairs, bytes);
  run<<<1, 64>>>(pairs, 0, 0, 0, 0, 0, 0);
  if (cudaMemcpy(host, pairs, bytes, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  int bad = 0;
  for (int t = 0; t < 64; ++t) bad += differing(host + t * kPairs, 4);
  return bad != 0;
}
