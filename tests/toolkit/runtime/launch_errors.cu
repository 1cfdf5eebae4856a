// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// env: UNWARP_THREADS=2
// stderr: bytes of static shared memory; this device has 49152 for a block
//
// Codes of launches that cannot be: shapes, shared memory without and with opt-in, bounds, cooperative grids, functions.
#include "check.h"
__global__ void plain(int* out) {
  if (out) *out = 1;
}
__global__ void __launch_bounds__(128) bounded() {}
__global__ void fixedShared(int* out) {
  __shared__ int data[8192];  // 32 KiB
  data[threadIdx.x] = 1;
  __syncthreads();
  if (out) *out = data[threadIdx.x];
}
__global__ void dynamicShared(int* out, int words) {
  extern __shared__ int data[];
  for (int i = threadIdx.x; i < words; i += blockDim.x) data[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) *out = data[words - 1];
}
__global__ void tooMuchShared(char* out) {
  __shared__ char data[49 * 1024];
  data[threadIdx.x] = 1;
  __syncthreads();
  if (out) *out = data[0];
}
static cudaError_t launched() { return cudaGetLastError(); }
int main() {
  int* out = nullptr;
  OK(cudaMallocManaged(&out, 4));
  plain<<<0, 32>>>(out);
  GIVES(cudaErrorInvalidConfiguration, launched());
  plain<<<1, 0>>>(out);
  GIVES(cudaErrorInvalidConfiguration, launched());
  plain<<<1, 1025>>>(out);
  GIVES(cudaErrorInvalidConfiguration, launched());
  plain<<<1, dim3(1, 1, 65)>>>(out);
  GIVES(cudaErrorInvalidConfiguration, launched());
  plain<<<dim3(1, 65536, 1), 1>>>(out);
  GIVES(cudaErrorInvalidConfiguration, launched());
  plain<<<dim3(1, 1, 65536), 1>>>(out);
  GIVES(cudaErrorInvalidConfiguration, launched());
  bounded<<<1, 129>>>();
  GIVES(cudaErrorLaunchOutOfResources, launched());
  bounded<<<1, 128>>>();
  OK(launched());
  plain<<<1, 1, 0, (cudaStream_t)0x1234>>>(out);
  GIVES(cudaErrorInvalidResourceHandle, launched());
  GIVES(cudaErrorInvalidDeviceFunction, cudaLaunchKernel((const void*)&failures, dim3(1), dim3(1), nullptr, 0, 0));
  cudaFuncAttributes attributes;
  GIVES(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&attributes, (const void*)&failures));
  cudaGetLastError();

  tooMuchShared<<<1, 32>>>(nullptr);
  GIVES(cudaErrorLaunchOutOfResources, launched());

  // 48 KiB without asking, 163 KiB with it; static memory counts.
  dynamicShared<<<1, 32, 48 * 1024>>>(out, 48 * 256);
  OK(launched());
  OK(cudaDeviceSynchronize());
  EXPECT(*out == 48 * 256 - 1);
  dynamicShared<<<1, 32, 48 * 1024 + 4>>>(out, 1);
  GIVES(cudaErrorInvalidValue, launched());
  fixedShared<<<1, 32, 17 * 1024>>>(out);
  GIVES(cudaErrorInvalidValue, launched());
  GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(dynamicShared, cudaFuncAttributeMaxDynamicSharedMemorySize, 164 * 1024));
  GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(fixedShared, cudaFuncAttributeMaxDynamicSharedMemorySize, 163 * 1024));
  cudaGetLastError();
  OK(cudaFuncSetAttribute(dynamicShared, cudaFuncAttributeMaxDynamicSharedMemorySize, 163 * 1024));
  dynamicShared<<<1, 32, 163 * 1024>>>(out, 163 * 256);
  OK(launched());
  OK(cudaDeviceSynchronize());
  EXPECT(*out == 163 * 256 - 1);
  OK(cudaFuncGetAttributes(&attributes, dynamicShared));
  EXPECT(attributes.maxDynamicSharedSizeBytes == 163 * 1024 && attributes.maxThreadsPerBlock == 1024);
  OK(cudaFuncGetAttributes(&attributes, fixedShared));
  EXPECT(attributes.sharedSizeBytes == 32 * 1024 && attributes.maxDynamicSharedSizeBytes == 16 * 1024);
  OK(cudaFuncGetAttributes(&attributes, bounded));
  EXPECT(attributes.maxThreadsPerBlock == 128);

  // Two processors of 2048 threads.
  void* arguments[] = {&out};
  OK(cudaLaunchCooperativeKernel(plain, dim3(4), dim3(1024), arguments));
  GIVES(cudaErrorCooperativeLaunchTooLarge, cudaLaunchCooperativeKernel(plain, dim3(5), dim3(1024), arguments));
  cudaGetLastError();
  int blocks = 0, threads = 0, width = 0;
  OK(cudaDeviceGetAttribute(&width, cudaDevAttrWarpSize, 0));
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0));
  EXPECT(blocks == 8);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamicShared, 32, 100 * 1024));
  EXPECT(blocks == 1);
  OK(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, plain));
  EXPECT(blocks == 4 && threads == 1024);
  OK(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, bounded));
  EXPECT(threads == 128);
  size_t room = 0;
  OK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, plain, 2, 256));
  EXPECT(room == 81 * 1024);

  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(1);
  configuration.blockDim = dim3(1);
  *out = 0;
  OK(cudaLaunchKernelEx(&configuration, plain, out));
  OK(cudaDeviceSynchronize());
  EXPECT(*out == 1);
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeCooperative;
  attribute[0].val.cooperative = 1;
  configuration.attrs = attribute;
  configuration.numAttrs = 1;
  configuration.gridDim = dim3(64);
  configuration.blockDim = dim3(1024);
  GIVES(cudaErrorCooperativeLaunchTooLarge, cudaLaunchKernelEx(&configuration, plain, out));
  cudaGetLastError();
  return failures;
}
