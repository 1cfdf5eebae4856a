// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// status: 70
// widths: 64
// tiers: auto
// stderr: cannot progress
// stderr: waits at a waiting loop
// stderr: waits at __syncthreads
//
// One thread waits for a flag that only threads behind the next barrier would set: the run ends within ten seconds.
__global__ void waits(volatile int* flag) {
  if (threadIdx.x == 5) {
    while (*flag == 0) {
    }
  }
  __syncthreads();
  *flag = 1;
}
int main() {
  int* flag;
  cudaMalloc(&flag, 4);
  cudaMemset(flag, 0, 4);
  waits<<<4, 64>>>(flag);
  return cudaDeviceSynchronize();
}
