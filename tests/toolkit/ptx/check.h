// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel, one thread block, one table of results: every test of inline PTX writes pairs (got, wanted) and main
// counts the pairs that differ.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Pair {
  unsigned long long got;
  unsigned long long wanted;
};

constexpr int kPairs = 128;

template <class T>
__device__ unsigned long long rawBits(T value) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  return bits;
}

struct Report {
  Pair* pairs;
  int next = 0;

  template <class T>
  __device__ void same(T got, T wanted) {
    if (next < kPairs) pairs[next] = {rawBits(got), rawBits(wanted)};
    ++next;
  }
};

inline int differing(const Pair* pairs, int count) {
  int bad = 0;
  for (int i = 0; i < count; ++i) {
    if (pairs[i].got == pairs[i].wanted) continue;
    if (++bad < 20) printf("pair %d: got %llx, wanted %llx\n", i, pairs[i].got, pairs[i].wanted);
  }
  return bad;
}

#define CHECK_MAIN(KERNEL, COUNT, THREADS)                                                  \
  int main() {                                                                              \
    static_assert((COUNT) <= kPairs);                                                       \
    Pair* pairs = nullptr;                                                                  \
    size_t bytes = sizeof(Pair) * kPairs * (THREADS);                                       \
    Pair* host = static_cast<Pair*>(malloc(bytes));                                         \
    cudaMalloc(&pairs, bytes);                                                              \
    KERNEL<<<1, THREADS>>>(pairs, 77u, -77, 1234567890123ll, 2.75f, -3.7, 0.1f);            \
    cudaError_t error = cudaMemcpy(host, pairs, bytes, cudaMemcpyDeviceToHost);             \
    if (error == cudaSuccess) error = cudaGetLastError();                                   \
    int bad = error != cudaSuccess;                                                         \
    if (bad) printf("%s\n", cudaGetErrorString(error));                                     \
    for (int t = 0; t < (THREADS) && !bad; ++t) bad += differing(host + t * kPairs, COUNT); \
    return bad != 0;                                                                        \
  }

#define CHECK_KERNEL(NAME) \
  __global__ void NAME(Pair* pairs, unsigned u, int s, long long l, float f, double d, float tenth)
