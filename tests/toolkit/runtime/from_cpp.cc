// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of plain_c.cu: typed allocation and vector types in C++ that no CUDA compiler reads.
#include <builtin_types.h>
#include <cuda_runtime.h>

int fromCpp() {
  float* data = nullptr;
  if (cudaMalloc(&data, 16) != cudaSuccess) return 1;
  float4 four = make_float4(1, 2, 3, 4), back = make_float4(0, 0, 0, 0);
  cudaMemcpy(data, &four, sizeof four, cudaMemcpyHostToDevice);
  cudaMemcpy(&back, data, sizeof back, cudaMemcpyDeviceToHost);
  int3 index = make_int3(1, 2, 3);
  dim3 grid(4);
  return back.w == 4 && index.z == 3 && grid.y == 1 && cudaFree(data) == cudaSuccess ? 0 : 2;
}
