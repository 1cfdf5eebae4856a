// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W07: in a block of 32 x n threads each row is meant to be a warp. At 64 lanes two rows are one: the sum of a row comes
// out as that of the row and its neighbour, and the count of a ballot holds only the even row's votes.
#include "oracle.h"
__global__ void kernel(unsigned* out) {
  unsigned value = threadIdx.y * 100 + threadIdx.x;
  unsigned sum = __reduce_add_sync(0xffffffffu, value);
  unsigned votes = __popc(__ballot_sync(0xffffffffu, threadIdx.x <= threadIdx.y));
  if (threadIdx.x == 0) {
    out[threadIdx.y * 2] = sum;
    out[threadIdx.y * 2 + 1] = votes;
  }
}
int main() {
  const unsigned rows = 6;
  unsigned* out = oracle::output(rows * 2);
  kernel<<<1, dim3(32, rows)>>>(out);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Values expected(rows * 2);
    for (unsigned y = 0; y < rows; ++y) {
      auto rowSum = [](unsigned row) { return row * 100 * 32 + 31 * 32 / 2; };
      expected[y * 2] = width == 32 ? rowSum(y) : rowSum(y) + rowSum(y ^ 1);
      expected[y * 2 + 1] = width == 32 ? y + 1 : (y & ~1u) + 1;
    }
    return expected;
  });
}
