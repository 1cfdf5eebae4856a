// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The solver's stages, as the main program and the Python extension see them. All pointers are device pointers.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdio>
#include <cstdlib>

#define CUDA_CHECK(call)                                                                        \
  do {                                                                                          \
    cudaError_t status = (call);                                                                \
    if (status != cudaSuccess) {                                                                \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));      \
      std::exit(1);                                                                             \
    }                                                                                           \
  } while (0)

struct Particles {
  int count;
  float4* position;  // x, y, z, mass
  float4* velocity;  // x, y, z, density
  float* pressure;
  unsigned* cell;
  int* order;
};

struct Grid {
  float cellSize;
  int3 cells;
  int* first;
  int* last;
};

void sortByCell(Particles particles, Grid grid, cudaStream_t stream);
void findNeighbours(Particles particles, Grid grid, int* pairs, int* pairCount, int capacity, cudaStream_t stream);
void computeDensity(Particles particles, Grid grid, float radius, cudaStream_t stream);
void computeForces(Particles particles, Grid grid, float radius, float4* force, cudaStream_t stream);
void integrate(Particles particles, const float4* force, float dt, cudaStream_t stream);
float totalEnergy(Particles particles, float* scratch, cudaStream_t stream);
float largestSpeed(Particles particles, cudaStream_t stream);

/// pressure = W2 * relu(W1 * features): a small network that replaces the equation of state.
void inferPressure(cublasHandle_t handle, const float* w1, const float* w2, const float* features, float* hidden,
                   float* pressure, int count, cudaStream_t stream);

/// Sends the layer of particles at each face to the neighbouring ranks.
void exchangeHalo(ncclComm_t communicator, int rank, int ranks, const float4* send, float4* receive, int count,
                  cudaStream_t stream);
