// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory functions of the runtime API: allocation, copies, fills, symbols.
#include <algorithm>
#include <cstring>

#include "cuda_runtime_api.h"
#include "runtime/context.h"
#include "runtime/memory.h"
#include "runtime/program.h"

namespace uw {
namespace {

cudaError_t allocate(void** pointer, size_t bytes, MemoryKind kind, unsigned flags) {
  if (!pointer) return cudaErrorInvalidValue;
  if (cudaError_t sticky = device(currentDevice()).stickyError()) return sticky;
  *pointer = nullptr;
  if (bytes == 0 && kind != MemoryKind::managed) return cudaSuccess;
  if (bytes == 0) return cudaErrorInvalidValue;
  *pointer = memory().allocate(bytes, kind, currentDevice(), flags);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t release(void* pointer, bool deviceKinds) {
  if (!pointer) return cudaSuccess;
  // Freeing waits for the device, as CUDA's does: kernels in flight may still use the memory.
  device(currentDevice()).synchronize();
  if (cudaError_t sticky = device(currentDevice()).stickyError()) return sticky;
  return memory().release(pointer, deviceKinds) ? cudaSuccess : cudaErrorInvalidValue;
}

bool isHostMemoryUnknown(const void* pointer) {
  return !memory().find(pointer);
}

// A copy from or to memory the runtime does not know (plain `malloc`, a local array) is done before the call returns,
// as CUDA's staging makes it look; between known allocations it is asynchronous.
cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t handle, bool wait) {
  if (bytes == 0) return cudaSuccess;
  if (!to || !from) return cudaErrorInvalidValue;
  if (kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  std::shared_ptr<Stream> stream = streamOf(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  Device& here = device(stream->device());
  StreamPoint point = here.enqueue(stream, [=] { std::memmove(to, from, bytes); });
  if (wait || isHostMemoryUnknown(from) || isHostMemoryUnknown(to)) uw::wait(point);
  return here.stickyError();
}

cudaError_t fill(void* pointer, int value, size_t bytes, cudaStream_t handle) {
  if (bytes == 0) return cudaSuccess;
  if (!pointer) return cudaErrorInvalidValue;
  std::shared_ptr<Stream> stream = streamOf(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  Device& here = device(stream->device());
  here.enqueue(stream, [=] { std::memset(pointer, value, bytes); });
  return here.stickyError();
}

cudaError_t findSymbol(const void* symbol, size_t offset, size_t bytes, char** address) {
  std::string error;
  DeviceModule::Variable variable = program().variable(symbol, error);
  if (!variable.address) return explain(error), cudaErrorInvalidSymbol;
  if (offset > variable.sizeBytes || bytes > variable.sizeBytes - offset) return cudaErrorInvalidValue;
  *address = static_cast<char*>(variable.address) + offset;
  return cudaSuccess;
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
  return remember(uw::allocate(pointer, bytes, uw::MemoryKind::pinned, flags));
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return remember(cudaErrorInvalidValue);
  return remember(uw::allocate(pointer, bytes, uw::MemoryKind::managed, flags));
}
cudaError_t cudaFree(void* pointer) {
  return remember(uw::release(pointer, true));
}
cudaError_t cudaFreeHost(void* pointer) {
  return remember(uw::release(pointer, false));
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  if (!free || !total) return remember(cudaErrorInvalidValue);
  *total = uw::deviceMemoryBytes();
  *free = *total - uw::memory().usedBytes(uw::currentDevice());
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind) {
  return remember(uw::copy(to, from, bytes, kind, nullptr, true));
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return remember(uw::copy(to, from, bytes, kind, stream, false));
}
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return remember(uw::fill(pointer, value, bytes, nullptr));
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return remember(uw::fill(pointer, value, bytes, stream));
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
  char* address = nullptr;
  if (cudaError_t error = uw::findSymbol(symbol, offset, bytes, &address)) return remember(error);
  return remember(uw::copy(address, from, bytes, kind, nullptr, true));
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  char* address = nullptr;
  if (cudaError_t error = uw::findSymbol(symbol, offset, bytes, &address)) return remember(error);
  return remember(uw::copy(to, address, bytes, kind, nullptr, true));
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  char* address = nullptr;
  cudaError_t error = uw::findSymbol(symbol, 0, 0, &address);
  *pointer = address;
  return remember(error);
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  std::string error;
  uw::DeviceModule::Variable variable = uw::program().variable(symbol, error);
  if (!variable.address) return uw::explain(error), remember(cudaErrorInvalidSymbol);
  *bytes = variable.sizeBytes;
  return cudaSuccess;
}

}  // extern "C"
