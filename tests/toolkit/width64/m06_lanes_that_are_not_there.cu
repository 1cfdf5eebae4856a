// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// M06: the mask of a whole warp while some lanes have left, or never were. Those that are there get each other's data; a
// source that is missing gives poison. Blocks of 32, 40 and 100 threads do not fill their last warp.
#include "oracle.h"
__global__ void kernel(unsigned* out, unsigned n) {
  unsigned t = threadIdx.x;
  if (t >= n) return;
  out[t * 3] = __shfl_down_sync(0xffffffffu, t + 1000, 1);
  out[t * 3 + 1] = __shfl_xor_sync(0xffffffffu, t + 2000, 32);
  out[t * 3 + 2] = __ballot_sync(0xffffffffu, t % 2);
}
int main() {
  int bad = 0;
  for (unsigned threads : {32u, 40u, 100u, 128u}) {
    unsigned n = threads - threads / 5;
    unsigned* out = oracle::output(threads * 3);
    kernel<<<1, threads>>>(out, n);
    bad |= oracle::judge(out, [&](unsigned width) {
      oracle::Block block{threads, width};
      oracle::Values down = block.each([](unsigned t) { return t + 1000; });
      oracle::Values flip = block.each([](unsigned t) { return t + 2000; });
      auto live = [&](unsigned i) { return i < n; };
      oracle::Values expected(threads * 3, oracle::kFill);
      for (unsigned t = 0; t < n; ++t) {
        expected[t * 3] = block.down(down, t, 1, width, live);
        expected[t * 3 + 1] = block.exclusive(flip, t, 32 % width, live);
        expected[t * 3 + 2] = block.ballot(t, [](unsigned i) { return i % 2; }, live);
      }
      return expected;
    });
    cudaFree(out);
  }
  return bad;
}
