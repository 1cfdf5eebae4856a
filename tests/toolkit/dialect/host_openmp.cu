// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -Xcompiler -fopenmp
// widths: 32
//
// Host threads of OpenMP launch kernels; the device pass reads the same file, <omp.h> included.
#include <cstdio>
#include <omp.h>

__global__ void count(int* to) { atomicAdd(to, 1); }

int main() {
#ifndef _OPENMP
#error "no OpenMP"
#endif
  int *device = nullptr, back = 0, threads = 0;
  cudaMalloc(&device, sizeof *device);
  cudaMemset(device, 0, sizeof *device);
#pragma omp parallel num_threads(3)
  {
    count<<<1, 32>>>(device);
#pragma omp atomic
    threads += omp_in_parallel();
  }
  cudaMemcpy(&back, device, sizeof back, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", threads, back);
  return !(threads == 3 && back == 96);
}
