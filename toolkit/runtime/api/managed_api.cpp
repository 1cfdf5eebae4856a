// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Advice on managed memory. Host and device share one memory here, so nothing moves; what was advised is kept, because
// programs ask for it, and arguments are checked, because wrong ones are errors on a GPU.
#include <cstring>
#include <map>
#include <mutex>

#include "cuda_runtime_api.h"
#include "runtime/context.h"
#include "runtime/memory.h"
#include "runtime/settings.h"

namespace uw {
namespace {

struct Advice {
  bool readMostly = false;
  cudaMemLocation preferred{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
  cudaMemLocation prefetched{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
  uint32_t accessedBy = 0;  // bit per device
  bool accessedByHost = false;
};

std::mutex gAdviceMutex;
// Kept per allocation: a program that advises on parts reads back what it said last.
std::map<const char*, Advice>& advices() {
  static auto* const instance = new std::map<const char*, Advice>;
  return *instance;
}

bool isKnown(const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice) {
    return location.id >= 0 && location.id < static_cast<int>(settings().devices);
  }
  return location.type == cudaMemLocationTypeHost || location.type == cudaMemLocationTypeHostNuma ||
         location.type == cudaMemLocationTypeHostNumaCurrent;
}

std::optional<Allocation> managed(const void* pointer, size_t bytes) {
  std::optional<Allocation> known = memory().find(pointer);
  if (!known || bytes == 0) return std::nullopt;
  bool kind = known->kind == MemoryKind::managed || known->kind == MemoryKind::managedVariable;
  size_t offset = static_cast<size_t>(static_cast<const char*>(pointer) - known->address);
  return kind && bytes <= known->sizeBytes - offset ? known : std::nullopt;
}

cudaError_t prefetch(const void* pointer, size_t bytes, cudaMemLocation location, cudaStream_t handle) {
  std::optional<Allocation> known = managed(pointer, bytes);
  if (!known) return cudaErrorInvalidValue;
  if (!isKnown(location)) return cudaErrorInvalidDevice;
  std::shared_ptr<Stream> stream = streamOf(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  std::lock_guard lock(gAdviceMutex);
  advices()[known->address].prefetched = location;
  return device(stream->device()).stickyError();
}

cudaError_t advise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) {
  std::optional<Allocation> known = managed(pointer, bytes);
  if (!known) return cudaErrorInvalidValue;
  bool needsPlace = advice != cudaMemAdviseSetReadMostly && advice != cudaMemAdviseUnsetReadMostly &&
                    advice != cudaMemAdviseUnsetPreferredLocation;
  if (needsPlace && !isKnown(location)) return cudaErrorInvalidDevice;
  std::lock_guard lock(gAdviceMutex);
  Advice& kept = advices()[known->address];
  uint32_t bit = location.type == cudaMemLocationTypeDevice && needsPlace ? 1u << location.id : 0;
  switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      kept.readMostly = advice == cudaMemAdviseSetReadMostly;
      return cudaSuccess;
    case cudaMemAdviseSetPreferredLocation:
      kept.preferred = location;
      return cudaSuccess;
    case cudaMemAdviseUnsetPreferredLocation:
      kept.preferred = Advice{}.preferred;
      return cudaSuccess;
    case cudaMemAdviseSetAccessedBy:
      kept.accessedBy |= bit;
      kept.accessedByHost |= bit == 0;
      return cudaSuccess;
    case cudaMemAdviseUnsetAccessedBy:
      kept.accessedBy &= ~bit;
      if (bit == 0) kept.accessedByHost = false;
      return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

int deviceNumber(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice    ? location.id
         : location.type == cudaMemLocationTypeInvalid ? cudaInvalidDeviceId
                                                       : cudaCpuDeviceId;
}

cudaError_t rangeAttribute(int32_t* out, size_t outBytes, cudaMemRangeAttribute attribute, const Advice& kept) {
  if (attribute == cudaMemRangeAttributeAccessedBy) {
    if (outBytes == 0 || outBytes % 4 != 0) return cudaErrorInvalidValue;
    size_t next = 0;
    size_t room = outBytes / 4;
    for (int i = 0; i < 16 && next < room; ++i) {
      if (kept.accessedBy >> i & 1) out[next++] = i;
    }
    if (kept.accessedByHost && next < room) out[next++] = cudaCpuDeviceId;
    while (next < room) out[next++] = cudaInvalidDeviceId;
    return cudaSuccess;
  }
  if (outBytes != 4) return cudaErrorInvalidValue;
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      *out = kept.readMostly;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation:
      *out = deviceNumber(kept.preferred);
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation:
      *out = deviceNumber(kept.prefetched);
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationType:
      *out = kept.preferred.type;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationId:
      *out = kept.preferred.id;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      *out = kept.prefetched.type;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationId:
      *out = kept.prefetched.id;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace
}  // namespace uw

using uw::remember;

extern "C" {

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, struct cudaMemLocation location, unsigned int flags,
                                 cudaStream_t stream) {
  if (flags != 0) return remember(cudaErrorInvalidValue);
  return remember(uw::prefetch(pointer, bytes, location, stream));
}
cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t bytes, struct cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream) {
  return cudaMemPrefetchAsync(pointer, bytes, location, flags, stream);
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
  return remember(uw::advise(pointer, bytes, advice, location));
}
cudaError_t cudaMemAdvise_v2(const void* pointer, size_t bytes, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location) {
  return cudaMemAdvise(pointer, bytes, advice, location);
}
cudaError_t cudaMemRangeGetAttribute(void* value, size_t valueBytes, enum cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t bytes) {
  auto known = uw::managed(pointer, bytes);
  if (!value || !known) return remember(cudaErrorInvalidValue);
  std::lock_guard lock(uw::gAdviceMutex);
  const uw::Advice& kept = uw::advices()[known->address];
  return remember(uw::rangeAttribute(static_cast<int32_t*>(value), valueBytes, attribute, kept));
}
cudaError_t cudaMemRangeGetAttributes(void** values, size_t* valueBytes, enum cudaMemRangeAttribute* attributes,
                                      size_t count, const void* pointer, size_t bytes) {
  if (!values || !valueBytes || !attributes || count == 0) return remember(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) {
    cudaError_t error = cudaMemRangeGetAttribute(values[i], valueBytes[i], attributes[i], pointer, bytes);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* pointer, size_t bytes, unsigned int flags) {
  std::shared_ptr<uw::Stream> stream = uw::streamOf(handle);
  if (!stream) return remember(cudaErrorInvalidResourceHandle);
  bool known = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
  auto allocation = uw::managed(pointer, 1);
  bool whole = allocation && (bytes == 0 || bytes == allocation->sizeBytes);
  bool own = stream->kind() != uw::StreamKind::legacy || flags != cudaMemAttachSingle;
  return remember(known && whole && own ? cudaSuccess : cudaErrorInvalidValue);
}

}  // extern "C"
