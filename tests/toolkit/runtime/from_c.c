/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Part of plain_c.cu: headers and functions from C. */
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <library_types.h>

int fromC(void) {
  struct cudaDeviceProp properties;
  void* memory = 0;
  dim3 grid = {1, 1, 1};
  float4 four = {1, 2, 3, 4};
  cudaDataType type = CUDA_R_16BF;
  int host = (int)four.y + (int)grid.x + (type == 14);
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
  if (cudaMalloc(&memory, sizeof host) != cudaSuccess) return 2;
  if (cudaMemcpy(memory, &host, sizeof host, cudaMemcpyHostToDevice) != cudaSuccess) return 3;
  host = 0;
  if (cudaMemcpy(&host, memory, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 4;
  return host == 4 && cudaFree(memory) == cudaSuccess ? 0 : 5;
}
