// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block barriers when some threads have left, when they stand in both branches of an `if`, and in loops whose conditions
// differ between warps although all of them pass as many barriers.
#include "check.h"
enum { kThreads = 192 };
__global__ void leave(unsigned* out, unsigned rounds) {
  __shared__ unsigned sum[8];
  if (threadIdx.x < 8) sum[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = 0; i < rounds; ++i) {
    if (threadIdx.x % (rounds + 1) == i) return;  // a few lanes of every warp leave in each round
    atomicAdd(&sum[i], 1u);
    __syncthreads();
    out[i * kThreads + threadIdx.x] = sum[i];
  }
}
__global__ void branches(unsigned* out) {
  __shared__ unsigned s[kThreads];
  if (threadIdx.x < 64) {
    s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[kThreads - 1 - threadIdx.x];
  } else {
    s[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = s[kThreads - 1 - threadIdx.x];
  }
}
__global__ void loops(unsigned* out) {
  __shared__ unsigned total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  unsigned rounds = 0;
  if (threadIdx.x / 64 == 0) {
    for (int i = 0; i < 6; ++i, ++rounds) { atomicAdd(&total, 1u); __syncthreads(); }
  } else {
    for (int i = 12; i > 0; i -= 2) { ++rounds; atomicAdd(&total, 1u); __syncthreads(); }
  }
  while (__syncthreads_or(rounds < 6 + threadIdx.x % 3)) ++rounds;  // ends for all in the same round
  out[threadIdx.x] = total * 100 + rounds;
}
__global__ void votes(unsigned* out) {
  if (threadIdx.x % 3 == 0) return;
  unsigned live = __syncthreads_count(1), even = __syncthreads_count(threadIdx.x % 2 == 0);
  unsigned all = __syncthreads_and(threadIdx.x % 3 != 0), any = __syncthreads_or(threadIdx.x == 1);
  unsigned none = __syncthreads_or(threadIdx.x == 0);
  out[threadIdx.x] = live + 1000 * even + 1000000 * all + 2000000 * any + 4000000 * none;
}
int main() {
  unsigned* out = toDevice(std::vector<unsigned>(kThreads * 8, 0));
  leave<<<1, kThreads>>>(out, 4);
  auto got = toHost(out, kThreads * 8);
  for (unsigned i = 0; i < 4; ++i) {
    unsigned left = 0;
    for (unsigned t = 0; t < kThreads; ++t) left += t % 5 > i;
    for (unsigned t = 0; t < kThreads; ++t) checkEqual("leave", t, got[i * kThreads + t], t % 5 > i ? left : 0);
  }
  branches<<<3, kThreads>>>(out);
  got = toHost(out, kThreads);
  for (unsigned t = 0; t < kThreads; ++t) checkEqual("branches", t, got[t], kThreads - 1 - t < 64 ? 1 : 2);
  loops<<<1, kThreads>>>(out);
  got = toHost(out, kThreads);
  for (unsigned t = 0; t < kThreads; ++t) checkEqual("loops", t, got[t], kThreads * 6 * 100 + 8);
  SUCCEEDS(cudaMemset(out, 0, kThreads * 4));
  votes<<<1, kThreads>>>(out);
  got = toHost(out, kThreads);
  for (unsigned t = 0; t < kThreads; ++t) checkEqual("votes", t, got[t], t % 3 ? 128 + 64000 + 3000000 : 0);
  return wrongs() != 0;
}
