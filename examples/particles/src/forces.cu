// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pressure forces. The fast path stages a whole neighbourhood in 96 KB of dynamic shared memory, which an A100 has.
#include "solver.h"
#include "warp.cuh"

constexpr int kThreads = 256;
constexpr int kStagedParticles = 6144;
constexpr int kStageBytes = kStagedParticles * sizeof(float4);

__global__ void __launch_bounds__(kThreads, 2) forcesKernel(Particles particles, float radius, float4* force) {
  extern __shared__ float4 stage[];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const float4 self = i < particles.count ? __ldg(&particles.position[i]) : make_float4(0, 0, 0, 0);
  const float pressure = i < particles.count ? particles.pressure[i] : 0;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int start = 0; start < particles.count; start += kStagedParticles) {
    const int staged = min(kStagedParticles, particles.count - start);
    for (int k = threadIdx.x; k < staged; k += kThreads) stage[k] = particles.position[start + k];
    __syncthreads();
    for (int k = 0; k < staged; ++k) {
      const float dx = stage[k].x - self.x, dy = stage[k].y - self.y, dz = stage[k].z - self.z;
      const float r2 = dx * dx + dy * dy + dz * dz + 1e-12f;
      if (r2 > radius * radius) continue;
      const float inverse = rsqrtf(r2);
      const float weight = __fdividef(pressure * stage[k].w, 1.0f + r2 * inverse);
      sum.x += weight * dx;
      sum.y += weight * dy;
      sum.z += weight * dz;
    }
    __syncthreads();
  }
  if (i < particles.count) force[i] = sum;
}

void computeForces(Particles particles, Grid, float radius, float4* force, cudaStream_t stream) {
  CUDA_CHECK(cudaFuncSetAttribute(forcesKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kStageBytes));
  forcesKernel<<<(particles.count + kThreads - 1) / kThreads, kThreads, kStageBytes, stream>>>(particles, radius, force);
  CUDA_CHECK(cudaGetLastError());
}
