// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A saxpy-like loop (T0) and a block reduction with shuffles, shared memory, a barrier and an atomic (T3).
#include <cstdio>
#include <vector>
__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
__global__ void reduce(const float* a, float* out, int n) {
  __shared__ float s[8];
  extern __shared__ float dyn[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? a[i] : 0.f;
  for (int o = warpSize / 2; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  if (threadIdx.x % warpSize == 0) s[threadIdx.x / warpSize] = v;
  __syncthreads();
  dyn[threadIdx.x] = v;
  if (threadIdx.x == 0) {
    float t = 0;
    for (int k = 0; k < blockDim.x / warpSize; ++k) t += s[k];
    atomicAdd(out, t);
    if (blockIdx.x == 1) printf("block %d sum %f width %d\n", blockIdx.x, t, (int)warpSize);
  }
}
int main() {
  int n = 1 << 20;
  std::vector<float> a(n, 1.f), b(n, 2.f), c(n);
  float *da, *db, *dc, *out;
  cudaMalloc(&da, n * 4); cudaMalloc(&db, n * 4); cudaMalloc(&dc, n * 4); cudaMalloc(&out, 4);
  cudaMemcpy(da, a.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * 4, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  cudaMemcpy(c.data(), dc, n * 4, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (float x : c) bad += x != 3.f;
  cudaMemset(out, 0, 4);
  reduce<<<(n + 255) / 256, 256, 1024>>>(dc, out, n);
  float total = 0;
  cudaMemcpy(&total, out, 4, cudaMemcpyDeviceToHost);
  printf("bad %d total %f (%s)\n", bad, total, cudaGetErrorString(cudaGetLastError()));
  return bad != 0 || total != 3.f * n;
}
