// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -Xcompiler=-Wall,-Wextra,-Werror -std=c++17
//
// Host code that nvcc takes and clang by itself does not: min and max in the global namespace, arrays of a variable
// length, narrowing in braces, nvcc's pragmas, __CUDACC__ in conditions; and warnings stay out of our headers.
#include <algorithm>
#include <cstdio>

#if !__CUDACC__ || !__NVCC__ || __CUDACC_VER_MAJOR__ != 13 || !__NVCC_DIAG_PRAGMA_SUPPORT__
#error "not nvcc"
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 500
#error "no architecture"
#endif

#pragma nv_diag_suppress 177
#pragma nv_exec_check_disable
template <class T>
__host__ __device__ T both(T value) {
  return value;
}

__global__ void device(int* to) {
  to[0] = max(both(3), 2) + std::max(1, 4) + min(2u, 7u);
}

int sum(int n) {
  int squares[n];
  for (int i = 0; i < n; ++i) squares[i] = i * i;
  return squares[n - 1];
}

int main(int argc, char**) {
  const double half = 0.5 * argc;
  const int values[] = {half * 4, 1.0 > half};
  int total = max(values[0], 1) + min(2.5, 3.0) + max(2ul, 1ul) + std::min(4, 5) + sum(4);
  int *memory = nullptr, back = 0;
  cudaMalloc(&memory, sizeof *memory);
  device<<<1, 1>>>(memory);
  cudaMemcpy(&back, memory, sizeof back, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", total, back);
  return !(total == 19 && back == 9);
}
