// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C06: a cooperative grid sized by a guess of two blocks for each multiprocessor: all its blocks run at once, and each sum
// over the grid is exact, whatever the order of the blocks. Sums by warps of 32 are staged by the width at hand.
#include "oracle.h"
__global__ void kernel(unsigned* stage, unsigned* out) {
  unsigned t = threadIdx.x, warps = blockDim.x / warpSize, slot = blockIdx.x * 4 + t / warpSize;
  unsigned sum = __reduce_add_sync(0xffffffffu, blockIdx.x * blockDim.x + t);
  if (t % warpSize == 0) stage[slot] = sum;
  __uw_grid_sync();
  unsigned from = (blockIdx.x + 1) % gridDim.x, total = 0;
  for (unsigned w = 0; w < 4; ++w) total += w < warps || t == 0 ? stage[from * 4 + w] : 0;
  if (t < 2) out[blockIdx.x * 2 + t] = total;  // thread 0 reads all four slots, as code for 32 lanes does
}
int main() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  unsigned blocks = 2 * properties.multiProcessorCount;
  const unsigned threads = 128;
  unsigned *stage = oracle::output(blocks * 4), *out = oracle::output(blocks * 2);
  void* arguments[] = {&stage, &out};
  cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), arguments);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Values expected(blocks * 2);
    for (unsigned b = 0; b < blocks; ++b) {
      unsigned first = (b + 1) % blocks * threads, sum = threads * first + threads * (threads - 1) / 2;
      expected[b * 2] = sum + (4 - threads / width) * oracle::kFill;
      expected[b * 2 + 1] = sum;
    }
    return expected;
  });
}
