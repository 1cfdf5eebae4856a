// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// M03: masks made with 32-bit shifts by a lane number. Shifts by 32 and more wrap, as the hardware does, so that lanes 32
// to 63 get the masks of lanes 0 to 31, and their groups the leaders of the lower half; also when the optimiser sees all
// of the shift.
#include "oracle.h"
__global__ void kernel(unsigned* out) {
  unsigned lane = threadIdx.x % warpSize, *own = out + threadIdx.x * 5;
  own[0] = 1u << lane;
  own[1] = 0xffu << (lane & ~7u);
  own[2] = 0xffffffffu >> lane;
  own[3] = unsigned(int(0x80000000u) >> lane);
  unsigned unrolled = 0;
#pragma unroll
  for (unsigned i = 0; i < 64; ++i) {
    if (i == lane) unrolled = (1u << i) | 1u;
  }
  own[4] = unrolled;
}
__global__ void vectors(unsigned* out, unsigned n) {
  for (unsigned i = 0; i < n; ++i) out[i] = 3u << i;
}
int main() {
  const unsigned threads = 128;
  unsigned* out = oracle::output(threads * 5);
  kernel<<<1, threads>>>(out);
  unsigned width = oracle::width();
  oracle::Values expected(threads * 5);
  for (unsigned t = 0; t < threads; ++t) {
    unsigned lane = t % width, by = lane % 32;  // the same patterns again at lanes 32 to 63
    unsigned own[5] = {1u << by, 0xffu << (lane & ~7u) % 32, 0xffffffffu >> by, unsigned(int(0x80000000u) >> by),
                       (1u << by) | 1u};
    for (unsigned i = 0; i < 5; ++i) expected[t * 5 + i] = own[i];
  }
  int bad = oracle::compare(out, expected);
  unsigned* more = oracle::output(100);
  vectors<<<1, 1>>>(more, 100);
  oracle::Values wrapped(100);
  for (unsigned i = 0; i < 100; ++i) wrapped[i] = 3u << i % 32;
  return bad | oracle::compare(more, wrapped);
}
