// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Density by a tile of neighbours in shared memory: barriers only, no warp arithmetic. Should port by renaming.
#include "solver.h"

constexpr int kTile = 128;

__global__ void __launch_bounds__(kTile) densityKernel(Particles particles, float radius) {
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * kTile + threadIdx.x;
  const float4 self = i < particles.count ? particles.position[i] : make_float4(0, 0, 0, 0);
  const float radius2 = radius * radius;
  float density = 0;
  for (int start = 0; start < particles.count; start += kTile) {
    const int j = start + threadIdx.x;
    tile[threadIdx.x] = j < particles.count ? particles.position[j] : make_float4(1e30f, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      const float dx = tile[k].x - self.x, dy = tile[k].y - self.y, dz = tile[k].z - self.z;
      const float q = radius2 - (dx * dx + dy * dy + dz * dz);
      if (q > 0) density += tile[k].w * q * q * q;
    }
    __syncthreads();
  }
  if (i < particles.count) particles.velocity[i].w = density;
}

void computeDensity(Particles particles, Grid, float radius, cudaStream_t stream) {
  densityKernel<<<(particles.count + kTile - 1) / kTile, kTile, 0, stream>>>(particles, radius);
  CUDA_CHECK(cudaGetLastError());
}
