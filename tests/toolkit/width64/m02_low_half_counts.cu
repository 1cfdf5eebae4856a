// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// M02: counts and leaders taken from the low half of a lane mask never exceed 32 and never lie above lane 31; a warp in
// which only upper lanes vote seems to have no vote at all.
#include "oracle.h"
__global__ void kernel(unsigned* out, unsigned from) {
  unsigned m = __ballot_sync(0xffffffffu, threadIdx.x % 64 >= from);
  out[threadIdx.x * 4] = __popc(m);
  out[threadIdx.x * 4 + 1] = __ffs(m) - 1;
  out[threadIdx.x * 4 + 2] = 31 - __clz(m);
  out[threadIdx.x * 4 + 3] = __any_sync(0xffffffffu, threadIdx.x % 64 >= from);
}
int main() {
  const unsigned threads = 128;
  int bad = 0;
  for (unsigned from : {0u, 10u, 31u, 32u, 50u}) {
    unsigned* out = oracle::output(threads * 4);
    kernel<<<1, threads>>>(out, from);
    auto at = [&](unsigned width) {
      oracle::Block block{threads, width};
      oracle::Values expected(threads * 4);
      for (unsigned t = 0; t < threads; ++t) {
        auto votes = [&](unsigned i) { return i % 64 >= from; };
        unsigned m = block.ballot(t, votes);
        expected[t * 4] = oracle::bits(m);
        expected[t * 4 + 1] = m ? __builtin_ctz(m) : ~0u;
        expected[t * 4 + 2] = m ? 31 - __builtin_clz(m) : ~0u;
        expected[t * 4 + 3] = block.lanes(t, votes) != 0;
      }
      return expected;
    };
    bad |= oracle::compare(out, at(oracle::width()));
    if (from > 0) bad |= oracle::differs(at(32), at(64));
    cudaFree(out);
  }
  return bad;
}
