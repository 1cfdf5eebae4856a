// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 32
// tiers: auto
//
// Names and sentences of errors, last errors, and codes of misused calls.
#include <cstring>

#include "check.h"
int main() {
  EXPECT(!std::strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess"));
  EXPECT(!std::strcmp(cudaGetErrorString(cudaSuccess), "no error"));
  EXPECT(!std::strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress"));
  EXPECT(!std::strcmp(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered"));
  EXPECT(!std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument"));
  EXPECT(!std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory"));
  EXPECT(!std::strcmp(cudaGetErrorName((cudaError_t)123456), "unrecognized error code"));
  EXPECT(!std::strcmp(cudaGetErrorName(cudaErrorStreamCaptureWrongThread), "cudaErrorStreamCaptureWrongThread"));
  OK(cudaGetLastError());
  GIVES(cudaErrorInvalidDevice, cudaSetDevice(99));
  GIVES(cudaErrorInvalidDevice, cudaPeekAtLastError());
  GIVES(cudaErrorInvalidDevice, cudaGetLastError());
  OK(cudaGetLastError());

  int host[4] = {};
  int *device = nullptr, *pinned = nullptr, *managed = nullptr;
  OK(cudaMalloc(&device, 16));
  OK(cudaMallocHost(&pinned, 16));
  OK(cudaMallocManaged(&managed, 16));
  GIVES(cudaErrorInvalidValue, cudaFree(host));
  GIVES(cudaErrorInvalidValue, cudaFree(pinned));
  GIVES(cudaErrorInvalidValue, cudaFree(device + 1));
  GIVES(cudaErrorInvalidValue, cudaFreeHost(device));
  GIVES(cudaErrorInvalidValue, cudaMemcpy(device, host, 17, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidValue, cudaMemcpy(host, device, 16, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidValue, cudaMemcpy(device, host, 16, cudaMemcpyDeviceToDevice));
  GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device, host, 16, (cudaMemcpyKind)9));
  GIVES(cudaErrorInvalidValue, cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice));
  GIVES(cudaErrorInvalidValue, cudaMemset(host, 0, 16));
  GIVES(cudaErrorInvalidValue, cudaMallocManaged(&managed, 16, 7));
  GIVES(cudaErrorMemoryAllocation, cudaMalloc(&device, size_t{1} << 60));
  EXPECT(device == nullptr);
  OK(cudaMemcpy(pinned, managed, 16, cudaMemcpyDefault));
  OK(cudaFree(nullptr));
  OK(cudaFreeHost(nullptr));
  OK(cudaFree(managed));
  GIVES(cudaErrorInvalidValue, cudaFree(managed));
  OK(cudaFreeHost(pinned));
  GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy((cudaStream_t)0x1234));
  GIVES(cudaErrorInvalidResourceHandle, cudaEventRecord((cudaEvent_t)0x1234));
  GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(host));
  OK(cudaHostRegister(host, sizeof host, cudaHostRegisterDefault));
  GIVES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(host + 1, 4, cudaHostRegisterDefault));
  OK(cudaHostUnregister(host));
  cudaGetLastError();
  return failures;
}
