// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lineinfo
// stderr: block (0,0,0), thread (4,0,0)
// stderr: crash_indirect.cu:10
//
// A function that is called through a pointer is compiled apart from the kernel; its lines are known too.
#include "check.h"

__device__ void store(int* target) {
  *target = 7;
}
__device__ void nothing(int*) {}
__device__ void (*functions[2])(int*) = {nothing, store};

__global__ void call(int* target, int wanted) { functions[threadIdx.x == wanted](target); }

int main() {
  call<<<1, 32>>>(nullptr, 4);
  GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  return failures;
}
