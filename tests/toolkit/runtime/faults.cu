// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stderr: bad memory access at address
// stderr: block (2,0,0)
//
// A kernel that faults: the report names kernel and block, the error stays, a reset heals, and the process goes on.
#include "check.h"
__global__ void writes(int* where) {
  if (blockIdx.x == 2) where[threadIdx.x] = 1;
}
__global__ void fine(int* where) { where[threadIdx.x] = 7; }
__device__ int kept = 3;
__global__ void readKept(int* out) { *out = kept++; }
int main() {
  int* good = nullptr;
  OK(cudaMalloc(&good, 128));
  readKept<<<1, 1>>>(good);
  writes<<<4, 32>>>(nullptr);
  GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  GIVES(cudaErrorIllegalAddress, cudaGetLastError());
  GIVES(cudaErrorIllegalAddress, cudaMalloc(&good, 128));
  fine<<<1, 32>>>(good);
  GIVES(cudaErrorIllegalAddress, cudaGetLastError());
  GIVES(cudaErrorIllegalAddress, cudaStreamSynchronize(0));
  OK(cudaDeviceReset());
  cudaGetLastError();
  OK(cudaGetLastError());
  int host[32] = {}, first = 0;
  OK(cudaMalloc(&good, 128));
  fine<<<1, 32>>>(good);
  OK(cudaMemcpy(host, good, 128, cudaMemcpyDeviceToHost));
  EXPECT(host[31] == 7);
  // The reset gave the variable its first value again.
  readKept<<<1, 1>>>(good);
  OK(cudaMemcpy(&first, good, 4, cudaMemcpyDeviceToHost));
  EXPECT(first == 3);
  return failures;
}
