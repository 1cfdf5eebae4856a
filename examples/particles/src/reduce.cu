// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole-domain reductions: energy (block sums staged per warp) and the largest speed, which sets the time step.
#include <cooperative_groups.h>

#include "solver.h"
#include "warp.cuh"

namespace cg = cooperative_groups;

__global__ void energyKernel(Particles particles, float* sums) {
  float energy = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < particles.count; i += gridDim.x * blockDim.x) {
    const float4 v = particles.velocity[i];
    energy += 0.5f * particles.position[i].w * (v.x * v.x + v.y * v.y + v.z * v.z);
  }
  energy = blockSum(energy);
  if (threadIdx.x == 0) sums[blockIdx.x] = energy;
}

/// One atomic per warp on the bits of a non-negative float, which order like integers.
__global__ void speedKernel(Particles particles, int* largestBits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float speed = 0;
  if (i < particles.count) {
    const float4 v = particles.velocity[i];
    speed = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
  }
  speed = warpMax(speed);
  if (laneId() == 0) atomicMax(largestBits, __float_as_int(speed));
}

/// Counts the cells that hold anything; leaders are elected among the lanes that reach the line.
__global__ void occupiedKernel(Grid grid, int cells, int* occupied) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell < cells && grid.last[cell] > grid.first[cell]) {
    const unsigned active = __activemask();
    const int leader = __ffs(active) - 1;
    if (laneId() == leader) atomicAdd(occupied, __popc(active));
  }
}

float totalEnergy(Particles particles, float* scratch, cudaStream_t stream) {
  constexpr int blocks = 64;
  energyKernel<<<blocks, 256, 0, stream>>>(particles, scratch);
  CUDA_CHECK(cudaGetLastError());
  float sums[blocks];
  CUDA_CHECK(cudaMemcpyAsync(sums, scratch, sizeof(sums), cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  float energy = 0;
  for (float sum : sums) energy += sum;
  return energy;
}

float largestSpeed(Particles particles, cudaStream_t stream) {
  int* bits = nullptr;
  CUDA_CHECK(cudaMallocAsync(reinterpret_cast<void**>(&bits), sizeof(int), stream));
  CUDA_CHECK(cudaMemsetAsync(bits, 0, sizeof(int), stream));
  speedKernel<<<(particles.count + 255) / 256, 256, 0, stream>>>(particles, bits);
  float speed = 0;
  CUDA_CHECK(cudaMemcpyAsync(&speed, bits, sizeof(float), cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaFreeAsync(bits, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return speed;
}
