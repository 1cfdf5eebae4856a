// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices and errors of the runtime API.
#include <cstring>

#include "cuda_runtime_api.h"
#include "runtime/context.h"
#include "runtime/memory.h"
#include "runtime/settings.h"

namespace uw {
namespace {

struct ErrorText {
  cudaError_t code;
  const char* name;
  const char* text;
};

#define UW_ERROR(NAME, TEXT) {NAME, #NAME, TEXT}
constexpr ErrorText kErrors[] = {
    UW_ERROR(cudaSuccess, "no error"),
    UW_ERROR(cudaErrorInvalidValue, "invalid argument"),
    UW_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    UW_ERROR(cudaErrorInitializationError, "initialization error"),
    UW_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    UW_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    UW_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    UW_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    UW_ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    UW_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    UW_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    UW_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    UW_ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    UW_ERROR(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    UW_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    UW_ERROR(cudaErrorNotReady, "device not ready"),
    UW_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    UW_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    UW_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    UW_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    UW_ERROR(cudaErrorAssert, "device-side assert triggered"),
    UW_ERROR(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    UW_ERROR(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    UW_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    UW_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    UW_ERROR(cudaErrorNotSupported, "operation not supported"),
    UW_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef UW_ERROR

const ErrorText* find(cudaError_t code) {
  for (const ErrorText& error : kErrors) {
    if (error.code == code) return &error;
  }
  return nullptr;
}

// Limits of the default profile are those of compute capability 8.0 (Programming Guide, "Compute Capabilities").
void fillProperties(cudaDeviceProp& out, int index) {
  const DeviceProfile& profile = settings().profile;
  std::memset(&out, 0, sizeof out);
  std::strncpy(out.name, profile.name, sizeof out.name - 1);
  out.totalGlobalMem = deviceMemoryBytes();
  out.sharedMemPerBlock = std::min<size_t>(size_t{profile.sharedKib} * 1024, profile.lockstep ? SIZE_MAX : 48 * 1024);
  out.sharedMemPerBlockOptin = size_t{profile.sharedKib} * 1024;
  out.sharedMemPerMultiprocessor = size_t{profile.sharedKib} * 1024 + (profile.lockstep ? 0 : 1024);
  out.reservedSharedMemPerBlock = profile.lockstep ? 0 : 1024;
  out.regsPerBlock = out.regsPerMultiprocessor = 65536;
  out.warpSize = static_cast<int>(settings().width);
  out.memPitch = 0x7fffffff;
  out.maxThreadsPerBlock = 1024;
  out.maxThreadsDim[0] = out.maxThreadsDim[1] = 1024;
  out.maxThreadsDim[2] = 64;
  out.maxGridSize[0] = 0x7fffffff;
  out.maxGridSize[1] = out.maxGridSize[2] = 65535;
  out.totalConstMem = 65536;
  out.major = static_cast<int>(profile.major);
  out.minor = static_cast<int>(profile.minor);
  out.textureAlignment = 512;
  out.texturePitchAlignment = 32;
  out.multiProcessorCount = static_cast<int>(settings().threads);
  out.canMapHostMemory = out.concurrentKernels = out.unifiedAddressing = 1;
  out.pciBusID = index + 1;
  out.asyncEngineCount = 3;
  out.memoryBusWidth = 5120;
  out.l2CacheSize = 40 << 20;
  out.maxThreadsPerMultiProcessor = 2048;
  out.maxBlocksPerMultiProcessor = 32;
  out.streamPrioritiesSupported = out.globalL1CacheSupported = out.localL1CacheSupported = 1;
  out.managedMemory = out.concurrentManagedAccess = out.pageableMemoryAccess = 1;
  out.hostNativeAtomicSupported = out.computePreemptionSupported = out.canUseHostPointerForRegisteredMem = 1;
  out.cooperativeLaunch = out.memoryPoolsSupported = out.hostRegisterSupported = 1;
}

}  // namespace
}  // namespace uw

using uw::remember;

extern "C" {

cudaError_t cudaGetLastError(void) {
  return uw::lastError(true);
}
cudaError_t cudaPeekAtLastError(void) {
  return uw::lastError(false);
}
const char* cudaGetErrorName(cudaError_t error) {
  const uw::ErrorText* known = uw::find(error);
  return known ? known->name : "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) {
  const uw::ErrorText* known = uw::find(error);
  return known ? known->text : "unrecognized error code";
}

cudaError_t cudaGetDeviceCount(int* count) {
  if (!count) return remember(cudaErrorInvalidValue);
  *count = static_cast<int>(uw::settings().devices);
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  if (!device) return remember(cudaErrorInvalidValue);
  *device = uw::currentDevice();
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= static_cast<int>(uw::settings().devices)) return remember(cudaErrorInvalidDevice);
  uw::setCurrentDevice(device);
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* properties, int device) {
  if (!properties) return remember(cudaErrorInvalidValue);
  if (device < 0 || device >= static_cast<int>(uw::settings().devices)) return remember(cudaErrorInvalidDevice);
  uw::fillProperties(*properties, device);
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) {
  uw::Device& here = uw::device(uw::currentDevice());
  here.synchronize();
  return remember(here.stickyError());
}
cudaError_t cudaDeviceReset(void) {
  uw::device(uw::currentDevice()).reset();
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

}  // extern "C"
