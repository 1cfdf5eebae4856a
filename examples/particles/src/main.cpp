// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The solver as a program: one rank per GPU, started by srun or mpirun.
#include <mpi.h>
#include <nvToolsExt.h>

#include <vector>

#include "solver.h"

namespace {

template <typename T>
T* device(size_t count) {
  T* memory = nullptr;
  CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&memory), count * sizeof(T)));
  CUDA_CHECK(cudaMemset(memory, 0, count * sizeof(T)));
  return memory;
}

Particles makeParticles(int count) {
  Particles particles{count, device<float4>(count), device<float4>(count), device<float>(count), device<unsigned>(count), device<int>(count)};
  std::vector<float4> start(count);
  for (int i = 0; i < count; ++i) start[i] = make_float4(0.01f * (i % 100), 0.01f * (i / 100 % 100), 0.01f * (i / 10000), 1.0f);
  CUDA_CHECK(cudaMemcpy(particles.position, start.data(), count * sizeof(float4), cudaMemcpyHostToDevice));
  return particles;
}

ncclComm_t connect(int rank, int ranks) {
  ncclUniqueId id;
  if (rank == 0) ncclGetUniqueId(&id);
  MPI_Bcast(&id, sizeof(id), MPI_BYTE, 0, MPI_COMM_WORLD);
  ncclComm_t communicator = nullptr;
  if (ncclCommInitRank(&communicator, ranks, id, rank) != ncclSuccess) std::exit(1);
  return communicator;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1, devices = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CUDA_CHECK(cudaGetDeviceCount(&devices));
  CUDA_CHECK(cudaSetDevice(rank % devices));
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, rank % devices));
  if (properties.major < 8) std::fprintf(stderr, "%s: TF32 needs compute capability 8.0\n", properties.name);

  const int count = 100000, cells = 100 * 100 * 20, halo = 4096, features = 16, hidden = 64;
  Particles particles = makeParticles(count);
  Grid grid{0.02f, make_int3(100, 100, 20), device<int>(cells), device<int>(cells)};
  float4 *force = device<float4>(count), *received = device<float4>(2 * halo);
  float *w1 = device<float>(features * hidden), *w2 = device<float>(hidden), *inputs = device<float>(features * count),
        *activations = device<float>(hidden * count), *scratch = device<float>(64);
  int *pairs = device<int>(64 * count), *pairCount = device<int>(1);

  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cublasHandle_t handle;
  cublasCreate(&handle);
  ncclComm_t communicator = connect(rank, ranks);
  for (int step = 0; step < 10; ++step) {
    nvtxRangePushA("step");
    sortByCell(particles, grid, stream);
    findNeighbours(particles, grid, pairs, pairCount, 32 * count, stream);
    computeDensity(particles, grid, grid.cellSize, stream);
    inferPressure(handle, w1, w2, inputs, activations, particles.pressure, count, stream);
    computeForces(particles, grid, grid.cellSize, force, stream);
    const float dt = 0.4f * grid.cellSize / (1.0f + largestSpeed(particles, stream));
    integrate(particles, force, dt, stream);
    exchangeHalo(communicator, rank, ranks, particles.position, received, halo, stream);
    nvtxRangePop();
  }
  std::printf("rank %d: energy %g\n", rank, totalEnergy(particles, scratch, stream));
  ncclCommDestroy(communicator);
  cublasDestroy(handle);
  CUDA_CHECK(cudaStreamDestroy(stream));
  MPI_Finalize();
  return 0;
}
