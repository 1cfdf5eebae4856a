// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic shared memory: one array read as several types and carved into parts, names of different types for the same
// memory, static arrays beside it, and sizes that change from launch to launch, up to 48 KB.
#include "check.h"
struct alignas(16) Wide {
  double a;
  unsigned b, c;
};
extern __shared__ char bytes[];
extern __shared__ double doubles[];
extern __shared__ Wide wides[];
template <class T>
__device__ T* carve(size_t& at, unsigned count) {
  at = (at + alignof(T) - 1) / alignof(T) * alignof(T);
  T* part = reinterpret_cast<T*>(bytes + at);
  at += sizeof(T) * count;
  return part;
}
__global__ void parts(unsigned* out) {
  __shared__ unsigned fixed[32];
  __shared__ unsigned char odd[13];
  unsigned t = threadIdx.x, n = blockDim.x;
  size_t at = 0;
  char* letters = carve<char>(at, n + 1);
  double* reals = carve<double>(at, n);
  unsigned short* shorts = carve<unsigned short>(at, n);
  Wide* pairs = carve<Wide>(at, n);
  letters[t] = char(t);
  reals[t] = t * 0.5;
  shorts[t] = static_cast<unsigned short>(t * 3);
  pairs[t] = {t * 2.0, t, t + 1};
  if (t < 32) fixed[t] = t + 100;
  if (t < 13) odd[t] = static_cast<unsigned char>(t + 200);
  __syncthreads();
  unsigned o = n - 1 - t;
  out[t] = letters[o] + unsigned(reals[o] * 2) + shorts[o] + unsigned(pairs[o].a) + pairs[o].b + pairs[o].c +
           fixed[t % 32] + odd[t % 13];
}
__global__ void sameMemory(unsigned* out) {
  wides[threadIdx.x] = {1.0 + threadIdx.x, 7, threadIdx.x};
  __syncthreads();
  out[threadIdx.x] = unsigned(doubles[2 * threadIdx.x]) + reinterpret_cast<unsigned*>(bytes)[4 * threadIdx.x + 3];
}
__global__ void reverse(unsigned* data, unsigned n) {
  extern __shared__ unsigned words[];
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) words[i] = data[i];
  __syncthreads();
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) data[i] = words[n - 1 - i];
}
int main() {
  const unsigned threads = 64;
  unsigned* out = toDevice(std::vector<unsigned>(threads, 0));
  parts<<<2, threads, threads * 40>>>(out);
  auto got = toHost(out, threads);
  for (unsigned t = 0; t < threads; ++t) {
    unsigned o = threads - 1 - t;
    checkEqual("parts", t, got[t], o + o + o * 3 + o * 2 + o + o + 1 + t % 32 + 100 + t % 13 + 200);
  }
  sameMemory<<<1, threads, threads * sizeof(Wide)>>>(out);
  got = toHost(out, threads);
  for (unsigned t = 0; t < threads; ++t) checkEqual("sameMemory", t, got[t], 1 + t + t);
  for (unsigned n : {1u, 100u, 4097u, 12288u}) {
    std::vector<unsigned> data(n);
    for (unsigned i = 0; i < n; ++i) data[i] = i * 3;
    unsigned* d = toDevice(data);
    reverse<<<1, 128, n * 4>>>(d, n);
    SUCCEEDS(cudaGetLastError());
    auto back = toHost(d, n);
    for (unsigned i = 0; i < n; ++i) checkEqual("reverse", i, back[i], (n - 1 - i) * 3);
  }
  return wrongs() != 0;
}
