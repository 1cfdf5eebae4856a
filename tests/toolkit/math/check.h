// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For self-checking programs: arrays that host and device see, and a count of what was wrong, with the first few said.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

template <class T>
T* shared(size_t count) {
  T* memory = nullptr;
  if (cudaMallocManaged(&memory, sizeof(T) * count) != cudaSuccess) std::exit(3);
  std::memset(static_cast<void*>(memory), 0, sizeof(T) * count);
  return memory;
}

inline int& faults() {
  static int count = 0;
  return count;
}

template <class T>
void expect(const char* what, T got, T wanted, double a = 0, double b = 0, double c = 0) {
  bool same = std::memcmp(&got, &wanted, sizeof(T)) == 0 || (got != got && wanted != wanted);
  if (same) return;
  if (++faults() <= 20) {
    std::printf("%s(%.17g, %.17g, %.17g) gave %.17g, not %.17g\n", what, a, b, c, double(got), double(wanted));
  }
}

inline int finish() {
  if (cudaError_t error = cudaDeviceSynchronize()) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 2;
  }
  if (faults()) std::printf("%d faults\n", faults());
  return faults() != 0;
}

// A generator that host and tests share; 64 well-mixed bits (Vigna, splitmix64).
inline uint64_t draw(uint64_t& state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
