// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C03: a warp-level reduction whose width is that of the device, with one result for each 32 threads. Of four sums of 32,
// 64 lanes make two of 64, and the others keep their poison; spelled with a width of 32 it is right at both.
#include "oracle.h"
struct WarpReduce {
  unsigned& storage;
  unsigned width;
  __device__ unsigned sum(unsigned v) const {
    for (unsigned o = width / 2; o > 0; o /= 2) v += __shfl_down_sync(0xffffffffu, v, o, width);
    if (threadIdx.x % width == 0) storage = v;
    return v;
  }
};
__global__ void kernel(unsigned* out) {
  __shared__ unsigned storage[4], right[4];
  unsigned t = threadIdx.x;
  WarpReduce{storage[t / 32], unsigned(warpSize)}.sum(t);
  WarpReduce{right[t / 32], 32}.sum(t);
  __syncthreads();
  if (t < 4) {
    out[t] = storage[t];
    out[4 + t] = right[t];
  }
}
int main() {
  unsigned* out = oracle::output(8);
  kernel<<<1, 128>>>(out);
  return oracle::judge(out, [](unsigned width) {
    oracle::Values expected(8, oracle::kPoison);
    auto sum = [](unsigned first, unsigned count) { return count * first + count * (count - 1) / 2; };
    for (unsigned t = 0; t < 128; t += width) expected[t / 32] = sum(t, width);
    for (unsigned i = 0; i < 4; ++i) expected[4 + i] = sum(i * 32, 32);
    return expected;
  });
}
