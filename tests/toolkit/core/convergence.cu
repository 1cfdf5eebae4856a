// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Active masks where the lanes that are converged are plain to see: in both branches of an `if`, in nested ones, behind
// them, in the rounds of a loop that lanes leave one after the other, in functions called from two branches. The host
// computes the masks from the lane numbers.
#include <cstdio>
#include <vector>
enum { kThreads = 160, kWords = 9 };
__device__ unsigned lanesHere() { return __activemask(); }
__device__ unsigned twice(bool odd) { return odd ? lanesHere() : lanesHere() ^ 1u; }
__global__ void observe(unsigned* out) {
  unsigned lane = threadIdx.x % warpSize;
  unsigned* own = out + threadIdx.x * kWords;
  if (lane % 2) {
    own[0] = __activemask();
    if (lane % 4 == 1) own[1] = __activemask();
  } else {
    own[0] = __activemask();
  }
  own[2] = __activemask();
  for (unsigned i = 0; i < lane % 3; ++i) own[3 + i] = __activemask();
  own[5] = lanesHere();
  own[6] = twice(lane % 5 == 0);
  if (lane % 7 == 0) own[7] = lanesHere();
  else own[7] = lanesHere();
  own[8] = __activemask();
}
template <class Test>
unsigned mask(unsigned thread, int width, Test test) {
  unsigned first = thread / width * width, lanes = 0;
  for (unsigned i = 0; i < 32 && first + i < kThreads; ++i) lanes |= unsigned(test(i)) << i;
  return lanes;
}
int main() {
  unsigned* out;
  cudaMalloc(&out, kThreads * kWords * 4);
  cudaMemset(out, 0, kThreads * kWords * 4);
  observe<<<1, kThreads>>>(out);
  std::vector<unsigned> got(kThreads * kWords);
  cudaMemcpy(got.data(), out, got.size() * 4, cudaMemcpyDeviceToHost);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  int width = properties.warpSize, bad = 0;
  for (unsigned t = 0; t < kThreads; ++t) {
    unsigned lane = t % width;
    auto all = [](unsigned) { return true; };
    unsigned expected[kWords] = {
        mask(t, width, [&](unsigned i) { return i % 2 == lane % 2; }),
        lane % 4 == 1 ? mask(t, width, [](unsigned i) { return i % 4 == 1; }) : 0,
        mask(t, width, all),
        lane % 3 > 0 ? mask(t, width, [](unsigned i) { return i % 3 > 0; }) : 0,
        lane % 3 > 1 ? mask(t, width, [](unsigned i) { return i % 3 > 1; }) : 0,
        mask(t, width, all),
        lane % 5 == 0 ? mask(t, width, [](unsigned i) { return i % 5 == 0; })
                      : mask(t, width, [](unsigned i) { return i % 5 != 0; }) ^ 1u,
        mask(t, width, [&](unsigned i) { return (i % 7 == 0) == (lane % 7 == 0); }),
        mask(t, width, all)};
    for (int i = 0; i < kWords; ++i) {
      if (got[t * kWords + i] == expected[i]) continue;
      if (bad++ < 10) printf("thread %u word %d: %08x, expected %08x\n", t, i, got[t * kWords + i], expected[i]);
    }
  }
  return bad != 0;
}
