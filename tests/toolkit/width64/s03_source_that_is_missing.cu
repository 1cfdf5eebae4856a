// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// S03: a loop over 64 source lanes wraps at 32 lanes, and sources under divergent control are not there: what is read from
// them is poison.
#include "oracle.h"
__global__ void kernel(unsigned* out) {
  unsigned t = threadIdx.x, lane = t % warpSize, label = t % 6, *own = out + t * 3;
  unsigned count = 0, sum = 0;
  for (int i = 0; i < 64; ++i) {
    if (__shfl_sync(0xffffffffu, label, i) == label) ++count;
    sum += __shfl_sync(0xffffffffu, t, i);
  }
  own[0] = count;
  own[1] = sum;
  if (lane % 4 == 0) own[2] = __shfl_sync(__activemask(), t + 7, lane + (lane % 8 == 0 ? 4 : 1));
}
int main() {
  const unsigned threads = 128;
  unsigned* out = oracle::output(threads * 3);
  kernel<<<1, threads>>>(out);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Block block{threads, width};
    oracle::Values self = block.each([](unsigned t) { return t + 7; });
    oracle::Values expected(threads * 3, oracle::kFill);
    for (unsigned t = 0; t < threads; ++t) {
      expected[t * 3] = expected[t * 3 + 1] = 0;
      for (unsigned i = 0; i < 64; ++i) {
        unsigned source = block.first(t) + i % width;
        expected[t * 3] += source % 6 == t % 6;
        expected[t * 3 + 1] += source;
      }
      unsigned lane = block.lane(t);
      auto here = [&](unsigned i) { return block.lane(i) % 4 == 0; };
      if (here(t)) expected[t * 3 + 2] = block.index(self, t, lane + (lane % 8 == 0 ? 4 : 1), width, here);
    }
    return expected;
  });
}
