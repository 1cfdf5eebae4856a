// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W05: a warp walks over its tile with a stride of 32. Started from 64 lanes, nearly every element is visited twice, and
// lanes past the tile's end reach into the next one: a map of visits shows it.
#include "oracle.h"
__global__ void kernel(unsigned* visits, unsigned elements) {
  unsigned lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  for (unsigned i = lane; i < 100; i += 32) {
    unsigned place = warp * 100 + i;
    if (place < elements) atomicAdd(&visits[place], 1u);
  }
}
int main() {
  const unsigned threads = 160, elements = 500;
  unsigned* out = oracle::output(elements);
  cudaMemset(out, 0, elements * 4);
  kernel<<<1, threads>>>(out, elements);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Values expected(elements, 0);
    for (unsigned t = 0; t < threads; ++t) {
      for (unsigned i = t % width; i < 100; i += 32) ++expected[t / width * 100 + i];
    }
    return expected;
  });
}
