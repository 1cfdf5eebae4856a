// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host threads of OpenMP in a file with device code.
#include <omp.h>

__global__ void nothing() {}

int main() {
  int threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
  threads += omp_in_parallel();
  nothing<<<1, 1>>>();
  return threads != 3 || cudaDeviceSynchronize() != cudaSuccess;
}
