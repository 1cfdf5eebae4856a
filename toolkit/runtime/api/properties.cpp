// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/properties.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "compiler/abi/bytes.h"
#include "runtime/limits.h"
#include "runtime/memory.h"
#include "runtime/settings.h"

namespace uw {
namespace {

// One tick of clock() is a nanosecond here (device_calls.cpp): 1 GHz, in kHz.
constexpr int kClockKhz = 1000000;
constexpr int kMemoryClockKhz = 1000000;
constexpr int kSingleToDouble = 2;

// Textures: limits of compute capability 8.0; no kernel reads textures yet, but programs size images by them.
void fillTextures(cudaDeviceProp& out) {
  auto set = [](int* to, std::vector<int> values) { std::copy(values.begin(), values.end(), to); };
  out.textureAlignment = out.surfaceAlignment = 512;
  out.texturePitchAlignment = 32;
  out.maxTexture1D = 131072;
  out.maxTexture1DMipmap = 32768;
  out.maxTexture1DLinear = 1 << 28;
  set(out.maxTexture2D, {131072, 65536});
  set(out.maxTexture2DMipmap, {32768, 32768});
  set(out.maxTexture2DLinear, {131072, 65000, 2097120});
  set(out.maxTexture2DGather, {32768, 32768});
  set(out.maxTexture3D, {16384, 16384, 16384});
  set(out.maxTexture3DAlt, {8192, 8192, 32768});
  out.maxTextureCubemap = 32768;
  set(out.maxTexture1DLayered, {32768, 2048});
  set(out.maxTexture2DLayered, {32768, 32768, 2048});
  set(out.maxTextureCubemapLayered, {32768, 2046});
  out.maxSurface1D = 32768;
  set(out.maxSurface2D, {131072, 65536});
  set(out.maxSurface3D, {16384, 16384, 16384});
  set(out.maxSurface1DLayered, {32768, 2048});
  set(out.maxSurface2DLayered, {32768, 32768, 2048});
  out.maxSurfaceCubemap = 32768;
  set(out.maxSurfaceCubemapLayered, {32768, 2046});
}

void fillLimits(cudaDeviceProp& out) {
  const DeviceLimits& limits = deviceLimits();
  out.sharedMemPerBlock = limits.sharedBytes;
  out.sharedMemPerBlockOptin = limits.sharedOptInBytes;
  out.sharedMemPerMultiprocessor = limits.processorSharedBytes;
  out.reservedSharedMemPerBlock = limits.sharedReservedBytes;
  out.regsPerBlock = out.regsPerMultiprocessor = 65536;
  out.maxThreadsPerBlock = static_cast<int>(limits.blockThreads);
  for (int axis = 0; axis < 3; ++axis) {
    out.maxThreadsDim[axis] = static_cast<int>(limits.blockDim[axis]);
    out.maxGridSize[axis] = static_cast<int>(limits.gridDim[axis]);
  }
  out.maxThreadsPerMultiProcessor = static_cast<int>(limits.processorThreads);
  out.maxBlocksPerMultiProcessor = static_cast<int>(limits.processorBlocks);
  out.multiProcessorCount = static_cast<int>(limits.processors);
}

// The same device has the same identity in every run; no two devices of a process share one.
void fillIdentity(cudaDeviceProp& out, int index) {
  const DeviceProfile& profile = settings().profile;
  std::strncpy(out.name, profile.name, sizeof out.name - 1);
  uint64_t first = unwarp::abi::hashBytes(profile.target, 1);
  uint64_t second = unwarp::abi::hashBytes(profile.target, static_cast<uint64_t>(index) + 2);
  std::memcpy(out.uuid.bytes, &first, 8);
  std::memcpy(out.uuid.bytes + 8, &second, 8);
  out.pciBusID = index + 1;
  out.major = static_cast<int>(profile.major);
  out.minor = static_cast<int>(profile.minor);
}

cudaDeviceProp make(int index) {
  cudaDeviceProp out;
  std::memset(&out, 0, sizeof out);
  fillIdentity(out, index);
  fillLimits(out);
  fillTextures(out);
  out.totalGlobalMem = deviceMemoryBytes();
  out.warpSize = static_cast<int>(settings().width);
  out.memPitch = 0x7fffffff;
  out.totalConstMem = 65536;
  out.canMapHostMemory = out.concurrentKernels = out.unifiedAddressing = 1;
  out.asyncEngineCount = 3;
  out.memoryBusWidth = 5120;
  out.l2CacheSize = 40 << 20;
  out.streamPrioritiesSupported = out.globalL1CacheSupported = out.localL1CacheSupported = 1;
  out.managedMemory = out.concurrentManagedAccess = out.directManagedMemAccessFromHost = 1;
  out.hostNativeAtomicSupported = out.computePreemptionSupported = out.canUseHostPointerForRegisteredMem = 1;
  out.cooperativeLaunch = out.memoryPoolsSupported = 1;
  out.hostRegisterSupported = out.hostRegisterReadOnlySupported = 1;
  out.unifiedFunctionPointers = 0;
  out.clockRate = kClockKhz;
  out.memoryClockRate = kMemoryClockKhz;
  out.deviceOverlap = out.asyncEngineCount > 0;
  out.computeMode = cudaComputeModeDefault;
  out.singleToDoublePrecisionPerfRatio = kSingleToDouble;
  out.hostNumaId = 0;
  out.deviceNumaId = -1;
  return out;
}

struct Field {
  cudaDeviceAttr attribute;
  int value;
};

std::vector<Field> textureFields(const cudaDeviceProp& of) {
  return {{cudaDevAttrTextureAlignment, static_cast<int>(of.textureAlignment)},
          {cudaDevAttrTexturePitchAlignment, static_cast<int>(of.texturePitchAlignment)},
          {cudaDevAttrSurfaceAlignment, static_cast<int>(of.surfaceAlignment)},
          {cudaDevAttrMaxTexture1DWidth, of.maxTexture1D},
          {cudaDevAttrMaxTexture1DMipmappedWidth, of.maxTexture1DMipmap},
          {cudaDevAttrMaxTexture1DLinearWidth, of.maxTexture1DLinear},
          {cudaDevAttrMaxTexture2DWidth, of.maxTexture2D[0]},
          {cudaDevAttrMaxTexture2DHeight, of.maxTexture2D[1]},
          {cudaDevAttrMaxTexture2DMipmappedWidth, of.maxTexture2DMipmap[0]},
          {cudaDevAttrMaxTexture2DMipmappedHeight, of.maxTexture2DMipmap[1]},
          {cudaDevAttrMaxTexture2DLinearWidth, of.maxTexture2DLinear[0]},
          {cudaDevAttrMaxTexture2DLinearHeight, of.maxTexture2DLinear[1]},
          {cudaDevAttrMaxTexture2DLinearPitch, of.maxTexture2DLinear[2]},
          {cudaDevAttrMaxTexture2DGatherWidth, of.maxTexture2DGather[0]},
          {cudaDevAttrMaxTexture2DGatherHeight, of.maxTexture2DGather[1]},
          {cudaDevAttrMaxTexture3DWidth, of.maxTexture3D[0]},
          {cudaDevAttrMaxTexture3DHeight, of.maxTexture3D[1]},
          {cudaDevAttrMaxTexture3DDepth, of.maxTexture3D[2]},
          {cudaDevAttrMaxTexture3DWidthAlt, of.maxTexture3DAlt[0]},
          {cudaDevAttrMaxTexture3DHeightAlt, of.maxTexture3DAlt[1]},
          {cudaDevAttrMaxTexture3DDepthAlt, of.maxTexture3DAlt[2]},
          {cudaDevAttrMaxTextureCubemapWidth, of.maxTextureCubemap},
          {cudaDevAttrMaxTexture1DLayeredWidth, of.maxTexture1DLayered[0]},
          {cudaDevAttrMaxTexture1DLayeredLayers, of.maxTexture1DLayered[1]},
          {cudaDevAttrMaxTexture2DLayeredWidth, of.maxTexture2DLayered[0]},
          {cudaDevAttrMaxTexture2DLayeredHeight, of.maxTexture2DLayered[1]},
          {cudaDevAttrMaxTexture2DLayeredLayers, of.maxTexture2DLayered[2]},
          {cudaDevAttrMaxTextureCubemapLayeredWidth, of.maxTextureCubemapLayered[0]},
          {cudaDevAttrMaxTextureCubemapLayeredLayers, of.maxTextureCubemapLayered[1]},
          {cudaDevAttrMaxSurface1DWidth, of.maxSurface1D},
          {cudaDevAttrMaxSurface2DWidth, of.maxSurface2D[0]},
          {cudaDevAttrMaxSurface2DHeight, of.maxSurface2D[1]},
          {cudaDevAttrMaxSurface3DWidth, of.maxSurface3D[0]},
          {cudaDevAttrMaxSurface3DHeight, of.maxSurface3D[1]},
          {cudaDevAttrMaxSurface3DDepth, of.maxSurface3D[2]},
          {cudaDevAttrMaxSurface1DLayeredWidth, of.maxSurface1DLayered[0]},
          {cudaDevAttrMaxSurface1DLayeredLayers, of.maxSurface1DLayered[1]},
          {cudaDevAttrMaxSurface2DLayeredWidth, of.maxSurface2DLayered[0]},
          {cudaDevAttrMaxSurface2DLayeredHeight, of.maxSurface2DLayered[1]},
          {cudaDevAttrMaxSurface2DLayeredLayers, of.maxSurface2DLayered[2]},
          {cudaDevAttrMaxSurfaceCubemapWidth, of.maxSurfaceCubemap},
          {cudaDevAttrMaxSurfaceCubemapLayeredWidth, of.maxSurfaceCubemapLayered[0]},
          {cudaDevAttrMaxSurfaceCubemapLayeredLayers, of.maxSurfaceCubemapLayered[1]}};
}

std::vector<Field> limitFields(const cudaDeviceProp& of) {
  return {{cudaDevAttrMaxThreadsPerBlock, of.maxThreadsPerBlock},
          {cudaDevAttrMaxBlockDimX, of.maxThreadsDim[0]},
          {cudaDevAttrMaxBlockDimY, of.maxThreadsDim[1]},
          {cudaDevAttrMaxBlockDimZ, of.maxThreadsDim[2]},
          {cudaDevAttrMaxGridDimX, of.maxGridSize[0]},
          {cudaDevAttrMaxGridDimY, of.maxGridSize[1]},
          {cudaDevAttrMaxGridDimZ, of.maxGridSize[2]},
          {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<int>(of.sharedMemPerBlock)},
          {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(of.sharedMemPerBlockOptin)},
          {cudaDevAttrMaxSharedMemoryPerMultiprocessor, static_cast<int>(of.sharedMemPerMultiprocessor)},
          {cudaDevAttrReservedSharedMemoryPerBlock, static_cast<int>(of.reservedSharedMemPerBlock)},
          {cudaDevAttrTotalConstantMemory, static_cast<int>(of.totalConstMem)},
          {cudaDevAttrWarpSize, of.warpSize},
          {cudaDevAttrMaxPitch, static_cast<int>(of.memPitch)},
          {cudaDevAttrMaxRegistersPerBlock, of.regsPerBlock},
          {cudaDevAttrMaxRegistersPerMultiprocessor, of.regsPerMultiprocessor},
          {cudaDevAttrMultiProcessorCount, of.multiProcessorCount},
          {cudaDevAttrMaxThreadsPerMultiProcessor, of.maxThreadsPerMultiProcessor},
          {cudaDevAttrMaxBlocksPerMultiprocessor, of.maxBlocksPerMultiProcessor},
          {cudaDevAttrL2CacheSize, of.l2CacheSize},
          {cudaDevAttrMaxPersistingL2CacheSize, of.persistingL2CacheMaxSize},
          {cudaDevAttrMaxAccessPolicyWindowSize, of.accessPolicyMaxWindowSize},
          {cudaDevAttrGlobalMemoryBusWidth, of.memoryBusWidth},
          {cudaDevAttrClockRate, kClockKhz},
          {cudaDevAttrMemoryClockRate, kMemoryClockKhz},
          {cudaDevAttrComputeCapabilityMajor, of.major},
          {cudaDevAttrComputeCapabilityMinor, of.minor}};
}

std::vector<Field> abilityFields(const cudaDeviceProp& of) {
  return {{cudaDevAttrGpuOverlap, of.deviceOverlap},
          {cudaDevAttrKernelExecTimeout, of.kernelExecTimeoutEnabled},
          {cudaDevAttrIntegrated, of.integrated},
          {cudaDevAttrCanMapHostMemory, of.canMapHostMemory},
          {cudaDevAttrComputeMode, of.computeMode},
          {cudaDevAttrConcurrentKernels, of.concurrentKernels},
          {cudaDevAttrEccEnabled, of.ECCEnabled},
          {cudaDevAttrPciBusId, of.pciBusID},
          {cudaDevAttrPciDeviceId, of.pciDeviceID},
          {cudaDevAttrPciDomainId, of.pciDomainID},
          {cudaDevAttrTccDriver, of.tccDriver},
          {cudaDevAttrAsyncEngineCount, of.asyncEngineCount},
          {cudaDevAttrUnifiedAddressing, of.unifiedAddressing},
          {cudaDevAttrStreamPrioritiesSupported, of.streamPrioritiesSupported},
          {cudaDevAttrGlobalL1CacheSupported, of.globalL1CacheSupported},
          {cudaDevAttrLocalL1CacheSupported, of.localL1CacheSupported},
          {cudaDevAttrManagedMemory, of.managedMemory},
          {cudaDevAttrIsMultiGpuBoard, of.isMultiGpuBoard},
          {cudaDevAttrMultiGpuBoardGroupID, of.multiGpuBoardGroupID},
          {cudaDevAttrHostNativeAtomicSupported, of.hostNativeAtomicSupported},
          {cudaDevAttrSingleToDoublePrecisionPerfRatio, of.singleToDoublePrecisionPerfRatio},
          {cudaDevAttrPageableMemoryAccess, of.pageableMemoryAccess},
          {cudaDevAttrConcurrentManagedAccess, of.concurrentManagedAccess},
          {cudaDevAttrComputePreemptionSupported, of.computePreemptionSupported},
          {cudaDevAttrCanUseHostPointerForRegisteredMem, of.canUseHostPointerForRegisteredMem},
          {cudaDevAttrCooperativeLaunch, of.cooperativeLaunch},
          {cudaDevAttrCooperativeMultiDeviceLaunch, 0},
          {cudaDevAttrCanFlushRemoteWrites, 0},
          {cudaDevAttrHostRegisterSupported, of.hostRegisterSupported},
          {cudaDevAttrPageableMemoryAccessUsesHostPageTables, of.pageableMemoryAccessUsesHostPageTables},
          {cudaDevAttrDirectManagedMemAccessFromHost, of.directManagedMemAccessFromHost},
          {cudaDevAttrSparseCudaArraySupported, of.sparseCudaArraySupported},
          {cudaDevAttrHostRegisterReadOnlySupported, of.hostRegisterReadOnlySupported},
          {cudaDevAttrTimelineSemaphoreInteropSupported, of.timelineSemaphoreInteropSupported},
          {cudaDevAttrMemoryPoolsSupported, of.memoryPoolsSupported},
          {cudaDevAttrGPUDirectRDMASupported, of.gpuDirectRDMASupported},
          {cudaDevAttrGPUDirectRDMAFlushWritesOptions, static_cast<int>(of.gpuDirectRDMAFlushWritesOptions)},
          {cudaDevAttrGPUDirectRDMAWritesOrdering, of.gpuDirectRDMAWritesOrdering},
          {cudaDevAttrMemoryPoolSupportedHandleTypes, static_cast<int>(of.memoryPoolSupportedHandleTypes)},
          {cudaDevAttrClusterLaunch, of.clusterLaunch},
          {cudaDevAttrDeferredMappingCudaArraySupported, of.deferredMappingCudaArraySupported},
          {cudaDevAttrIpcEventSupport, of.ipcEventSupported},
          {cudaDevAttrMemSyncDomainCount, 1},
          {cudaDevAttrNumaConfig, of.deviceNumaConfig},
          {cudaDevAttrNumaId, of.deviceNumaId},
          {cudaDevAttrMpsEnabled, of.mpsEnabled},
          {cudaDevAttrHostNumaId, of.hostNumaId},
          {cudaDevAttrD3D12CigSupported, 0},
          {cudaDevAttrVulkanCigSupported, 0},
          {cudaDevAttrGpuPciDeviceId, static_cast<int>(of.gpuPciDeviceID)},
          {cudaDevAttrGpuPciSubsystemId, static_cast<int>(of.gpuPciSubsystemID)},
          {cudaDevAttrHostNumaMemoryPoolsSupported, 0},
          {cudaDevAttrHostNumaMultinodeIpcSupported, of.hostNumaMultinodeIpcSupported},
          {cudaDevAttrHostMemoryPoolsSupported, 0},
          {cudaDevAttrOnlyPartialHostNativeAtomicSupported, 0}};
}

bool find(const std::vector<Field>& fields, cudaDeviceAttr which, int& value) {
  for (const Field& field : fields) {
    if (field.attribute != which) continue;
    value = field.value;
    return true;
  }
  return false;
}

}  // namespace

const cudaDeviceProp& properties(int device) {
  static const std::vector<cudaDeviceProp> all = [] {
    std::vector<cudaDeviceProp> made;
    for (uint32_t i = 0; i < settings().devices; ++i) made.push_back(make(static_cast<int>(i)));
    return made;
  }();
  return all[static_cast<size_t>(device)];
}

bool attribute(int device, cudaDeviceAttr which, int& value) {
  const cudaDeviceProp& of = properties(device);
  return find(limitFields(of), which, value) || find(abilityFields(of), which, value) ||
         find(textureFields(of), which, value);
}

}  // namespace uw
