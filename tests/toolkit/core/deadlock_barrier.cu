// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// status: 70
// widths: 32
// stderr: cannot progress
// stderr: waits at __syncthreads
// stderr: waits at __syncwarp
//
// Half of a warp waits at the block's barrier, the other half for all lanes of the warp: nobody can ever go on.
__global__ void cross() {
  if (threadIdx.x < 16) __syncthreads();
  else __syncwarp();
}
int main() {
  cross<<<1, 32>>>();
  return cudaDeviceSynchronize();
}
