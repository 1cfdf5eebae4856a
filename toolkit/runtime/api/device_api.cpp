// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices: which there are, what they say of themselves, what programs set on them, and who may use whose memory.
#include <cstdio>
#include <cstring>

#include "cuda_profiler_api.h"
#include "cuda_runtime_api.h"
#include "runtime/api/properties.h"
#include "runtime/context.h"
#include "runtime/graph.h"
#include "runtime/settings.h"

namespace uw {
namespace {

constexpr unsigned kDeviceFlags =
    cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;
// Rows of CUDA's documentation: 0 is the least, lower numbers are more urgent.
constexpr int kGreatestPriority = -5;

int deviceCount() {
  return static_cast<int>(settings().devices);
}
bool isDevice(int number) {
  return number >= 0 && number < deviceCount();
}
cudaError_t noSuchDevice() {
  return deviceCount() == 0 ? cudaErrorNoDevice : cudaErrorInvalidDevice;
}
Device& here() {
  return device(currentDevice());
}

// The device that has most of what is asked for; a compute capability that it does not reach counts against it.
int choose(const cudaDeviceProp& wanted) {
  int best = 0;
  int bestScore = -1;
  for (int i = 0; i < deviceCount(); ++i) {
    const cudaDeviceProp& has = properties(i);
    int score = 0;
    score += wanted.major == 0 || has.major * 10 + has.minor >= wanted.major * 10 + wanted.minor;
    score += has.totalGlobalMem >= wanted.totalGlobalMem;
    score += has.multiProcessorCount >= wanted.multiProcessorCount;
    score += has.sharedMemPerBlock >= wanted.sharedMemPerBlock;
    score += std::strncmp(has.name, wanted.name, sizeof has.name) == 0;
    if (score > bestScore) {
      best = i;
      bestScore = score;
    }
  }
  return best;
}

size_t* limitOf(DeviceState& state, cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize:
      return &state.stackBytes;
    case cudaLimitPrintfFifoSize:
      return &state.printfBytes;
    case cudaLimitMallocHeapSize:
      return &state.heapBytes;
    case cudaLimitDevRuntimePendingLaunchCount:
      return &state.pendingLaunches;
    case cudaLimitMaxL2FetchGranularity:
      return &state.fetchGranularity;
    case cudaLimitPersistingL2CacheSize:
      return &state.persistingBytes;
    default:
      return nullptr;
  }
}

cudaError_t unknownLimit(cudaLimit limit) {
  return limit == cudaLimitDevRuntimeSyncDepth ? cudaErrorUnsupportedLimit : cudaErrorInvalidValue;
}

cudaError_t setLimit(cudaLimit limit, size_t value) {
  constexpr size_t kMostStack = 512 * 1024;  // of compute capability 8.0
  DeviceState state = here().state();
  size_t* place = limitOf(state, limit);
  if (!place) return unknownLimit(limit);
  if (limit == cudaLimitStackSize && value > kMostStack) return cudaErrorInvalidValue;
  if (limit == cudaLimitMaxL2FetchGranularity && value > 128) return cudaErrorInvalidValue;
  *place = limit == cudaLimitPersistingL2CacheSize ? 0 : value;  // clamped to what the device has
  here().setState(state);
  return here().stickyError();
}

cudaError_t busId(char* text, int size, int number) {
  if (!text || size < 13) return cudaErrorInvalidValue;
  if (!isDevice(number)) return cudaErrorInvalidDevice;
  const cudaDeviceProp& of = properties(number);
  std::snprintf(text, static_cast<size_t>(size), "%04x:%02x:%02x.0", of.pciDomainID, of.pciBusID, of.pciDeviceID);
  return cudaSuccess;
}

cudaError_t deviceAt(int* number, const char* text) {
  if (!number || !text) return cudaErrorInvalidValue;
  unsigned domain = 0, bus = 0, slot = 0;
  bool full = std::sscanf(text, "%x:%x:%x", &domain, &bus, &slot) == 3;
  if (!full) domain = 0;
  if (!full && std::sscanf(text, "%x:%x", &bus, &slot) != 2) return cudaErrorInvalidValue;
  for (int i = 0; i < deviceCount(); ++i) {
    const cudaDeviceProp& of = properties(i);
    bool same = static_cast<int>(domain) == of.pciDomainID && static_cast<int>(bus) == of.pciBusID;
    if (same && static_cast<int>(slot) == of.pciDeviceID) return *number = i, cudaSuccess;
  }
  return cudaErrorInvalidDevice;
}

cudaError_t openPeer(int peer, unsigned flags) {
  if (flags != 0) return cudaErrorInvalidValue;
  if (!isDevice(peer) || peer == currentDevice()) return cudaErrorInvalidDevice;
  DeviceState state = here().state();
  if (state.peers >> peer & 1) return cudaErrorPeerAccessAlreadyEnabled;
  state.peers |= 1u << peer;
  here().setState(state);
  return cudaSuccess;
}

cudaError_t closePeer(int peer) {
  if (!isDevice(peer)) return cudaErrorInvalidDevice;
  DeviceState state = here().state();
  if ((state.peers >> peer & 1) == 0) return cudaErrorPeerAccessNotEnabled;
  state.peers &= ~(1u << peer);
  here().setState(state);
  return cudaSuccess;
}

cudaError_t peerAttribute(int* value, cudaDeviceP2PAttr attribute, int source, int destination) {
  if (!value) return cudaErrorInvalidValue;
  if (!isDevice(source) || !isDevice(destination) || source == destination) return cudaErrorInvalidDevice;
  switch (attribute) {
    case cudaDevP2PAttrPerformanceRank:
    case cudaDevP2PAttrOnlyPartialNativeAtomicSupported:
      *value = 0;
      return cudaSuccess;
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrNativeAtomicSupported:
    case cudaDevP2PAttrCudaArrayAccessSupported:
      *value = 1;
      return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaError_t setFlags(int number, unsigned flags) {
  unsigned schedule = flags & cudaDeviceScheduleMask;
  bool known = schedule == 0 || schedule == cudaDeviceScheduleSpin || schedule == cudaDeviceScheduleYield ||
               schedule == cudaDeviceScheduleBlockingSync;
  if (!known || (flags & ~kDeviceFlags)) return cudaErrorInvalidValue;
  DeviceState state = device(number).state();
  state.flags = flags;
  device(number).setState(state);
  return cudaSuccess;
}

}  // namespace
}  // namespace uw

using uw::remember;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  if (!count) return remember(cudaErrorInvalidValue);
  *count = uw::deviceCount();
  return *count > 0 ? cudaSuccess : remember(cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int* device) {
  if (!device) return remember(cudaErrorInvalidValue);
  *device = uw::currentDevice();
  return uw::deviceCount() > 0 ? cudaSuccess : remember(cudaErrorNoDevice);
}
cudaError_t cudaSetDevice(int device) {
  if (!uw::isDevice(device)) return remember(uw::noSuchDevice());
  uw::setCurrentDevice(device);
  return remember(uw::here().stickyError());
}
cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  if (!uw::isDevice(device)) return remember(uw::noSuchDevice());
  if (flags & ~cudaInitDeviceFlagsAreValid) return remember(cudaErrorInvalidValue);
  return remember(flags ? uw::setFlags(device, deviceFlags) : cudaSuccess);
}
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* properties, int device) {
  if (!properties) return remember(cudaErrorInvalidValue);
  if (!uw::isDevice(device)) return remember(uw::noSuchDevice());
  *properties = uw::properties(device);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int device) {
  if (!value) return remember(cudaErrorInvalidValue);
  if (!uw::isDevice(device)) return remember(uw::noSuchDevice());
  return remember(uw::attribute(device, attribute, *value) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* properties) {
  if (!device || !properties) return remember(cudaErrorInvalidValue);
  if (uw::deviceCount() == 0) return remember(cudaErrorNoDevice);
  *device = uw::choose(*properties);
  return cudaSuccess;
}
cudaError_t cudaSetValidDevices(int* devices, int count) {
  if (count < 0 || (count > 0 && !devices)) return remember(cudaErrorInvalidValue);
  for (int i = 0; i < count; ++i) {
    if (!uw::isDevice(devices[i])) return remember(cudaErrorInvalidDevice);
  }
  return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  if (!flags) return remember(cudaErrorInvalidValue);
  *flags = uw::here().state().flags | cudaDeviceMapHost;
  return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return remember(uw::setFlags(uw::currentDevice(), flags));
}
cudaError_t cudaDeviceSynchronize(void) {
  if (uw::here().refusal() == cudaErrorNotPermitted) return remember(cudaErrorNotPermitted);
  if (cudaError_t torn = uw::captureRefusal()) return remember(torn);
  uw::here().synchronize();
  return remember(uw::here().refusal());
}
cudaError_t cudaDeviceReset(void) {
  uw::here().reset();
  return cudaSuccess;
}
cudaError_t cudaThreadExit(void) {
  return cudaDeviceReset();
}
cudaError_t cudaThreadSynchronize(void) {
  return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit) {
  if (!value) return remember(cudaErrorInvalidValue);
  uw::DeviceState state = uw::here().state();
  size_t* place = uw::limitOf(state, limit);
  if (!place) return remember(uw::unknownLimit(limit));
  *value = *place;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  return remember(uw::setLimit(limit, value));
}
cudaError_t cudaThreadGetLimit(size_t* value, enum cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* config) {
  if (!config) return remember(cudaErrorInvalidValue);
  *config = uw::here().state().cache;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) return remember(cudaErrorInvalidValue);
  uw::DeviceState state = uw::here().state();
  state.cache = config;
  uw::here().setState(state);
  return cudaSuccess;
}
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config) {
  if (!config) return remember(cudaErrorInvalidValue);
  *config = uw::here().state().sharedConfig;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  // Banks have four bytes on every device since Maxwell; other wishes are accepted and change nothing.
  bool known = config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
  return remember(known ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = uw::kGreatestPriority;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  return remember(uw::busId(text, size, device));
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return remember(uw::deviceAt(device, text));
}
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* elements, const struct cudaChannelFormatDesc* format,
                                                 int device) {
  if (!elements || !format) return remember(cudaErrorInvalidValue);
  if (!uw::isDevice(device)) return remember(uw::noSuchDevice());
  *elements = size_t{1} << 28;
  return cudaSuccess;
}
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget,
                                               enum cudaFlushGPUDirectRDMAWritesScope) {
  return cudaSuccess;  // other devices write into the same memory here: nothing is ever on its way
}
cudaError_t cudaCtxResetPersistingL2Cache(void) {
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (!can) return remember(cudaErrorInvalidValue);
  if (!uw::isDevice(device) || !uw::isDevice(peer)) return remember(cudaErrorInvalidDevice);
  *can = device != peer;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return remember(uw::openPeer(peer, flags));
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return remember(uw::closePeer(peer));
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr attribute, int source, int destination) {
  return remember(uw::peerAttribute(value, attribute, source, destination));
}

cudaError_t cudaDriverGetVersion(int* version) {
  if (!version) return remember(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  if (!version) return remember(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaProfilerStart(void) {
  return cudaSuccess;
}
cudaError_t cudaProfilerStop(void) {
  return cudaSuccess;
}

}  // extern "C"
