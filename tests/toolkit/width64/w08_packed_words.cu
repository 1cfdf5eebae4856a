// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W08: one ballot is stored as one word of a bit-packed mask. At 64 lanes a warp owns two words and writes one: those for
// the upper halves keep what they held.
#include "oracle.h"
__global__ void pack(const unsigned* in, unsigned* words, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned word = __ballot_sync(0xffffffffu, i < n && in[i] % 3 == 0);
  if (i % warpSize == 0) words[i / 32] = word;
}
int main() {
  const unsigned n = 1000, threads = 256, blocks = 4;
  oracle::Values in(n);
  for (unsigned i = 0; i < n; ++i) in[i] = i * 2654435761u >> 7;
  unsigned *device = oracle::output(n), *out = oracle::output(threads * blocks / 32);
  cudaMemcpy(device, in.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, threads * blocks / 8);
  pack<<<blocks, threads>>>(device, out, n);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Values expected(threads * blocks / 32, 0);
    for (unsigned i = 0; i < n; ++i) {
      if (i % width < 32 && in[i] % 3 == 0) expected[i / 32] |= 1u << i % 32;
    }
    return expected;
  });
}
