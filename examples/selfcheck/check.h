// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every program of this folder shares: error checks, a device array that frees itself, inputs made from a seed, and
// the verdict. A program prints one line, `PASS name` or `FAIL name: ...`, and exits with 0 or 1; a failing CUDA call
// exits with 2, so that "the run did not work" is never taken for "the numbers are wrong".
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_CUDA(call)                                                                       \
  do {                                                                                         \
    cudaError_t status_ = (call);                                                              \
    if (status_ != cudaSuccess) {                                                              \
      std::printf("ERROR %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));       \
      std::exit(2);                                                                            \
    }                                                                                          \
  } while (0)

/// Device memory for `count` values, zeroed; freed at the end of the scope.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    CHECK_CUDA(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
    CHECK_CUDA(cudaMemset(data_, 0, count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    CHECK_CUDA(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T* get() { return data_; }
  std::vector<T> toHost() const {
    std::vector<T> values(count_);
    CHECK_CUDA(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// Call after each launch: reports a refused launch and whatever the kernel ran into.
inline void finishLaunch() {
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaDeviceSynchronize());
}

/// `count` whole numbers below `bound`, the same on every machine. Whole numbers, so that sums are exact in any order.
inline std::vector<int> numbers(std::size_t count, int bound, unsigned seed = 1) {
  std::vector<int> values(count);
  unsigned state = seed * 2654435761u + 12345u;
  for (int& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>((state >> 8) % static_cast<unsigned>(bound));
  }
  return values;
}

/// Compares, prints the verdict line and gives the exit status.
template <class T>
int verdict(const char* name, const std::vector<T>& expected, const std::vector<T>& actual) {
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (i < actual.size() && expected[i] == actual[i]) continue;
    if (wrong == 0) first = i;
    ++wrong;
  }
  if (wrong == 0) {
    std::printf("PASS %s\n", name);
    return 0;
  }
  std::printf("FAIL %s: %zu of %zu values differ, the first at %zu\n", name, wrong, expected.size(), first);
  return 1;
}
