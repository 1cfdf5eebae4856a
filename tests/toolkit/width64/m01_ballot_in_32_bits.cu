// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// M01: a stream compaction ranks with the 32 bits of a ballot. At 64 lanes the votes of lanes 32 to 63 vanish, their
// shifts wrap, and offsets collide: the places each thread computes are those of the lower half again.
#include "oracle.h"
__global__ void kernel(unsigned* out) {
  unsigned lane = threadIdx.x % warpSize;
  bool keep = threadIdx.x * 7 % 5 < 3;
  unsigned m = __ballot_sync(0xffffffffu, keep);
  out[threadIdx.x * 2] = __popc(m & ((1u << lane) - 1));
  out[threadIdx.x * 2 + 1] = __popc(m);
}
int main() {
  const unsigned threads = 200;
  unsigned* out = oracle::output(threads * 2);
  kernel<<<1, threads>>>(out);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Block block{threads, width};
    oracle::Values expected(threads * 2);
    for (unsigned t = 0; t < threads; ++t) {
      unsigned m = block.ballot(t, [](unsigned i) { return i * 7 % 5 < 3; });
      expected[t * 2] = oracle::bits(m & ((1u << block.lane(t) % 32) - 1));
      expected[t * 2 + 1] = oracle::bits(m);
    }
    return expected;
  });
}
