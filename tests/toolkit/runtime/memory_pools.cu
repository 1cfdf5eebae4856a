// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tiers: auto
// widths: 32
//
// Stream-ordered memory, pools, managed advice, registered host memory.
#include "check.h"
__global__ void add(int* data) { atomicAdd(data, 1); }
int main() {
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  cudaMemPool_t pool;
  OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long used = 1, threshold = 1 << 20, seen = 0;
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT(used == 0);
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &seen));
  EXPECT(seen == threshold);
  int* data = nullptr;
  int back = 0;
  OK(cudaMallocAsync(&data, 4096, stream));
  OK(cudaMemsetAsync(data, 0, 4, stream));
  add<<<2, 32, 0, stream>>>(data);
  OK(cudaMemcpyAsync(&back, data, 4, cudaMemcpyDeviceToHost, stream));
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT(used == 4096);
  OK(cudaFreeAsync(data, stream));
  GIVES(cudaErrorInvalidValue, cudaFreeAsync(data, stream));
  OK(cudaStreamSynchronize(stream));
  EXPECT(back == 64);
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  EXPECT(used == 0);
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &used));
  EXPECT(used == 4096);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t own;
  OK(cudaMemPoolCreate(&own, &properties));
  OK(cudaMallocFromPoolAsync(&data, 100, own, stream));
  OK(cudaFree(data));
  OK(cudaMemPoolTrimTo(own, 0));
  OK(cudaMemPoolDestroy(own));
  GIVES(cudaErrorInvalidValue, cudaMemPoolDestroy(pool));

  int* managed = nullptr;
  OK(cudaMallocManaged(&managed, 1024));
  *managed = 0;
  OK(cudaMemPrefetchAsync(managed, 1024, 0, stream));
  OK(cudaMemPrefetchAsync(managed, 1024, cudaMemLocation{cudaMemLocationTypeHost, 0}, 0, stream));
  OK(cudaMemAdvise(managed, 1024, cudaMemAdviseSetPreferredLocation, cudaMemLocation{cudaMemLocationTypeDevice, 0}));
  OK(cudaMemAdvise(managed, 1024, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
  int place = -9;
  OK(cudaMemRangeGetAttribute(&place, 4, cudaMemRangeAttributePreferredLocation, managed, 1024));
  EXPECT(place == 0);
  OK(cudaMemRangeGetAttribute(&place, 4, cudaMemRangeAttributeLastPrefetchLocation, managed, 1024));
  EXPECT(place == cudaCpuDeviceId);
  int accessed[2] = {};
  OK(cudaMemRangeGetAttribute(accessed, 8, cudaMemRangeAttributeAccessedBy, managed, 1024));
  EXPECT(accessed[0] == cudaCpuDeviceId && accessed[1] == cudaInvalidDeviceId);
  GIVES(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 1024, 7, stream));
  GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync(managed, 1025, 0, stream));
  OK(cudaStreamAttachMemAsync(stream, managed));
  add<<<1, 32, 0, stream>>>(managed);
  OK(cudaStreamSynchronize(stream));
  EXPECT(*managed == 32);

  static int local[256];
  void* mapped = nullptr;
  unsigned flags = 0;
  GIVES(cudaErrorInvalidValue, cudaHostGetDevicePointer(&mapped, local, 0));
  OK(cudaHostRegister(local, sizeof local, cudaHostRegisterMapped));
  OK(cudaHostGetDevicePointer(&mapped, local, 0));
  EXPECT(mapped == local);
  OK(cudaHostGetFlags(&flags, local));
  EXPECT(flags & cudaHostAllocMapped);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, local + 7));
  EXPECT(attributes.type == cudaMemoryTypeHost && attributes.devicePointer == local + 7);
  add<<<1, 32>>>(static_cast<int*>(mapped));
  OK(cudaDeviceSynchronize());
  EXPECT(local[0] == 32);
  OK(cudaHostUnregister(local));
  OK(cudaPointerGetAttributes(&attributes, local));
  EXPECT(attributes.type == cudaMemoryTypeUnregistered && attributes.device == cudaInvalidDeviceId);
  return failures;
}
