// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W01: the leader of a warp is found with `tid & 31`. At 64 lanes two leaders add the sum of all 64 and the total doubles;
// two threads take one slot of an array by lane.
#include "oracle.h"
__global__ void kernel(unsigned* out) {
  unsigned lane = threadIdx.x & 31;
  unsigned sum = __reduce_add_sync(0xffffffffu, threadIdx.x + 1);
  if (lane == 0) atomicAdd(&out[0], sum);
  atomicAdd(&out[1 + lane], 1u);
}
int main() {
  const unsigned threads = 224;
  unsigned* out = oracle::output(33);
  cudaMemset(out, 0, 33 * 4);
  kernel<<<1, threads>>>(out);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Block block{threads, width};
    oracle::Values expected(33, 0);
    for (unsigned t = 0; t < threads; ++t) {
      if (t % 32 == 0) {
        for (unsigned i = block.first(t); i < block.end(t); ++i) expected[0] += i + 1;
      }
      ++expected[1 + t % 32];
    }
    return expected;
  });
}
