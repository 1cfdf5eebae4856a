// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// grid.sync between blocks of a cooperative launch, and memcpy_async by a block and by a tile.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void rounds(int* data, int* bad, int n) {
  cg::grid_group grid = cg::this_grid();
  if (!grid.is_valid()) *bad = 1;
  for (int step = 0; step < 4; ++step) {
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) data[i] = step * 1000 + (int)i;
    grid.sync();
    int other = n - 1 - (int)grid.thread_rank();
    if (data[other] != step * 1000 + other) atomicAdd(bad, 1);
    cg::sync(grid);
  }
}

__global__ void staged(const float* in, float* out, int n) {
  extern __shared__ float stage[];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  float total = 0;
  for (int begin = 0; begin < n; begin += 100) {
    int count = n - begin < 100 ? n - begin : 100;
    cg::memcpy_async(block, stage, in + begin, sizeof(float) * count);
    cg::wait(block);
    for (int i = block.thread_rank(); i < count; i += block.size()) total += stage[i];
    block.sync();
  }
  float* own = stage + 32 * tile.meta_group_rank();
  cg::memcpy_async(tile, own, 32, in, 5);
  cg::wait_prior<0>(tile);
  if (tile.thread_rank() == 0 && own[4] != in[4]) total = -1e9f;
  atomicAdd(out, total);
}

int main() {
  int n = 8 * 96, *data, *bad, host = 0;
  cudaMalloc(&data, n * sizeof(int)); cudaMalloc(&bad, sizeof(int)); cudaMemset(bad, 0, sizeof(int));
  void* arguments[] = {&data, &bad, &n};
  cudaError_t error = cudaLaunchCooperativeKernel((const void*)rounds, dim3(8), dim3(96), arguments, 0, nullptr);
  cudaMemcpy(&host, bad, sizeof(int), cudaMemcpyDeviceToHost);
  int count = 1234;
  std::vector<float> values(count, 1.0f);
  float *in, *out, sum = 0;
  cudaMalloc(&in, count * sizeof(float)); cudaMalloc(&out, sizeof(float)); cudaMemset(out, 0, sizeof(float));
  cudaMemcpy(in, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  staged<<<1, 64, 100 * sizeof(float)>>>(in, out, count);
  cudaMemcpy(&sum, out, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%d %d %f %s\n", host, (int)error, sum, cudaGetErrorString(cudaGetLastError()));
  return host != 0 || error != cudaSuccess || sum != (float)count;
}
