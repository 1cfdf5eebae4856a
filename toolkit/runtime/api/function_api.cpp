// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs ask about kernels and set on them, and occupancy.
#include <algorithm>

#include "cuda_runtime_api.h"
#include "runtime/context.h"
#include "runtime/limits.h"
#include "runtime/program.h"
#include "runtime/settings.h"
#include "runtime/stats.h"

namespace uw {
namespace {

// A CPU has no such registers; this number lets 2048 threads be resident, as simple kernels do.
constexpr int kRegisters = 32;

RegisteredKernel* find(const void* function) {
  std::string error;
  RegisteredKernel* kernel = function ? program().kernel(function, error) : nullptr;
  if (!kernel && function) explain(error);
  return kernel;
}

cudaError_t readAttributes(cudaFuncAttributes& out, const RegisteredKernel& kernel) {
  const DeviceLimits& limits = deviceLimits();
  const DeviceProfile& profile = settings().profile;
  size_t fixed = kernel.record->staticSharedBytes;
  out = {};
  out.sharedSizeBytes = fixed;
  out.maxThreadsPerBlock =
      static_cast<int>(kernel.record->maxThreads ? kernel.record->maxThreads : limits.blockThreads);
  out.numRegs = kRegisters;
  out.ptxVersion = out.binaryVersion = static_cast<int>(profile.major * 10 + profile.minor);
  size_t usual = limits.sharedBytes - std::min(limits.sharedBytes, fixed);
  out.maxDynamicSharedSizeBytes = static_cast<int>(std::max(usual, kernel.dynamicSharedBytes));
  out.preferredShmemCarveout = kernel.carveout;
  return cudaSuccess;
}

cudaError_t setAttribute(RegisteredKernel& kernel, cudaFuncAttribute attribute, int value) {
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize: {
      size_t most = deviceLimits().sharedOptInBytes;
      if (value < 0 || kernel.record->staticSharedBytes + static_cast<size_t>(value) > most) {
        return cudaErrorInvalidValue;
      }
      kernel.dynamicSharedBytes = static_cast<size_t>(value);
      return cudaSuccess;
    }
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared) return cudaErrorInvalidValue;
      kernel.carveout = value;
      return cudaSuccess;
    case cudaFuncAttributeClusterDimMustBeSet:
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      recordUnimplemented("thread block clusters (cudaFuncSetAttribute)");
      return cudaErrorNotSupported;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t occupancy(int* blocks, const void* function, int blockThreads, size_t sharedBytes) {
  if (!blocks) return cudaErrorInvalidValue;
  *blocks = 0;
  RegisteredKernel* kernel = find(function);
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  if (blockThreads <= 0) return cudaErrorInvalidValue;
  auto threads = static_cast<uint32_t>(blockThreads);
  if (kernel->record->maxThreads != 0 && threads > kernel->record->maxThreads) return cudaSuccess;
  *blocks = static_cast<int>(residentBlocks(threads, kernel->record->staticSharedBytes + sharedBytes));
  return cudaSuccess;
}

// The dynamic shared memory with which so many blocks still fit on a processor.
cudaError_t availableShared(size_t* sharedBytes, const void* function, int blocks, int blockThreads) {
  if (!sharedBytes || blocks <= 0 || blockThreads <= 0) return cudaErrorInvalidValue;
  RegisteredKernel* kernel = find(function);
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  const DeviceLimits& limits = deviceLimits();
  if (residentBlocks(static_cast<uint32_t>(blockThreads), 0) < static_cast<uint32_t>(blocks)) {
    return cudaErrorInvalidValue;
  }
  size_t each = limits.processorSharedBytes / static_cast<size_t>(blocks);
  each = std::min(each - std::min(each, limits.sharedReservedBytes), limits.sharedOptInBytes) / 128 * 128;
  *sharedBytes = each - std::min<size_t>(each, kernel->record->staticSharedBytes);
  return cudaSuccess;
}

cudaError_t noClusters(const char* name) {
  recordUnimplemented(name);
  return cudaErrorNotSupported;
}

}  // namespace
}  // namespace uw

using uw::remember;

extern "C" {

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* function) {
  if (!attributes) return remember(cudaErrorInvalidValue);
  uw::RegisteredKernel* kernel = uw::find(function);
  return remember(kernel ? uw::readAttributes(*attributes, *kernel) : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaFuncSetAttribute(const void* function, enum cudaFuncAttribute attribute, int value) {
  uw::RegisteredKernel* kernel = uw::find(function);
  return remember(kernel ? uw::setAttribute(*kernel, attribute, value) : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaFuncSetCacheConfig(const void* function, enum cudaFuncCache config) {
  if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return remember(cudaErrorInvalidValue);
  return remember(uw::find(function) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaFuncSetSharedMemConfig(const void* function, enum cudaSharedMemConfig config) {
  bool known = config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
  if (!known) return remember(cudaErrorInvalidValue);
  return remember(uw::find(function) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaFuncGetName(const char** name, const void* function) {
  if (!name) return remember(cudaErrorInvalidValue);
  uw::RegisteredKernel* kernel = uw::find(function);
  if (!kernel) return remember(cudaErrorInvalidDeviceFunction);
  *name = kernel->name.c_str();
  return cudaSuccess;
}
cudaError_t cudaFuncGetParamInfo(const void* function, size_t number, size_t* offset, size_t* bytes) {
  if (!offset) return remember(cudaErrorInvalidValue);
  uw::RegisteredKernel* kernel = uw::find(function);
  if (!kernel) return remember(cudaErrorInvalidDeviceFunction);
  if (number >= kernel->record->parameters.size()) return remember(cudaErrorInvalidValue);
  *offset = kernel->record->parameters[number].offset;
  if (bytes) *bytes = kernel->record->parameters[number].sizeBytes;
  return cudaSuccess;
}
// The host function stands for the kernel everywhere, so it is its own handle.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  if (!function) return remember(cudaErrorInvalidValue);
  if (!uw::find(symbol)) return remember(cudaErrorInvalidDeviceFunction);
  *function = reinterpret_cast<cudaFunction_t>(const_cast<void*>(symbol));
  return cudaSuccess;
}
cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* symbol) {
  if (!kernel) return remember(cudaErrorInvalidValue);
  if (!uw::find(symbol)) return remember(cudaErrorInvalidDeviceFunction);
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(symbol));
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int blockThreads,
                                                          size_t sharedBytes) {
  return remember(uw::occupancy(blocks, function, blockThreads, sharedBytes));
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int blockThreads,
                                                                   size_t sharedBytes, unsigned int flags) {
  if (flags & ~cudaOccupancyDisableCachingOverride) return remember(cudaErrorInvalidValue);
  return remember(uw::occupancy(blocks, function, blockThreads, sharedBytes));
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* sharedBytes, const void* function, int blocks,
                                                      int blockThreads) {
  return remember(uw::availableShared(sharedBytes, function, blocks, blockThreads));
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int*, const void*, const cudaLaunchConfig_t*) {
  return remember(uw::noClusters("cudaOccupancyMaxPotentialClusterSize"));
}
cudaError_t cudaOccupancyMaxActiveClusters(int*, const void*, const cudaLaunchConfig_t*) {
  return remember(uw::noClusters("cudaOccupancyMaxActiveClusters"));
}
cudaError_t cudaSetDoubleForDevice(double* value) {
  return remember(value ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaSetDoubleForHost(double* value) {
  return remember(value ? cudaSuccess : cudaErrorInvalidValue);
}

}  // extern "C"
