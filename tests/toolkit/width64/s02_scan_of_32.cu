// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// S02: a prefix scan guarded by a lane number modulo 32. At 64 lanes the second half of a warp takes values from the first
// one where the guard lets it, never enough of them: the scan is neither one of 64 nor two of 32.
#include "oracle.h"
__global__ void kernel(unsigned* out) {
  unsigned t = threadIdx.x, v = t % 9 + 1;
  for (unsigned d = 1; d < warpSize; d *= 2) {
    unsigned below = __shfl_up_sync(0xffffffffu, v, d);
    if ((t & 31) >= d) v += below;
  }
  out[t * 2] = v;
  unsigned whole = t % 9 + 1;
  for (unsigned d = 1; d < 32; d *= 2) {
    unsigned below = __shfl_up_sync(0xffffffffu, whole, d);
    if (t % warpSize >= d) whole += below;
  }
  out[t * 2 + 1] = whole;
}
int main() {
  const unsigned threads = 160;
  unsigned* out = oracle::output(threads * 2);
  kernel<<<1, threads>>>(out);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Block block{threads, width};
    auto scan = [&](unsigned limit, unsigned guard) {
      oracle::Values v = block.each([](unsigned t) { return t % 9 + 1; });
      for (unsigned d = 1; d < limit; d *= 2) {
        v = block.each([&](unsigned t) { return v[t] + (t % guard >= d ? block.up(v, t, d, width) : 0); });
      }
      return v;
    };
    oracle::Values byGuard = scan(width, 32), byDepth = scan(32, width), expected;
    for (unsigned t = 0; t < threads; ++t) {
      expected.push_back(byGuard[t]);
      expected.push_back(byDepth[t]);
    }
    return expected;
  });
}
