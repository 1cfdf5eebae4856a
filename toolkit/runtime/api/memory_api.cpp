// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation: device, pinned, managed and registered memory, and what the API says about a pointer.
#include <algorithm>

#include "cuda_runtime_api.h"
#include "runtime/context.h"
#include "runtime/graph.h"
#include "runtime/memory.h"
#include "runtime/program.h"

namespace uw {
namespace {

// Rows start at multiples of this, as on the devices of the default profile.
constexpr size_t kPitchBytes = 512;
constexpr unsigned kHostFlags = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned kRegisterFlags =
    cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;

cudaError_t allocate(void** pointer, size_t bytes, MemoryKind kind, unsigned flags) {
  if (!pointer) return cudaErrorInvalidValue;
  if (cudaError_t refusal = device(currentDevice()).refusal()) return refusal;
  if (cudaError_t refusal = captureRefusal()) return refusal;
  *pointer = nullptr;
  if (bytes == 0) return kind == MemoryKind::managed ? cudaErrorInvalidValue : cudaSuccess;
  *pointer = memory().allocate(bytes, kind, currentDevice(), flags);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t release(void* pointer, bool deviceKinds) {
  int owner = currentDevice();
  if (pointer) {
    if (auto known = memory().find(pointer)) owner = known->device;
  }
  cudaError_t refusal = device(owner).refusal();
  if (refusal == cudaErrorNotPermitted || refusal == cudaErrorNoDevice) return refusal;
  if (pointer) {
    if (cudaError_t torn = captureRefusal()) return torn;
  }
  // Freeing waits for the device, as CUDA's does: kernels in flight may still use the memory.
  if (pointer) device(owner).synchronize();
  if (cudaError_t sticky = device(owner).stickyError()) return sticky;
  if (!pointer) return cudaSuccess;
  auto known = memory().find(pointer);
  if (known && known->leaving) return cudaErrorInvalidValue;
  return memory().release(pointer, deviceKinds) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t allocatePitched(cudaPitchedPtr* out, cudaExtent extent) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) {
    *out = {nullptr, 0, extent.width, extent.height};
    return cudaSuccess;
  }
  size_t pitch = (extent.width + kPitchBytes - 1) / kPitchBytes * kPitchBytes;
  size_t rows = 0;
  size_t bytes = 0;
  bool tooLarge = pitch < extent.width || __builtin_mul_overflow(extent.height, extent.depth, &rows) ||
                  __builtin_mul_overflow(pitch, rows, &bytes);
  if (tooLarge) return cudaErrorMemoryAllocation;
  void* pointer = nullptr;
  if (cudaError_t error = allocate(&pointer, bytes, MemoryKind::device, 0)) return error;
  *out = {pointer, pitch, extent.width, extent.height};
  return cudaSuccess;
}

bool isHostKind(MemoryKind kind) {
  return kind == MemoryKind::pinned || kind == MemoryKind::registered;
}

cudaPointerAttributes describe(const void* pointer) {
  cudaPointerAttributes out{};
  auto* plain = const_cast<void*>(pointer);
  std::optional<Allocation> known = memory().find(pointer);
  if (!known) {
    bool variable = program().holds(pointer);
    out.type = variable ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
    out.device = variable ? currentDevice() : cudaInvalidDeviceId;
    (variable ? out.devicePointer : out.hostPointer) = plain;
    return out;
  }
  out.device = known->device;
  out.devicePointer = plain;
  bool onlyDevice = known->kind == MemoryKind::device || known->kind == MemoryKind::pooled;
  out.type = onlyDevice ? cudaMemoryTypeDevice : isHostKind(known->kind) ? cudaMemoryTypeHost : cudaMemoryTypeManaged;
  if (!onlyDevice) out.hostPointer = plain;
  return out;
}

}  // namespace
}  // namespace uw

using uw::remember;

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return remember(uw::allocate(pointer, bytes, uw::MemoryKind::device, 0));
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return remember(uw::allocate(pointer, bytes, uw::MemoryKind::pinned, 0));
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  if (flags & ~uw::kHostFlags) return remember(cudaErrorInvalidValue);
  return remember(uw::allocate(pointer, bytes, uw::MemoryKind::pinned, flags));
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return remember(cudaErrorInvalidValue);
  return remember(uw::allocate(pointer, bytes, uw::MemoryKind::managed, flags));
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (!pointer || !pitch) return remember(cudaErrorInvalidValue);
  cudaPitchedPtr made{};
  cudaError_t error = uw::allocatePitched(&made, {width, height, 1});
  *pointer = made.ptr;
  *pitch = made.pitch;
  return remember(error);
}
cudaError_t cudaMalloc3D(struct cudaPitchedPtr* pointer, struct cudaExtent extent) {
  if (!pointer) return remember(cudaErrorInvalidValue);
  return remember(uw::allocatePitched(pointer, extent));
}
cudaError_t cudaFree(void* pointer) {
  return remember(uw::release(pointer, true));
}
cudaError_t cudaFreeHost(void* pointer) {
  return remember(uw::release(pointer, false));
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  if (!pointer || bytes == 0 || (flags & ~uw::kRegisterFlags)) return remember(cudaErrorInvalidValue);
  if (flags & cudaHostRegisterIoMemory) return remember(cudaErrorNotSupported);
  bool fresh = uw::memory().registerHost(pointer, bytes, flags, uw::currentDevice());
  return remember(fresh ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered);
}
cudaError_t cudaHostUnregister(void* pointer) {
  if (!pointer) return remember(cudaErrorInvalidValue);
  uw::device(uw::currentDevice()).synchronize();
  return remember(uw::memory().unregisterHost(pointer) ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  if (!device || !host || flags != 0) return remember(cudaErrorInvalidValue);
  auto known = uw::memory().find(host);
  if (!known || !uw::isHostKind(known->kind)) return remember(cudaErrorInvalidValue);
  *device = host;
  return cudaSuccess;
}
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  if (!flags || !host) return remember(cudaErrorInvalidValue);
  auto known = uw::memory().find(host);
  if (!known || !uw::isHostKind(known->kind)) return remember(cudaErrorInvalidValue);
  // With unified addressing all pinned memory is mapped and portable.
  *flags = known->flags | cudaHostAllocMapped;
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* pointer) {
  if (!attributes) return remember(cudaErrorInvalidValue);
  *attributes = uw::describe(pointer);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  if (!free || !total) return remember(cudaErrorInvalidValue);
  *total = uw::deviceMemoryBytes();
  *free = *total - std::min(*total, uw::memory().usedBytes(uw::currentDevice()));
  return cudaSuccess;
}

}  // extern "C"
