// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// M07: masks that name half a warp, in branches and called by all lanes. Votes count for the named lanes only; the upper
// 32 of 64 lanes, whom no such mask can name, see the result of those below.
#include "oracle.h"
__global__ void kernel(unsigned* out) {
  unsigned t = threadIdx.x, lane = t % warpSize, *own = out + t * 4;
  bool p = t % 3 != 1;
  own[0] = __ballot_sync(0xffffu, p);  // called by all
  own[1] = __any_sync(0xffffu, lane % 32 >= 16);
  if (lane < 16) {
    own[2] = __ballot_sync(0xffffu, p);
    own[3] = __shfl_xor_sync(0xffffu, t, 5);
  } else if (lane < 32) {
    own[2] = __ballot_sync(0xffff0000u, p);
    own[3] = __shfl_xor_sync(0xffff0000u, t, 6);
  }
}
int main() {
  const unsigned threads = 192;
  unsigned* out = oracle::output(threads * 4);
  kernel<<<2, threads>>>(out);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Block block{threads, width};
    oracle::Values expected(threads * 4, oracle::kFill);
    for (unsigned t = 0; t < threads; ++t) {
      unsigned lane = block.lane(t), half = lane / 16;
      auto p = [](unsigned i) { return i % 3 != 1; };
      expected[t * 4] = block.ballot(t, p, [&](unsigned i) { return block.lane(i) < 16; });
      expected[t * 4 + 1] = 0;
      if (lane >= 32) continue;
      expected[t * 4 + 2] = block.ballot(t, p, [&](unsigned i) { return block.lane(i) / 16 == half; });
      expected[t * 4 + 3] = half == 0 ? t ^ 5 : t ^ 6;
    }
    return expected;
  });
}
