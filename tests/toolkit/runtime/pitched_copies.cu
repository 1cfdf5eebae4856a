// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tiers: auto
//
// Two- and three-dimensional memory, arrays, fills, symbols.
#include <cstring>
#include <vector>

#include "check.h"
__device__ int symbol[4] = {1, 2, 3, 4};
__constant__ float factor = 1.5f;
__global__ void fillRows(char* rows, size_t pitch, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = threadIdx.x; x < width; x += blockDim.x) rows[y * pitch + x] = char(y * 16 + x);
}
__global__ void readSymbols(float* out) { *out = symbol[2] * factor; }
int main() {
  char* rows = nullptr;
  size_t pitch = 0;
  OK(cudaMallocPitch(&rows, &pitch, 10, 5));
  EXPECT(pitch >= 10 && pitch % 256 == 0);
  fillRows<<<1, 32>>>(rows, pitch, 10, 5);
  char host[5][12];
  std::memset(host, 0, sizeof host);
  OK(cudaMemcpy2D(host, 12, rows, pitch, 10, 5, cudaMemcpyDeviceToHost));
  EXPECT(host[0][0] == 0 && host[4][9] == 73 && host[4][10] == 0);
  GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2D(host, 9, rows, pitch, 10, 5, cudaMemcpyDeviceToHost));
  GIVES(cudaErrorInvalidValue, cudaMemcpy2D(host, 12, rows, pitch, 10, 6, cudaMemcpyDeviceToHost));
  OK(cudaMemset2D(rows, pitch, 3, 4, 2));
  OK(cudaMemcpy2D(host, 12, rows, pitch, 10, 5, cudaMemcpyDefault));
  EXPECT(host[1][3] == 3 && host[1][4] == 20 && host[2][0] == 32);

  cudaPitchedPtr space;
  cudaExtent extent = make_cudaExtent(8, 3, 2);
  OK(cudaMalloc3D(&space, extent));
  OK(cudaMemset3D(space, 9, extent));
  std::vector<char> box(8 * 3 * 2, 0);
  box[8 * 3 + 8 + 2] = 77;  // slice 1, row 1, byte 2
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(box.data(), 8, 8, 3);
  copy.dstPtr = space;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  std::vector<char> back(8 * 3 * 2, 1);
  cudaMemcpy3DParms fetch = {};
  fetch.srcPtr = space;
  fetch.dstPtr = make_cudaPitchedPtr(back.data(), 8, 8, 3);
  fetch.extent = extent;
  fetch.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&fetch));
  EXPECT(back == box);
  fetch.srcPos = make_cudaPos(2, 1, 1);
  fetch.extent = make_cudaExtent(1, 1, 1);
  OK(cudaMemcpy3D(&fetch));
  EXPECT(back[0] == 77);

  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  EXPECT(format.x == 32 && format.y == 0 && format.f == cudaChannelFormatKindFloat);
  EXPECT(cudaCreateChannelDesc<uchar4>().w == 8);
  cudaArray_t array = nullptr;
  OK(cudaMallocArray(&array, &format, 4, 3));
  float in[12], out[12] = {};
  for (int i = 0; i < 12; ++i) in[i] = i;
  OK(cudaMemcpy2DToArray(array, 0, 0, in, 16, 16, 3, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DFromArray(out, 8, array, 8, 1, 8, 2, cudaMemcpyDeviceToHost));
  EXPECT(out[0] == 6 && out[1] == 7 && out[2] == 10 && out[3] == 11);
  GIVES(cudaErrorInvalidValue, cudaMemcpy2DFromArray(out, 16, array, 8, 1, 16, 2, cudaMemcpyDeviceToHost));
  cudaExtent seen;
  unsigned flags = 1;
  OK(cudaArrayGetInfo(&format, &seen, &flags, array));
  EXPECT(seen.width == 4 && seen.height == 3 && seen.depth == 0 && flags == 0);
  OK(cudaFreeArray(array));
  GIVES(cudaErrorInvalidResourceHandle, cudaFreeArray(array));
  format.x = 12;
  GIVES(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &format, 4, 3));
  cudaGetLastError();

  int four[4] = {5, 6, 7, 8};
  float* result = nullptr;
  float value = 2.f;
  OK(cudaMalloc(&result, 4));
  OK(cudaMemcpyToSymbolAsync(symbol, four, 8, 8, cudaMemcpyHostToDevice, 0));
  OK(cudaMemcpyToSymbol(factor, &value, 4));
  readSymbols<<<1, 1>>>(result);
  OK(cudaMemcpy(&value, result, 4, cudaMemcpyDeviceToHost));
  EXPECT(value == 10.f);
  OK(cudaMemcpyFromSymbolAsync(four, symbol, 16, 0, cudaMemcpyDeviceToHost, 0));
  EXPECT(four[0] == 1 && four[2] == 5);
  GIVES(cudaErrorInvalidValue, cudaMemcpyToSymbol(symbol, four, 16, 4));
  GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(symbol, four, 16, 0, cudaMemcpyDeviceToHost));
  GIVES(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(failures, four, 4));
  size_t size = 0;
  OK(cudaGetSymbolSize(&size, symbol));
  EXPECT(size == 16);
  // Fresh device memory is poisoned.
  unsigned fresh = 0;
  unsigned* memory = nullptr;
  OK(cudaMalloc(&memory, 4));
  OK(cudaMemcpy(&fresh, memory, 4, cudaMemcpyDeviceToHost));
  EXPECT(fresh == 0xffffffffu);
  return failures;
}
