// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W03: one kernel asks the device, another one reaches a stale constant of 32. Both agree at 32 lanes only.
#include "oracle.h"
constexpr unsigned WARP_SIZE = 32;
__global__ void kernel(unsigned* out) {
  unsigned v = threadIdx.x + 1;
  unsigned fresh = v, stale = v;
  for (unsigned o = warpSize / 2; o > 0; o >>= 1) fresh += __shfl_xor_sync(0xffffffffu, fresh, o);
  for (unsigned o = WARP_SIZE / 2; o > 0; o >>= 1) stale += __shfl_xor_sync(0xffffffffu, stale, o);
  out[threadIdx.x * 3] = fresh;
  out[threadIdx.x * 3 + 1] = stale;
  out[threadIdx.x * 3 + 2] = threadIdx.x / WARP_SIZE == threadIdx.x / warpSize;
}
int main() {
  const unsigned threads = 256;
  unsigned* out = oracle::output(threads * 3);
  kernel<<<1, threads>>>(out);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Values expected(threads * 3);
    for (unsigned t = 0; t < threads; ++t) {
      auto sum = [&](unsigned lanes) { return lanes * (t / lanes * lanes) + lanes * (lanes + 1) / 2; };
      expected[t * 3] = sum(width);
      expected[t * 3 + 1] = sum(32);
      expected[t * 3 + 2] = t / 32 == t / width;
    }
    return expected;
  });
}
