// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tiers: auto
// env: UNWARP_DEVICES=2
//
// Attributes agree with properties; limits, flags, bus numbers, versions; two devices and their peers.
#include <cuda_profiler_api.h>

#include <cstring>

#include "check.h"
static int ask(cudaDeviceAttr attribute) {
  int value = -1;
  OK(cudaDeviceGetAttribute(&value, attribute, 0));
  return value;
}
__device__ int perDevice = 5;
__global__ void bump(int* out) { *out = ++perDevice; }
int main() {
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  EXPECT(p.warpSize == ask(cudaDevAttrWarpSize));
  EXPECT(p.major == 8 && p.minor == 0 && ask(cudaDevAttrComputeCapabilityMajor) == 8);
  EXPECT(p.sharedMemPerBlock == 48 * 1024 && ask(cudaDevAttrMaxSharedMemoryPerBlock) == 48 * 1024);
  EXPECT(p.sharedMemPerBlockOptin == 163 * 1024 && ask(cudaDevAttrMaxSharedMemoryPerBlockOptin) == 163 * 1024);
  EXPECT(p.sharedMemPerMultiprocessor == 164 * 1024 && ask(cudaDevAttrReservedSharedMemoryPerBlock) == 1024);
  EXPECT(p.maxThreadsPerBlock == 1024 && ask(cudaDevAttrMaxBlockDimZ) == 64 && ask(cudaDevAttrMaxGridDimY) == 65535);
  EXPECT(p.maxThreadsPerMultiProcessor == ask(cudaDevAttrMaxThreadsPerMultiProcessor));
  EXPECT(p.multiProcessorCount == ask(cudaDevAttrMultiProcessorCount) && p.multiProcessorCount > 0);
  EXPECT(ask(cudaDevAttrClockRate) == 1000000 && ask(cudaDevAttrComputeMode) == cudaComputeModeDefault);
  EXPECT(p.clockRate == 1000000 && p.memoryClockRate == ask(cudaDevAttrMemoryClockRate) && p.deviceOverlap == 1);
  EXPECT(p.computeMode == cudaComputeModeDefault && p.kernelExecTimeoutEnabled == 0);
  EXPECT(ask(cudaDevAttrConcurrentKernels) == 1 && ask(cudaDevAttrCooperativeLaunch) == 1 && ask(cudaDevAttrClusterLaunch) == 0);
  int value = 0;
  GIVES(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
  GIVES(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 2));
  cudaDeviceProp second;
  OK(cudaGetDeviceProperties(&second, 1));
  EXPECT(std::memcmp(&p.uuid, &second.uuid, sizeof p.uuid) != 0 && p.pciBusID != second.pciBusID);
  char bus[32] = "";
  OK(cudaDeviceGetPCIBusId(bus, sizeof bus, 1));
  int found = -1;
  OK(cudaDeviceGetByPCIBusId(&found, bus));
  EXPECT(found == 1);
  std::memset(&second, 0, sizeof second);
  OK(cudaChooseDevice(&found, &second));
  EXPECT(found == 0);

  size_t limit = 0;
  OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  EXPECT(limit == 1024);
  OK(cudaDeviceSetLimit(cudaLimitStackSize, 65536));
  OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  EXPECT(limit == 65536);
  GIVES(cudaErrorUnsupportedLimit, cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
  GIVES(cudaErrorInvalidValue, cudaDeviceSetLimit((cudaLimit)77, 4));
  OK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  unsigned flags = 0;
  OK(cudaGetDeviceFlags(&flags));
  EXPECT((flags & cudaDeviceScheduleMask) == cudaDeviceScheduleBlockingSync);
  cudaFuncCache cache;
  OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  OK(cudaDeviceGetCacheConfig(&cache));
  EXPECT(cache == cudaFuncCachePreferL1);
  OK(cudaRuntimeGetVersion(&value));
  EXPECT(value == CUDART_VERSION);
  OK(cudaDriverGetVersion(&value));
  EXPECT(value >= CUDART_VERSION);

  int can = 0;
  OK(cudaDeviceCanAccessPeer(&can, 0, 1));
  EXPECT(can == 1);
  OK(cudaDeviceCanAccessPeer(&can, 1, 1));
  EXPECT(can == 0);
  GIVES(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
  OK(cudaDeviceEnablePeerAccess(1, 0));
  GIVES(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
  GIVES(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));
  GIVES(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(5, 0));
  GIVES(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(1, 3));
  OK(cudaDeviceDisablePeerAccess(1));
  cudaGetLastError();

  // Each device has its own memory, variables and streams.
  size_t freeBefore = 0, freeNow = 0, total = 0;
  int *onFirst = nullptr, *onSecond = nullptr;
  OK(cudaMemGetInfo(&freeBefore, &total));
  OK(cudaSetDevice(1));
  OK(cudaMalloc(&onSecond, 1 << 20));
  OK(cudaSetDevice(0));
  OK(cudaMemGetInfo(&freeNow, &total));
  EXPECT(freeNow == freeBefore);
  OK(cudaMalloc(&onFirst, 1 << 20));
  cudaPointerAttributes where;
  OK(cudaPointerGetAttributes(&where, onSecond));
  EXPECT(where.device == 1 && where.type == cudaMemoryTypeDevice && where.hostPointer == nullptr);
  int seen = 0;
  bump<<<1, 1>>>(onFirst);
  bump<<<1, 1>>>(onFirst);
  OK(cudaMemcpyPeer(onSecond, 1, onFirst, 0, 4));
  OK(cudaMemcpy(&seen, onSecond, 4, cudaMemcpyDeviceToHost));
  EXPECT(seen == 7);
  cudaStream_t foreign;
  OK(cudaSetDevice(1));
  bump<<<1, 1>>>(onSecond);
  OK(cudaMemcpy(&seen, onSecond, 4, cudaMemcpyDeviceToHost));
  EXPECT(seen == 6);
  OK(cudaMemcpyFromSymbol(&seen, perDevice, 4));
  EXPECT(seen == 6);
  OK(cudaStreamCreate(&foreign));
  OK(cudaStreamGetDevice(foreign, &value));
  EXPECT(value == 1);
  OK(cudaSetDevice(0));
  bump<<<1, 1, 0, foreign>>>(onFirst);
  GIVES(cudaErrorInvalidResourceHandle, cudaGetLastError());
  cudaEvent_t event;
  OK(cudaEventCreate(&event));
  GIVES(cudaErrorInvalidResourceHandle, cudaEventRecord(event, foreign));
  OK(cudaProfilerStart());
  OK(cudaProfilerStop());
  return failures;
}
