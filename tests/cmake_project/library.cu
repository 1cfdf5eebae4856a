// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code in a shared library, called from plain C++.
__device__ int level = 3;
__device__ int twice(int x) { return 2 * x; }
__global__ void set(int* p) { *p = twice(level); }
int fromDevice() {
  int *device, value = 0;
  cudaMalloc(&device, sizeof value);
  set<<<1, 1>>>(device);
  cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}
