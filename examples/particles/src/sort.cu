// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts particles by cell: keys with a kernel, order with Thrust, cell bounds with a kernel, an exclusive scan with CUB.
#include <cub/cub.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include "solver.h"

__global__ void keysKernel(Particles particles, Grid grid) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= particles.count) return;
  const float4 p = particles.position[i];
  const unsigned x = static_cast<unsigned>(p.x / grid.cellSize);
  const unsigned y = static_cast<unsigned>(p.y / grid.cellSize);
  const unsigned z = static_cast<unsigned>(p.z / grid.cellSize);
  particles.cell[i] = (z * grid.cells.y + y) * grid.cells.x + x;
}

__global__ void boundsKernel(const unsigned* cell, int count, int* first, int* last) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  if (i == 0 || cell[i] != cell[i - 1]) first[cell[i]] = i;
  if (i == count - 1 || cell[i] != cell[i + 1]) last[cell[i]] = i + 1;
}

void sortByCell(Particles particles, Grid grid, cudaStream_t stream) {
  const int blocks = (particles.count + 255) / 256;
  keysKernel<<<blocks, 256, 0, stream>>>(particles, grid);
  thrust::device_ptr<unsigned> keys(particles.cell);
  thrust::device_ptr<int> order(particles.order);
  thrust::sequence(thrust::cuda::par.on(stream), order, order + particles.count);
  thrust::sort_by_key(thrust::cuda::par.on(stream), keys, keys + particles.count, order);
  boundsKernel<<<blocks, 256, 0, stream>>>(particles.cell, particles.count, grid.first, grid.last);
  CUDA_CHECK(cudaGetLastError());
}

/// Offsets of the cells in a compacted array.
void cellOffsets(const int* counts, int* offsets, int cells, cudaStream_t stream) {
  void* scratch = nullptr;
  size_t scratchBytes = 0;
  cub::DeviceScan::ExclusiveSum(scratch, scratchBytes, counts, offsets, cells, stream);
  CUDA_CHECK(cudaMalloc(&scratch, scratchBytes));
  cub::DeviceScan::ExclusiveSum(scratch, scratchBytes, counts, offsets, cells, stream);
  CUDA_CHECK(cudaStreamSynchronize(stream));
  CUDA_CHECK(cudaFree(scratch));
}
