// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W04: an array with a place for each lane is filled by a loop that knows 32 lanes only. At 64 lanes the upper half of a
// warp reads fresh shared memory, which is poisoned.
#include "oracle.h"
__global__ void kernel(unsigned* out) {
  __shared__ unsigned table[4][64];
  unsigned lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  for (unsigned i = lane; i < 32; i += warpSize) table[warp][i] = i * 10 + warp;
  __syncwarp();
  out[threadIdx.x] = table[warp][lane];
}
int main() {
  const unsigned threads = 128;
  unsigned* out = oracle::output(threads);
  kernel<<<1, threads>>>(out);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Block block{threads, width};
    return block.each([&](unsigned t) {
      return block.lane(t) < 32 ? block.lane(t) * 10 + t / width : oracle::kPoison;
    });
  });
}
