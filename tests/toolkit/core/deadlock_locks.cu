// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// status: 70
// widths: 32
// tiers: auto
// stderr: cannot progress
// stderr: thread (0,0,0) waits at a waiting loop
// stderr: thread (32,0,0) waits at a waiting loop
//
// Two warps take two locks in opposite order, each sure to have its first one before it asks for the second.
__device__ void take(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
}
__global__ void embrace(int* locks) {
  unsigned warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) take(&locks[warp]);
  __syncthreads();
  if (threadIdx.x == 0) take(&locks[1]);
  if (threadIdx.x == 32) take(&locks[0]);
}
int main() {
  int* locks;
  cudaMalloc(&locks, 8);
  cudaMemset(locks, 0, 8);
  embrace<<<1, 64>>>(locks);
  return cudaDeviceSynchronize();
}
