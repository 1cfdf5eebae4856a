// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 32
//
// Code from before Volta: the last steps of a reduction rely on a warp's lanes running together, with volatile shared
// memory and no barrier. Hardware does what its authors meant, so must we. (At 64 lanes one warp does steps that were
// meant for two, which is the program's own fault.)
#include <cstdio>

__device__ void lastSteps(volatile int* s, int t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}

__global__ void sum(const int* in, int* out) {
  __shared__ int s[256 + 32];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int half = 128; half > 32; half >>= 1) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t < 32) lastSteps(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}

// A plain store behind a volatile read: all lanes have read before the first one writes.
__global__ void exchange(int* out) {
  __shared__ int s[32];
  volatile int* row = s;
  int t = threadIdx.x;
  row[t] = t * 3;
  int other = row[(t + 5) % 32];
  s[t] = 1000 + t;
  __syncthreads();
  out[t] = other * 10000 + s[(t + 1) % 32];
}

int main() {
  int host[512], result[2] = {0, 0}, expected[2] = {0, 0};
  for (int i = 0; i < 512; ++i) expected[i / 256] += host[i] = i * 7 % 101;
  int *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sum<<<2, 256>>>(in, out);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d %d, expected %d %d\n", result[0], result[1], expected[0], expected[1]);
  int exchanged[32], wrong = 0;
  exchange<<<1, 32>>>(out);
  cudaMemcpy(exchanged, out, sizeof exchanged, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; ++t) wrong += exchanged[t] != (t + 5) % 32 * 3 * 10000 + 1000 + (t + 1) % 32;
  std::printf("%d exchanged wrongly\n", wrong);
  return result[0] != expected[0] || result[1] != expected[1] || wrong != 0;
}
