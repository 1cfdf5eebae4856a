// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leapfrog step. One thread per particle, nothing shared.
#include "solver.h"

__global__ void integrateKernel(Particles particles, const float4* force, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= particles.count) return;
  float4 p = particles.position[i], v = particles.velocity[i];
  const float4 f = force[i];
  v.x += dt * f.x / p.w;
  v.y += dt * f.y / p.w;
  v.z += dt * f.z / p.w;
  p.x += dt * v.x;
  p.y += dt * v.y;
  p.z += dt * v.z;
  particles.position[i] = p;
  particles.velocity[i] = v;
}

void integrate(Particles particles, const float4* force, float dt, cudaStream_t stream) {
  integrateKernel<<<(particles.count + 255) / 256, 256, 0, stream>>>(particles, force, dt);
  CUDA_CHECK(cudaGetLastError());
}
