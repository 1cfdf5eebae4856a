// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// M08: a wrapper gives back the low 32 bits of a vote to each row of 32 threads. At 64 lanes odd rows get the votes of the
// even row that shares their warp.
#include "oracle.h"
__device__ unsigned rowVote(bool predicate) { return __ballot_sync(0xffffffffu, predicate); }
__global__ void kernel(unsigned* hits, unsigned* masks) {
  unsigned row = rowVote((threadIdx.x + 1) % (threadIdx.y + 2) == 0);
  masks[threadIdx.y * 32 + threadIdx.x] = row;
  if (threadIdx.x == 0) hits[threadIdx.y] = __popc(row);
}
int main() {
  const unsigned rows = 7;
  unsigned* out = oracle::output(rows * 33);
  kernel<<<1, dim3(32, rows)>>>(out, out + rows);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Values expected(rows * 33);
    for (unsigned y = 0; y < rows; ++y) {
      unsigned voting = width == 64 ? y & ~1u : y, mask = 0;
      for (unsigned x = 0; x < 32; ++x) mask |= unsigned((x + 1) % (voting + 2) == 0) << x;
      expected[y] = oracle::bits(mask);
      for (unsigned x = 0; x < 32; ++x) expected[rows + y * 32 + x] = mask;
    }
    return expected;
  });
}
