// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W10, the opposite mistake: code for 64 lanes on a device with 32. The tree's first step leaves the warp and each lane
// keeps its own value, so that sums double; a loop over 64 source lanes wraps and counts each lane twice.
#include "oracle.h"
__global__ void kernel(unsigned* out) {
  unsigned sum = threadIdx.x;
  for (int offset = 32; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  out[threadIdx.x * 2] = threadIdx.x % 64 == 0 ? sum : 0;
  unsigned seen = 0;
  for (int i = 0; i < 64; ++i) seen += __shfl_sync(0xffffffffu, threadIdx.x % 64, i);
  out[threadIdx.x * 2 + 1] = seen;
}
int main() {
  const unsigned threads = 128;
  unsigned* out = oracle::output(threads * 2);
  kernel<<<1, threads>>>(out);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Block block{threads, width};
    oracle::Values sum = block.each([](unsigned t) { return t; });
    for (unsigned offset = 32; offset > 0; offset /= 2) {
      // PTX counts distances modulo 32: at 32 lanes a step of 32 is one of 0.
      unsigned by = width == 32 ? offset % 32 : offset;
      sum = block.each([&](unsigned t) { return sum[t] + block.down(sum, t, by, width); });
    }
    oracle::Values expected(threads * 2);
    for (unsigned t = 0; t < threads; ++t) {
      expected[t * 2] = t % 64 == 0 ? sum[t] : 0;
      for (unsigned i = 0; i < 64; ++i) expected[t * 2 + 1] += (block.first(t) + i % width) % 64;
    }
    return expected;
  });
}
