// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between plain memory, to other devices and to device variables, and all fills. Arrays: array_api.cpp.
#include "cuda_runtime_api.h"
#include "runtime/api/copy.h"
#include "runtime/context.h"
#include "runtime/program.h"
#include "runtime/settings.h"

namespace uw {
namespace {

struct Line {
  void* to;
  const void* from;
  size_t bytes;
  cudaMemcpyKind kind;
};

cudaError_t copyLine(const Line& what, cudaStream_t stream, Completion completion) {
  return enqueueCopy({line(what.to), line(what.from), {what.bytes, 1, 1}, what.kind, stream, completion});
}

cudaError_t copyRows(const Line& what, size_t toPitch, size_t fromPitch, size_t height) {
  CopyOrder order{line(what.to), line(what.from), {what.bytes, height, 1}, what.kind, nullptr, Completion::whenReached};
  order.to.rowPitch = toPitch;
  order.from.rowPitch = fromPitch;
  order.completion = Completion::beforeReturn;
  return enqueueCopy(order);
}

cudaError_t copyRowsAsync(const Line& what, size_t toPitch, size_t fromPitch, size_t height, cudaStream_t stream) {
  CopyOrder order{line(what.to), line(what.from), {what.bytes, height, 1}, what.kind, stream, Completion::whenReached};
  order.to.rowPitch = toPitch;
  order.from.rowPitch = fromPitch;
  return enqueueCopy(order);
}

bool isDevice(int number) {
  return number >= 0 && number < static_cast<int>(settings().devices);
}

cudaError_t copyPeer(const Line& what, int toDevice, int fromDevice, cudaStream_t stream, Completion completion) {
  if (!isDevice(toDevice) || !isDevice(fromDevice)) return cudaErrorInvalidDevice;
  return copyLine(what, stream, completion);
}

cudaError_t findSymbol(const void* symbol, size_t offset, size_t bytes, char** address) {
  std::string error;
  DeviceModule::Variable variable = program().variable(symbol, currentDevice(), error);
  if (!variable.address) return explain(error), cudaErrorInvalidSymbol;
  if (offset > variable.sizeBytes || bytes > variable.sizeBytes - offset) return cudaErrorInvalidValue;
  *address = static_cast<char*>(variable.address) + offset;
  return cudaSuccess;
}

struct SymbolPart {
  const void* symbol;
  size_t offset;
};

cudaError_t copyToSymbol(SymbolPart to, Line what, cudaStream_t stream, Completion completion) {
  bool known =
      what.kind == cudaMemcpyHostToDevice || what.kind == cudaMemcpyDeviceToDevice || what.kind == cudaMemcpyDefault;
  if (!known) return cudaErrorInvalidMemcpyDirection;
  char* address = nullptr;
  if (cudaError_t error = findSymbol(to.symbol, to.offset, what.bytes, &address)) return error;
  what.to = address;
  return copyLine(what, stream, completion);
}

cudaError_t copyFromSymbol(SymbolPart from, Line what, cudaStream_t stream, Completion completion) {
  bool known =
      what.kind == cudaMemcpyDeviceToHost || what.kind == cudaMemcpyDeviceToDevice || what.kind == cudaMemcpyDefault;
  if (!known) return cudaErrorInvalidMemcpyDirection;
  char* address = nullptr;
  if (cudaError_t error = findSymbol(from.symbol, from.offset, what.bytes, &address)) return error;
  what.from = address;
  return copyLine(what, stream, completion);
}

cudaError_t fillRows(void* pointer, size_t pitch, int value, BoxExtent extent, cudaStream_t stream) {
  FillOrder order{line(pointer), extent, value, stream};
  order.to.rowPitch = pitch;
  return enqueueFill(order);
}

cudaError_t fillSlices(const cudaPitchedPtr& pointer, int value, const cudaExtent& extent, cudaStream_t stream) {
  FillOrder order{line(pointer.ptr), {extent.width, extent.height, extent.depth}, value, stream};
  order.to.rowPitch = pointer.pitch;
  order.to.slicePitch = pointer.pitch * pointer.ysize;
  return enqueueFill(order);
}

constexpr Completion kNow = Completion::beforeReturn;
constexpr Completion kLater = Completion::whenReached;

}  // namespace
}  // namespace uw

using uw::remember;

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind) {
  return remember(uw::copyLine({to, from, bytes, kind}, nullptr, uw::kNow));
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return remember(uw::copyLine({to, from, bytes, kind}, stream, uw::kLater));
}
cudaError_t cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, size_t bytes) {
  return remember(uw::copyPeer({to, from, bytes, cudaMemcpyDefault}, toDevice, fromDevice, nullptr, uw::kNow));
}
cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice, size_t bytes,
                                cudaStream_t stream) {
  return remember(uw::copyPeer({to, from, bytes, cudaMemcpyDefault}, toDevice, fromDevice, stream, uw::kLater));
}
cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
  return remember(uw::copyRows({to, from, width, kind}, toPitch, fromPitch, height));
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream) {
  return remember(uw::copyRowsAsync({to, from, width, kind}, toPitch, fromPitch, height, stream));
}
cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* bytes, size_t count,
                                 struct cudaMemcpyAttributes* attributes, size_t* attributeStarts,
                                 size_t attributeCount, cudaStream_t stream) {
  bool good = to && from && bytes && attributes && attributeStarts && attributeCount > 0 && count > 0;
  // The default stream is not for batches.
  if (!good || !stream || stream == cudaStreamLegacy) return remember(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) {
    cudaError_t error = uw::copyLine({to[i], from[i], bytes[i], cudaMemcpyDefault}, stream, uw::kLater);
    if (error != cudaSuccess) return remember(error);
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
  return remember(uw::copyToSymbol({symbol, offset}, {nullptr, from, bytes, kind}, nullptr, uw::kNow));
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  return remember(uw::copyToSymbol({symbol, offset}, {nullptr, from, bytes, kind}, stream, uw::kLater));
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  return remember(uw::copyFromSymbol({symbol, offset}, {to, nullptr, bytes, kind}, nullptr, uw::kNow));
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  return remember(uw::copyFromSymbol({symbol, offset}, {to, nullptr, bytes, kind}, stream, uw::kLater));
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  if (!pointer) return remember(cudaErrorInvalidValue);
  char* address = nullptr;
  cudaError_t error = uw::findSymbol(symbol, 0, 0, &address);
  if (error == cudaSuccess) *pointer = address;
  return remember(error);
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  if (!bytes) return remember(cudaErrorInvalidValue);
  std::string error;
  uw::DeviceModule::Variable variable = uw::program().variable(symbol, uw::currentDevice(), error);
  if (!variable.address) return uw::explain(error), remember(cudaErrorInvalidSymbol);
  *bytes = variable.sizeBytes;
  return cudaSuccess;
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return remember(uw::fillRows(pointer, 0, value, {bytes, 1, 1}, nullptr));
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return remember(uw::fillRows(pointer, 0, value, {bytes, 1, 1}, stream));
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return remember(uw::fillRows(pointer, pitch, value, {width, height, 1}, nullptr));
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return remember(uw::fillRows(pointer, pitch, value, {width, height, 1}, stream));
}
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent) {
  return remember(uw::fillSlices(pointer, value, extent, nullptr));
}
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent, cudaStream_t stream) {
  return remember(uw::fillSlices(pointer, value, extent, stream));
}

}  // extern "C"
