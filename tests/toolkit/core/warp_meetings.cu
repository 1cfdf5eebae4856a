// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 32
//
// Warp functions that name their lanes: `__syncwarp` from two places in the program, groups by key that reduce at the same
// time, a mask carried through loops of different length, halves that hand data to each other through shared memory.
#include "check.h"
enum { kThreads = 96 };
__global__ void twoPlaces(unsigned* out) {
  __shared__ unsigned s[kThreads];
  unsigned t = threadIdx.x, lane = t % 32;
  if (lane < 16) {
    s[t] = t * 2;
    __syncwarp();
    out[t] = s[t + 16];
    __syncwarp();
  } else {
    s[t] = t * 3;
    __syncwarp();
    out[t] = s[t - 16];
    __syncwarp();
  }
}
__global__ void byKey(unsigned* out) {
  unsigned t = threadIdx.x, key = t * 7 % 5;
  unsigned peers = __match_any_sync(0xffffffffu, key);
  unsigned sum = 0, most = 0, rounds = 0;
  for (unsigned i = 0; i <= key; ++i, ++rounds) {  // groups leave at different times
    sum += __reduce_add_sync(peers, t + i);
    most = __reduce_max_sync(peers, t);
    __syncwarp(peers);
  }
  unsigned first = __shfl_sync(peers, t, __ffs(peers) - 1);
  int same = 0;
  __match_all_sync(peers, key, &same);
  out[t * 4] = sum;
  out[t * 4 + 1] = most * 10 + rounds;
  out[t * 4 + 2] = first;
  out[t * 4 + 3] = same + 2 * __any_sync(peers, t == 31) + 4 * __all_sync(peers, t % 32 < 30);
}
__global__ void pipeline(unsigned* out) {
  __shared__ unsigned slot[3];
  unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, sum = 0;
  for (unsigned i = 0; i < 20; ++i) {
    if (lane == 7) slot[warp] = i * i + warp;
    __syncwarp();
    sum += slot[warp];
    __syncwarp();
  }
  out[threadIdx.x] = sum;
}
__global__ void shrinking(unsigned* out) {
  unsigned lane = threadIdx.x % 32, mask = 0xffffffffu, steps = 0, trace = 0;
  while (true) {
    mask = __ballot_sync(mask, steps < lane % 6);
    if (steps >= lane % 6) break;
    trace = trace * 33 + __popc(mask);
    ++steps;
  }
  __syncwarp();
  out[threadIdx.x] = trace + __shfl_down_sync(0xffffffffu, steps, 1);
}
int main() {
  unsigned* out = toDevice(std::vector<unsigned>(kThreads * 4, 0));
  twoPlaces<<<1, kThreads>>>(out);
  auto got = toHost(out, kThreads * 4);
  for (unsigned t = 0; t < kThreads; ++t) checkEqual("twoPlaces", t, got[t], t % 32 < 16 ? (t + 16) * 3 : (t - 16) * 2);
  byKey<<<1, kThreads>>>(out);
  got = toHost(out, kThreads * 4);
  for (unsigned t = 0; t < kThreads; ++t) {
    unsigned key = t * 7 % 5, base = t / 32 * 32, sum = 0, most = 0, first = ~0u, any = 0, all = 1;
    for (unsigned o = base; o < base + 32; ++o) {
      if (o * 7 % 5 != key) continue;
      for (unsigned i = 0; i <= key; ++i) sum += o + i;
      most = o;
      first = first == ~0u ? o : first;
      any |= o == 31;
      all &= o % 32 < 30;
    }
    checkEqual("sum", t, got[t * 4], sum);
    checkEqual("most", t, got[t * 4 + 1], most * 10 + key + 1);
    checkEqual("first", t, got[t * 4 + 2], first);
    checkEqual("votes", t, got[t * 4 + 3], 1 + 2 * any + 4 * all);
  }
  pipeline<<<1, kThreads>>>(out);
  got = toHost(out, kThreads);
  for (unsigned t = 0; t < kThreads; ++t) checkEqual("pipeline", t, got[t], 2470 + 20 * (t / 32));
  shrinking<<<1, kThreads>>>(out);
  got = toHost(out, kThreads);
  for (unsigned t = 0; t < kThreads; ++t) {
    unsigned lane = t % 32, trace = 0;
    for (unsigned step = 0; step < lane % 6; ++step) {
      unsigned members = 0;
      for (unsigned o = 0; o < 32; ++o) members += o % 6 > step;
      trace = trace * 33 + members;
    }
    checkEqual("shrinking", t, got[t], trace + (lane < 31 ? lane + 1 : lane) % 6);
  }
  return wrongs() != 0;
}
