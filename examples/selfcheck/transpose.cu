// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix transpose through a 32 by 32 tile with one padding column. The 32 here is the side of a tile, not a warp:
// only block barriers order the accesses. Right at any width.
#include "check.h"

constexpr int kTile = 32;
constexpr int kRowsAtOnce = 8;

__global__ void transpose(int width, int height, const int* in, int* out) {
  __shared__ int tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRowsAtOnce) {
    int row = blockIdx.y * kTile + y;
    if (x < width && row < height) tile[y][threadIdx.x] = in[row * width + x];
  }
  __syncthreads();
  int column = blockIdx.y * kTile + threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRowsAtOnce) {
    int row = blockIdx.x * kTile + y;
    if (column < height && row < width) out[row * height + column] = tile[threadIdx.x][y];
  }
}

int main() {
  const int width = 300, height = 170;
  std::vector<int> in = numbers(width * height, 100000), expected(width * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) expected[x * height + y] = in[y * width + x];
  DeviceArray<int> device(in), out(width * height);
  dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  transpose<<<grid, dim3(kTile, kRowsAtOnce)>>>(width, height, device.get(), out.get());
  finishLaunch();
  return verdict("transpose", expected, out.toHost());
}
