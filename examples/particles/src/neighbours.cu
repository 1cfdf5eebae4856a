// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighbour search: one warp per particle walks the 27 cells around it and appends the hits with one atomic per vote.
#include "lane_mask.h"
#include "solver.h"
#include "warp.cuh"

constexpr int kThreads = 128;
constexpr int kWarpsPerBlock = kThreads / 32;

__device__ int cellIndex(int3 cells, int x, int y, int z) { return (z * cells.y + y) * cells.x + x; }

__global__ void neighboursKernel(Particles particles, Grid grid, float radius2, int* pairs, int* pairCount, int capacity) {
  int particle = blockIdx.x * kWarpsPerBlock + warpId();
  if (particle >= particles.count) return;
  const int lane = laneId();
  const float4 self = particles.position[particle];
  const int cx = static_cast<int>(self.x / grid.cellSize);
  const int cy = static_cast<int>(self.y / grid.cellSize);
  const int cz = static_cast<int>(self.z / grid.cellSize);

  for (int step = 0; step < 27; ++step) {
    const int x = cx + step % 3 - 1, y = cy + step / 3 % 3 - 1, z = cz + step / 9 - 1;
    if (x < 0 || y < 0 || z < 0 || x >= grid.cells.x || y >= grid.cells.y || z >= grid.cells.z) continue;
    const int cell = cellIndex(grid.cells, x, y, z);
    for (int first = grid.first[cell]; first < grid.last[cell]; first += WARP_SIZE) {
      const int other = first + lane;
      bool close = false;
      if (other < grid.last[cell] && other != particle) {
        const float4 p = particles.position[other];
        const float dx = p.x - self.x, dy = p.y - self.y, dz = p.z - self.z;
        close = dx * dx + dy * dy + dz * dz < radius2;
      }
      unsigned int hits = __ballot_sync(0xffffffff, close);
      int base = 0;
      if (lane == 0) base = atomicAdd(pairCount, __popc(hits));
      base = __shfl_sync(0xffffffff, base, 0);
      const int rank = __popc(hits & ((1u << lane) - 1));
      if (close && base + rank < capacity) {
        pairs[2 * (base + rank)] = particle;
        pairs[2 * (base + rank) + 1] = other;
      }
    }
  }
}

/// Drops pairs whose partner has left the domain; uses the portable masks of lane_mask.h.
__global__ void countActiveKernel(const int* pairs, int count, int limit, int* active) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  LaneMask mask = voteMask(i < count && pairs[2 * i + 1] < limit);
  if (threadIdx.x % warpSize == 0) atomicAdd(active, countLanes(mask));
}

void findNeighbours(Particles particles, Grid grid, int* pairs, int* pairCount, int capacity, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(pairCount, 0, sizeof(int), stream));
  const int blocks = (particles.count + kWarpsPerBlock - 1) / kWarpsPerBlock;
  neighboursKernel<<<blocks, kThreads, 0, stream>>>(particles, grid, grid.cellSize * grid.cellSize, pairs, pairCount, capacity);
  CUDA_CHECK(cudaGetLastError());
}
