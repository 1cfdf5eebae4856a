// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// S01: lanes are counted modulo 32, shuffles are as wide as the warp. At 64 lanes the broadcast of lane 0 reaches the
// second group of 32, whose own leader's value is lost; distances cross the border between the groups. Explicit widths
// of 32 and below are right at both.
#include "oracle.h"
__global__ void kernel(unsigned* out) {
  unsigned t = threadIdx.x, lane = t & 31, *own = out + t * 6;
  unsigned head = lane == 0 ? t + 500 : 0;
  own[0] = __shfl_sync(0xffffffffu, head, 0);
  own[1] = __shfl_down_sync(0xffffffffu, t, 3);
  own[2] = __shfl_up_sync(0xffffffffu, t, 3);
  own[3] = __shfl_sync(0xffffffffu, head, 0, 32);
  own[4] = __shfl_down_sync(0xffffffffu, t, 3, 16);
  own[5] = __shfl_sync(0xffffffffu, t, 37, 8);
}
int main() {
  const unsigned threads = 160;
  unsigned* out = oracle::output(threads * 6);
  kernel<<<1, threads>>>(out);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Block block{threads, width};
    oracle::Values head = block.each([](unsigned t) { return t % 32 == 0 ? t + 500 : 0; });
    oracle::Values self = block.each([](unsigned t) { return t; });
    oracle::Values expected;
    for (unsigned t = 0; t < threads; ++t) {
      oracle::Values own = {block.index(head, t, 0, width), block.down(self, t, 3, width), block.up(self, t, 3, width),
                            block.index(head, t, 0, 32),    block.down(self, t, 3, 16),    block.index(self, t, 37, 8)};
      expected.insert(expected.end(), own.begin(), own.end());
    }
    return expected;
  });
}
