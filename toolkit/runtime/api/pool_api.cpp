// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory in the order of a stream. It is there when the call returns; it goes when the stream reaches the free. What
// waits to be freed still counts, so an allocation that does not fit waits once for the device and tries again.
#include <algorithm>
#include <mutex>
#include <set>

#include "cuda_runtime_api.h"
#include "runtime/context.h"
#include "runtime/graph.h"
#include "runtime/memory.h"
#include "runtime/pool_memory.h"
#include "runtime/settings.h"
#include "runtime/stats.h"

namespace uw {
namespace {

struct Pools {
  std::mutex mutex;
  MemoryPool defaults[16];
  MemoryPool* current[16] = {};
  std::set<MemoryPool*> all;
};

Pools& pools() {
  static Pools* const instance = [] {
    auto* made = new Pools;
    for (int i = 0; i < 16; ++i) {
      made->defaults[i].device = i;
      made->defaults[i].isDefault = true;
      made->current[i] = &made->defaults[i];
      made->all.insert(&made->defaults[i]);
    }
    return made;
  }();
  return *instance;
}

MemoryPool* poolOf(cudaMemPool_t handle) {
  Pools& known = pools();
  std::lock_guard lock(known.mutex);
  auto* pool = reinterpret_cast<MemoryPool*>(handle);
  return known.all.count(pool) ? pool : nullptr;
}

cudaMemPool_t poolHandle(MemoryPool* pool) {
  return reinterpret_cast<cudaMemPool_t>(pool);
}

bool isDevice(int number) {
  return number >= 0 && number < static_cast<int>(settings().devices);
}

cudaError_t allocate(void** pointer, size_t bytes, MemoryPool* pool, cudaStream_t handle) {
  if (!pointer || !pool) return cudaErrorInvalidValue;
  std::shared_ptr<Stream> stream = streamOf(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  Device& here = device(pool->device);
  if (cudaError_t refusal = here.refusal()) return refusal;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (pool->mostBytes != 0 && pool->usedBytes + bytes > pool->mostBytes) return cudaErrorMemoryAllocation;
  for (int attempt = 0; attempt < 2 && !*pointer; ++attempt) {
    if (attempt == 1) here.synchronize();
    *pointer = memory().allocate(bytes, MemoryKind::pooled, pool->device, 0, pool);
  }
  if (!*pointer) return cudaErrorMemoryAllocation;
  if (auto capture = stream->captureState().capture) {
    // Memory of a graph's own is there as long as the graph is: every launch uses the same.
    capture->graph->memory.push_back(*pointer);
    addCaptured(*stream, cudaGraphNodeTypeMemAlloc, {});
  }
  return cudaSuccess;
}

cudaError_t release(void* pointer, cudaStream_t handle) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  Device& here = device(stream->device());
  if (cudaError_t refusal = here.refusal()) return refusal;
  if (!pointer) return cudaSuccess;
  if (auto capture = stream->captureState().capture) {
    const std::vector<void*>& own = capture->graph->memory;
    if (std::find(own.begin(), own.end(), pointer) == own.end()) {
      recordUnimplemented("cudaFreeAsync of memory that another graph or call allocated, in a capture");
      return cudaErrorNotSupported;
    }
    addCaptured(*stream, cudaGraphNodeTypeMemFree, {});
    return cudaSuccess;
  }
  if (!memory().markLeaving(pointer)) return cudaErrorInvalidValue;
  here.enqueue(stream, [pointer] { memory().release(pointer, true); });
  return cudaSuccess;
}

template <class T>
cudaError_t access(std::atomic<T>& field, void* value, bool write) {
  if (write) {
    field = *static_cast<T*>(value);
  } else {
    *static_cast<T*>(value) = field;
  }
  return cudaSuccess;
}

cudaError_t attribute(cudaMemPool_t handle, cudaMemPoolAttr which, void* value, bool write) {
  MemoryPool* pool = poolOf(handle);
  if (!pool || !value) return cudaErrorInvalidValue;
  bool resets = which == cudaMemPoolAttrReservedMemHigh || which == cudaMemPoolAttrUsedMemHigh;
  if (write && resets && *static_cast<uint64_t*>(value) == 0) {
    pool->highBytes = pool->usedBytes.load();
    return cudaSuccess;
  }
  switch (which) {
    case cudaMemPoolReuseFollowEventDependencies:
      return access(pool->followEvents, value, write);
    case cudaMemPoolReuseAllowOpportunistic:
      return access(pool->opportunistic, value, write);
    case cudaMemPoolReuseAllowInternalDependencies:
      return access(pool->internalDependencies, value, write);
    case cudaMemPoolAttrReleaseThreshold:
      return access(pool->releaseThreshold, value, write);
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      return write ? cudaErrorInvalidValue : access(pool->usedBytes, value, false);
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      return write ? cudaErrorInvalidValue : access(pool->highBytes, value, false);
  }
  return cudaErrorInvalidValue;
}

cudaError_t createPool(cudaMemPool_t* handle, const cudaMemPoolProps* properties) {
  if (!handle || !properties) return cudaErrorInvalidValue;
  if (properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
  if (properties->handleTypes != cudaMemHandleTypeNone) {
    recordUnimplemented("cudaMemPoolCreate with a handle to share");
    return cudaErrorNotSupported;
  }
  bool here = properties->location.type == cudaMemLocationTypeDevice && isDevice(properties->location.id);
  if (!here) return cudaErrorInvalidValue;
  auto* pool = new MemoryPool;
  pool->device = properties->location.id;
  pool->mostBytes = properties->maxSize;
  Pools& known = pools();
  std::lock_guard lock(known.mutex);
  known.all.insert(pool);
  *handle = poolHandle(pool);
  return cudaSuccess;
}

cudaError_t destroyPool(cudaMemPool_t handle) {
  MemoryPool* pool = poolOf(handle);
  if (!pool || pool->isDefault) return cudaErrorInvalidValue;
  device(pool->device).synchronize();
  Pools& known = pools();
  std::lock_guard lock(known.mutex);
  known.all.erase(pool);
  if (known.current[pool->device] == pool) known.current[pool->device] = &known.defaults[pool->device];
  // Memory that is still in use keeps pointing to its pool's counters.
  if (pool->usedBytes == 0) delete pool;
  return cudaSuccess;
}

cudaError_t setAccess(cudaMemPool_t handle, const cudaMemAccessDesc* descriptions, size_t count) {
  MemoryPool* pool = poolOf(handle);
  if (!pool || (!descriptions && count > 0)) return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    const cudaMemLocation& place = descriptions[i].location;
    if (place.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
    if (!isDevice(place.id)) return cudaErrorInvalidDevice;
    bool own = place.id == pool->device;
    if (own && descriptions[i].flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidValue;
    uint32_t bit = 1u << place.id;
    descriptions[i].flags == cudaMemAccessFlagsProtNone ? pool->peers &= ~bit : pool->peers |= bit;
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace uw

using uw::remember;

extern "C" {

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t handle) {
  std::shared_ptr<uw::Stream> stream = uw::streamOf(handle);
  if (!stream) return remember(cudaErrorInvalidResourceHandle);
  return remember(uw::allocate(pointer, bytes, uw::pools().current[stream->device()], handle));
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return remember(uw::allocate(pointer, bytes, uw::poolOf(pool), stream));
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return remember(uw::release(pointer, stream));
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (!pool) return remember(cudaErrorInvalidValue);
  if (!uw::isDevice(device)) return remember(cudaErrorInvalidDevice);
  *pool = uw::poolHandle(&uw::pools().defaults[device]);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  if (!pool) return remember(cudaErrorInvalidValue);
  if (!uw::isDevice(device)) return remember(cudaErrorInvalidDevice);
  *pool = uw::poolHandle(uw::pools().current[device]);
  return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
  if (!uw::isDevice(device)) return remember(cudaErrorInvalidDevice);
  uw::MemoryPool* pool = uw::poolOf(handle);
  if (!pool || pool->device != device) return remember(cudaErrorInvalidValue);
  uw::pools().current[device] = pool;
  return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const struct cudaMemPoolProps* properties) {
  return remember(uw::createPool(pool, properties));
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return remember(uw::destroyPool(pool));
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return remember(uw::poolOf(pool) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void* value) {
  return remember(uw::attribute(pool, attribute, value, true));
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void* value) {
  return remember(uw::attribute(pool, attribute, value, false));
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc* descriptions, size_t count) {
  return remember(uw::setAccess(pool, descriptions, count));
}
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags* flags, cudaMemPool_t handle,
                                 struct cudaMemLocation* location) {
  uw::MemoryPool* pool = uw::poolOf(handle);
  if (!flags || !pool || !location) return remember(cudaErrorInvalidValue);
  if (!uw::isDevice(location->id)) return remember(cudaErrorInvalidDevice);
  bool open = location->id == pool->device || (pool->peers >> location->id & 1) != 0;
  *flags = open ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
  return cudaSuccess;
}

}  // extern "C"
