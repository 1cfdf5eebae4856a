// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W02: a block reduction stages one sum for each 32 threads and reads `blockDim.x / 32` of them. At 64 lanes every second
// slot was never written: the poison of fresh shared memory shows in the result.
#include "oracle.h"
__global__ void kernel(unsigned* out) {
  __shared__ unsigned staged[32];
  unsigned v = threadIdx.x * 3 + blockIdx.x;
  for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  if (threadIdx.x % warpSize == 0) staged[threadIdx.x >> 5] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned total = 0;
    for (unsigned i = 0; i < blockDim.x / 32; ++i) total += staged[i];
    out[blockIdx.x] = total;
  }
}
int main() {
  const unsigned threads = 256, blocks = 5;
  unsigned* out = oracle::output(blocks);
  kernel<<<blocks, threads>>>(out);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Values expected(blocks, 0);
    for (unsigned b = 0; b < blocks; ++b) {
      unsigned staged[8];
      for (unsigned& slot : staged) slot = oracle::kPoison;
      for (unsigned t = 0; t < threads; t += width) {
        staged[t / 32] = 0;
        for (unsigned i = 0; i < width; ++i) staged[t / 32] += (t + i) * 3 + b;
      }
      for (unsigned slot : staged) expected[b] += slot;
    }
    return expected;
  });
}
