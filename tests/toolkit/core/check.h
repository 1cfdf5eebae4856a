// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the programs of this folder share: device arrays from vectors and back, and a count of what was wrong.
#pragma once

#include <cstdio>
#include <vector>

inline int& wrongs() {
  static int count = 0;
  return count;
}

#define CHECK(condition) \
  if (!(condition) && wrongs()++ < 10) printf("line %d: %s\n", __LINE__, #condition)

template <class A, class B>
void checkEqual(const char* what, size_t index, const A& got, const B& wanted) {
  if (got == static_cast<A>(wanted)) return;
  if (wrongs()++ < 10) printf("%s[%zu] is %.17g, expected %.17g\n", what, index, double(got), double(wanted));
}

inline void checkSuccess(cudaError_t error, int line) {
  if (error != cudaSuccess && wrongs()++ < 10) printf("line %d: %s\n", line, cudaGetErrorString(error));
}
#define SUCCEEDS(call) checkSuccess(call, __LINE__)

template <class T>
T* toDevice(const std::vector<T>& values) {
  T* memory = nullptr;
  SUCCEEDS(cudaMalloc(&memory, values.size() * sizeof(T)));
  SUCCEEDS(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}
template <class T>
std::vector<T> toHost(const T* memory, size_t count) {
  std::vector<T> values(count);
  SUCCEEDS(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}
inline int warpWidth() {
  cudaDeviceProp properties;
  SUCCEEDS(cudaGetDeviceProperties(&properties, 0));
  return properties.warpSize;
}
