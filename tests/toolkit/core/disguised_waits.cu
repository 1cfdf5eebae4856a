// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waiting loops that do not look like one: the flag is an ordinary variable, read anew behind a fence; the loop ends by a
// local that is set under a condition; the read hides two functions deep. Each thread waits for the next one.
#include "check.h"
__global__ void fenced(unsigned* flag, unsigned* out) {
  unsigned t = threadIdx.x;
  if (t + 1 < blockDim.x) {
    while (flag[t + 1] == 0) __threadfence();
  }
  out[t] = t + 1 < blockDim.x ? out[t + 1] + 1 : 1;
  __threadfence();
  flag[t] = 1;
}
__global__ void underCondition(volatile unsigned* flag, unsigned* out) {
  unsigned t = threadIdx.x;
  bool done = false;
  while (!done) {
    if (t + 1 == blockDim.x || flag[t + 1] != 0) {
      flag[t] = 1;
      done = true;
    }
  }
  out[t] = flag[t];
}
__device__ unsigned look(unsigned* flag) { return atomicAdd(flag, 0u); }
__device__ bool isSet(unsigned* flag) { return look(flag) != 0; }
__global__ void hidden(unsigned* flag, unsigned* out) {
  unsigned t = threadIdx.x;
  for (bool waits = t + 1 < blockDim.x; waits; waits = !isSet(flag + t + 1)) {
  }
  atomicExch(flag + t, 1u);
  out[t] = t;
}
int main() {
  unsigned* words = toDevice(std::vector<unsigned>(512, 0));
  fenced<<<1, 128>>>(words, words + 200);
  auto got = toHost(words + 200, 128);
  for (unsigned t = 0; t < 128; ++t) checkEqual("fenced", t, got[t], 128 - t);
  SUCCEEDS(cudaMemset(words, 0, 512 * 4));
  underCondition<<<1, 128>>>(words, words + 200);
  got = toHost(words + 200, 128);
  for (unsigned t = 0; t < 128; ++t) checkEqual("underCondition", t, got[t], 1);
  SUCCEEDS(cudaMemset(words, 0, 512 * 4));
  hidden<<<1, 128>>>(words, words + 200);
  got = toHost(words + 200, 128);
  for (unsigned t = 0; t < 128; ++t) checkEqual("hidden", t, got[t], t);
  return wrongs() != 0;
}
