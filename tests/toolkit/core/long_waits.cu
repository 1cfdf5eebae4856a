// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 32
// tiers: auto
//
// What only looks like a run that cannot progress: a kernel that waits longer than the limit for one that computes in
// another stream, and a queue that threads empty in a loop without any meeting, each round of which takes long.
#include "check.h"
__device__ unsigned work(long long nanoseconds) {
  unsigned x = 1;
  for (long long start = clock64(); clock64() - start < nanoseconds;) x = x * 1664525 + 1013904223;
  return x;
}
__global__ void waits(volatile unsigned* flag, unsigned* out) {
  while (*flag == 0) {
  }
  *out = 1;
}
__global__ void computes(volatile unsigned* flag, unsigned* out) {
  *out = work(7500000000ll);
  __threadfence();
  *flag = 1;
}
__device__ bool take(unsigned* next, long long until, unsigned* item) {
  if (clock64() > until) return false;
  *item = atomicAdd(next, 1u);
  return true;
}
__global__ void queue(unsigned* next, unsigned* out) {
  unsigned item = 0;
  long long until = clock64() + 7500000000ll;
  while (take(next, until, &item)) {
    work(1000000ll);
    atomicAdd(out, item);
  }
}
int main() {
  unsigned* words = toDevice(std::vector<unsigned>(8, 0));
  cudaStream_t first, second;
  SUCCEEDS(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  SUCCEEDS(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  waits<<<1, 1, 0, first>>>(words, words + 1);
  computes<<<1, 1, 0, second>>>(words, words + 2);
  SUCCEEDS(cudaDeviceSynchronize());
  checkEqual("waits", 0, toHost(words + 1, 1)[0], 1);
  queue<<<1, 2>>>(words + 4, words + 5);
  auto got = toHost(words + 4, 2);
  checkEqual("queue", 0, got[1], got[0] * (got[0] - 1) / 2);
  CHECK(got[0] > 0);
  return wrongs() != 0;
}
