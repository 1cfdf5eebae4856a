// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 32
//
// Lanes exchange through shared memory without any synchronisation: right only because a warp's lanes run together, which
// hardware does for such code. Each group of eight lanes transposes a tile of its own.
#include <cstdio>

__global__ void transpose(const float* in, float* out) {
  __shared__ float tile[8][33];
  int lane = threadIdx.x, column = lane & 7, first = lane & ~7;
  for (int i = 0; i < 8; ++i) tile[i][lane] = in[blockIdx.x * 256 + i * 32 + lane];
  float own[8];
  for (int i = 0; i < 8; ++i) own[i] = tile[column][first + i];
  for (int i = 0; i < 8; ++i) out[blockIdx.x * 256 + i * 32 + lane] = own[i];
}

int main() {
  static float in[1024], result[1024];
  for (int i = 0; i < 1024; ++i) in[i] = static_cast<float>(i);
  float *a, *b;
  cudaMalloc(&a, sizeof in);
  cudaMalloc(&b, sizeof in);
  cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
  transpose<<<4, 32>>>(a, b);
  cudaMemcpy(result, b, sizeof in, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int block = 0; block < 4; ++block)
    for (int i = 0; i < 8; ++i)
      for (int lane = 0; lane < 32; ++lane) {
        int from = block * 256 + (lane & 7) * 32 + (lane & ~7) + i;
        wrong += result[block * 256 + i * 32 + lane] != in[from];
      }
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
