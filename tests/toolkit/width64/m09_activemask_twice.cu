// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// M09: atomics put together by the active mask, read once to rank and once to count. At 64 lanes ranks are those of the
// low 32 lanes, two lanes lead, each adds the low count, and upper lanes share the slots of lower ones.
#include "oracle.h"
__global__ void kernel(unsigned* out) {
  unsigned t = threadIdx.x, lane = t % warpSize;
  if (t * 5 % 7 < 4) {
    unsigned active = __activemask();
    unsigned slot = __popc(active & ((1u << lane) - 1));
    out[1 + t] = slot;
    if (slot == 0) atomicAdd(&out[0], __popc(active));
  }
}
int main() {
  const unsigned threads = 192;
  unsigned* out = oracle::output(threads + 1);
  cudaMemset(out, 0, 4);
  kernel<<<1, threads>>>(out);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Block block{threads, width};
    oracle::Values expected(threads + 1, oracle::kFill);
    expected[0] = 0;
    auto here = [](unsigned i) { return i * 5 % 7 < 4; };
    for (unsigned t = 0; t < threads; ++t) {
      if (!here(t)) continue;
      unsigned active = block.ballot(t, here);
      expected[1 + t] = oracle::bits(active & ((1u << block.lane(t) % 32) - 1));
      if (expected[1 + t] == 0) expected[0] += oracle::bits(active);
    }
    return expected;
  });
}
