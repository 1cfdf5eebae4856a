// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W06: a shuffle tree starts at 16 and the "last" lane is 31. A sum of ones over 64 lanes gives 32, and the broadcast of
// an inclusive scan takes its middle.
#include "oracle.h"
__global__ void kernel(unsigned* out) {
  unsigned sum = 1;
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  out[threadIdx.x * 2] = threadIdx.x % warpSize == 0 ? sum : 0;
  unsigned scan = threadIdx.x % 5;
  for (unsigned d = 1; d < warpSize; d *= 2) {
    unsigned below = __shfl_up_sync(0xffffffffu, scan, d);
    if (threadIdx.x % warpSize >= d) scan += below;
  }
  out[threadIdx.x * 2 + 1] = __shfl_sync(0xffffffffu, scan, 31);
}
int main() {
  const unsigned threads = 192;
  unsigned* out = oracle::output(threads * 2);
  kernel<<<1, threads>>>(out);
  auto at = [&](unsigned width) {
    oracle::Values expected(threads * 2);
    for (unsigned t = 0; t < threads; ++t) {
      expected[t * 2] = t % width == 0 ? 32 : 0;  // never 64
      unsigned first = t / width * width, scan = 0;
      for (unsigned i = first; i <= first + 31; ++i) scan += i % 5;
      expected[t * 2 + 1] = scan;
    }
    return expected;
  };
  return oracle::judge(out, at);
}
