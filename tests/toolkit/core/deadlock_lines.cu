// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lineinfo
// status: 70
// stderr: cannot progress
// stderr: waits at __syncthreads (
// stderr: deadlock_lines.cu:13)
// stderr: waits at __syncwarp (
// stderr: deadlock_lines.cu:15)
//
// Both places at which threads wait for each other are named by their source lines.
__global__ void part() {
  if (threadIdx.x < 8) {
    __syncthreads();
  } else {
    __syncwarp();
  }
}

int main() {
  part<<<1, 32>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
