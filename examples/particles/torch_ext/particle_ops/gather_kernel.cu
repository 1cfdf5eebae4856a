// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Segmented mean: a block of (32, 4) threads, one row of threads per segment and column.
#include <ATen/cuda/CUDAContext.h>
#include <cuda_runtime.h>

__global__ void gatherMeanKernel(const float* values, const int* offsets, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int column = blockIdx.y;
  if (row >= rows) return;
  float sum = 0;
  const int first = offsets[row], last = offsets[row + 1];
  for (int i = first + threadIdx.x; i < last; i += 32) sum += values[i * columns + column];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (threadIdx.x == 0) out[row * columns + column] = last > first ? sum / (last - first) : 0.0f;
}

void* currentStream() { return at::cuda::getCurrentCUDAStream().stream(); }

void gatherMeanLauncher(const float* values, const int* offsets, float* out, int rows, int columns, void* stream) {
  const dim3 block(32, 4), grid((rows + 3) / 4, columns);
  gatherMeanKernel<<<grid, block, 0, static_cast<cudaStream_t>(stream)>>>(values, offsets, out, rows, columns);
}
