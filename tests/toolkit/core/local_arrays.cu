// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of 64 KB for each thread, kept over barriers and warp functions; threads of several blocks have their own. One
// of 480 KB, nearly all that CUDA allows.
#include "check.h"
enum { kWords = 16384, kThreads = 96 };
__global__ void fill(unsigned* out) {
  unsigned local[kWords], t = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i < kWords; ++i) local[i] = i * (t + 1);
  __syncthreads();
  unsigned other = __shfl_xor_sync(0xffffffffu, local[t % kWords], 1), sum = 0;
  for (unsigned i = 0; i < kWords; ++i) sum += local[(i * 17 + t) % kWords];
  __syncthreads();
  out[t * 3] = sum;
  out[t * 3 + 1] = other;
  out[t * 3 + 2] = local[t * 100 % kWords];
}
__global__ void large(unsigned* out) {
  unsigned local[122880], t = threadIdx.x;
  for (unsigned i = 0; i < 122880; ++i) local[i] = i * (t + 3);
  __syncthreads();
  out[t] = local[t * 3001 % 122880] + __shfl_xor_sync(0xffffffffu, local[122879 - t], 2);
}
__global__ void alone(unsigned* out, unsigned n) {
  unsigned local[kWords], t = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i < n; ++i) local[i] = i ^ t;
  out[t] = local[(t * 7919) % n];
}
int main() {
  const unsigned all = kThreads * 3;
  unsigned* out = toDevice(std::vector<unsigned>(all * 3, 0));
  fill<<<3, kThreads>>>(out);
  auto got = toHost(out, all * 3);
  for (unsigned t = 0; t < all; ++t) {
    checkEqual("sum", t, got[t * 3], (t + 1) * (kWords / 2 * (kWords - 1)));
    checkEqual("other", t, got[t * 3 + 1], (t ^ 1) * ((t ^ 1) + 1));
    checkEqual("kept", t, got[t * 3 + 2], t * 100 % kWords * (t + 1));
  }
  alone<<<3, kThreads>>>(out, kWords);
  got = toHost(out, all);
  for (unsigned t = 0; t < all; ++t) checkEqual("alone", t, got[t], t * 7919 % kWords ^ t);
  large<<<1, 40>>>(out);
  got = toHost(out, 40);
  for (unsigned t = 0; t < 40; ++t) {
    checkEqual("large", t, got[t], t * 3001 % 122880 * (t + 3) + (122879 - (t ^ 2)) * ((t ^ 2) + 3));
  }
  return wrongs() != 0;
}
