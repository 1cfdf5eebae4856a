// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays, and the copies that know them: to and from arrays, and all three-dimensional copies.
#include "runtime/array.h"

#include <memory>
#include <mutex>
#include <set>

#include "cuda_runtime_api.h"
#include "runtime/api/copy.h"
#include "runtime/context.h"
#include "runtime/graph.h"
#include "runtime/memory.h"
#include "runtime/settings.h"

namespace uw {
namespace {

constexpr unsigned kArrayFlags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather | cudaArrayColorAttachment;

struct Arrays {
  std::mutex mutex;
  std::set<const cudaArray*> all;
};

Arrays& arrays() {
  static auto* const instance = new Arrays;
  return *instance;
}

cudaError_t createArray(cudaArray_t* out, const cudaChannelFormatDesc* format, cudaExtent extent, unsigned flags) {
  if (!out || !format || extent.width == 0) return cudaErrorInvalidValue;
  if (flags & (cudaArraySparse | cudaArrayDeferredMapping)) return cudaErrorNotSupported;
  if (flags & ~kArrayFlags) return cudaErrorInvalidValue;
  size_t element = elementBytes(*format);
  if (element == 0) return cudaErrorInvalidChannelDescriptor;
  bool cube = (flags & cudaArrayCubemap) != 0;
  if (cube && (extent.width != extent.height || extent.depth == 0 || extent.depth % 6 != 0))
    return cudaErrorInvalidValue;
  auto array = std::make_unique<cudaArray>();
  *array = {*format, extent, flags, element, nullptr, currentDevice()};
  size_t bytes = 0;
  if (__builtin_mul_overflow(array->sliceBytes(), array->slices(), &bytes)) return cudaErrorMemoryAllocation;
  array->data = static_cast<char*>(memory().allocate(bytes, MemoryKind::device, currentDevice()));
  if (!array->data) return cudaErrorMemoryAllocation;
  Arrays& known = arrays();
  std::lock_guard lock(known.mutex);
  *out = array.release();
  known.all.insert(*out);
  return cudaSuccess;
}

cudaError_t destroyArray(cudaArray_t array) {
  if (!array) return cudaSuccess;
  if (!isArray(array)) return cudaErrorInvalidResourceHandle;
  device(array->device).synchronize();
  Arrays& known = arrays();
  std::lock_guard lock(known.mutex);
  known.all.erase(array);
  memory().release(array->data, true);
  delete array;
  return cudaSuccess;
}

// x in bytes: what two-dimensional copies name; false when the part leaves the array.
bool placeInArray(const cudaArray* array, cudaPos bytesAndRows, const BoxExtent& extent, Box& out) {
  bool inside = bytesAndRows.x <= array->rowBytes() && extent.width <= array->rowBytes() - bytesAndRows.x &&
                bytesAndRows.y <= array->rows() && extent.height <= array->rows() - bytesAndRows.y &&
                bytesAndRows.z <= array->slices() && extent.depth <= array->slices() - bytesAndRows.z;
  out.rowPitch = array->rowBytes();
  out.slicePitch = array->sliceBytes();
  out.start =
      array->data + bytesAndRows.z * out.slicePitch + bytesAndRows.y * out.rowPitch + (inside ? bytesAndRows.x : 0);
  return inside;
}

// One side of a three-dimensional copy.
struct Part {
  cudaArray_t array;
  cudaPos position;
  cudaPitchedPtr pointer;
};

cudaError_t place(const Part& part, const BoxExtent& extent, Box& out) {
  if ((part.array != nullptr) == (part.pointer.ptr != nullptr)) return cudaErrorInvalidValue;
  if (part.array) {
    cudaPos position = part.position;
    position.x *= part.array->elementBytes;
    return placeInArray(part.array, position, extent, out) ? cudaSuccess : cudaErrorInvalidValue;
  }
  if (part.pointer.pitch < extent.width + part.position.x && (extent.height > 1 || extent.depth > 1)) {
    return cudaErrorInvalidPitchValue;
  }
  out.rowPitch = part.pointer.pitch;
  out.slicePitch = part.pointer.pitch * part.pointer.ysize;
  if (extent.depth > 1 && part.pointer.ysize < extent.height) return cudaErrorInvalidValue;
  out.start = static_cast<char*>(part.pointer.ptr) + part.position.z * out.slicePitch + part.position.y * out.rowPitch +
              part.position.x;
  return cudaSuccess;
}

// Fills in the places of an order, checked against the arrays and pitches named.
cudaError_t placeSpace(const Part& to, const Part& from, cudaExtent extent, CopyOrder& order) {
  for (const Part* part : {&to, &from}) {
    if (part->array && !isArray(part->array)) return cudaErrorInvalidResourceHandle;
  }
  // With an array on either side the width counts elements, and both sides must have the same.
  size_t element = to.array ? to.array->elementBytes : from.array ? from.array->elementBytes : 1;
  if (to.array && from.array && to.array->elementBytes != from.array->elementBytes) return cudaErrorInvalidValue;
  order.extent = {extent.width * element, extent.height, extent.depth};
  if (order.extent.empty()) return cudaSuccess;
  if (cudaError_t error = place(to, order.extent, order.to)) return error;
  return place(from, order.extent, order.from);
}

cudaError_t copySpace(const Part& to, const Part& from, cudaExtent extent, CopyOrder order) {
  if (cudaError_t error = placeSpace(to, from, extent, order)) return error;
  return order.extent.empty() ? cudaSuccess : enqueueCopy(order);
}

cudaError_t copySpace(const cudaMemcpy3DParms* what, cudaStream_t stream, Completion completion) {
  if (!what) return cudaErrorInvalidValue;
  CopyOrder order;
  order.kind = what->kind;
  order.stream = stream;
  order.completion = completion;
  return copySpace({what->dstArray, what->dstPos, what->dstPtr}, {what->srcArray, what->srcPos, what->srcPtr},
                   what->extent, order);
}

cudaError_t copySpacePeer(const cudaMemcpy3DPeerParms* what, cudaStream_t stream, Completion completion) {
  if (!what) return cudaErrorInvalidValue;
  int devices = static_cast<int>(settings().devices);
  for (int number : {what->srcDevice, what->dstDevice}) {
    if (number < 0 || number >= devices) return cudaErrorInvalidDevice;
  }
  CopyOrder order;
  order.stream = stream;
  order.completion = completion;
  return copySpace({what->dstArray, what->dstPos, what->dstPtr}, {what->srcArray, what->srcPos, what->srcPtr},
                   what->extent, order);
}

struct PlaneCopy {
  cudaArray_const_t array;
  size_t x, y;
  const void* memory;
  size_t pitch;
  size_t width, height;
  cudaMemcpyKind kind;
  cudaStream_t stream = nullptr;
  Completion completion = Completion::beforeReturn;
};

enum class Way { intoArray, outOfArray };

cudaError_t copyPlane(const PlaneCopy& what, Way way) {
  if (!isArray(what.array)) return cudaErrorInvalidResourceHandle;
  CopyOrder order;
  order.extent = {what.width, what.height, 1};
  order.kind = what.kind;
  order.stream = what.stream;
  order.completion = what.completion;
  if (order.extent.empty()) return cudaSuccess;
  Box memorySide = line(what.memory);
  memorySide.rowPitch = what.pitch;
  Box arraySide;
  if (!placeInArray(what.array, {what.x, what.y, 0}, order.extent, arraySide)) return cudaErrorInvalidValue;
  order.to = way == Way::intoArray ? arraySide : memorySide;
  order.from = way == Way::intoArray ? memorySide : arraySide;
  return enqueueCopy(order);
}

// The deprecated one-dimensional forms run on over row ends; rows have no gaps here, so one line does.
cudaError_t copyRun(const PlaneCopy& what, Way way) {
  if (!isArray(what.array)) return cudaErrorInvalidResourceHandle;
  size_t start = what.y * what.array->rowBytes() + what.x;
  size_t all = what.array->sliceBytes() * what.array->slices();
  if (start > all || what.width > all - start) return cudaErrorInvalidValue;
  Box arraySide = line(what.array->data + start);
  Box memorySide = line(what.memory);
  return enqueueCopy({way == Way::intoArray ? arraySide : memorySide,
                      way == Way::intoArray ? memorySide : arraySide,
                      {what.width, 1, 1},
                      what.kind,
                      what.stream,
                      what.completion});
}

constexpr Completion kLater = Completion::whenReached;

}  // namespace

bool isArray(const cudaArray* array) {
  Arrays& known = arrays();
  std::lock_guard lock(known.mutex);
  return known.all.count(array) != 0;
}

void dropArrays(int device) {
  Arrays& known = arrays();
  std::lock_guard lock(known.mutex);
  for (auto array = known.all.begin(); array != known.all.end();) {
    if ((*array)->device != device) {
      ++array;
      continue;
    }
    delete *array;
    array = known.all.erase(array);
  }
}

cudaError_t copyWork(const cudaMemcpy3DParms& what, std::function<void()>& work) {
  CopyOrder order;
  order.kind = what.kind;
  cudaError_t error = placeSpace({what.dstArray, what.dstPos, what.dstPtr}, {what.srcArray, what.srcPos, what.srcPtr},
                                 what.extent, order);
  if (error == cudaSuccess) error = checkCopy(order);
  if (error == cudaSuccess) work = [order] { copyBox(order.to, order.from, order.extent); };
  return error;
}

size_t elementBytes(const cudaChannelFormatDesc& format) {
  const int bits[4] = {format.x, format.y, format.z, format.w};
  int sum = 0;
  bool ended = false;
  for (int one : bits) {
    if (one != 0 && (ended || one != bits[0])) return 0;
    ended |= one == 0;
    sum += one;
  }
  bool known = bits[0] == 8 || bits[0] == 16 || bits[0] == 32;
  bool kind = format.f <= cudaChannelFormatKindFloat && !(format.f == cudaChannelFormatKindFloat && bits[0] == 8);
  bool three = bits[2] != 0 && bits[3] == 0;
  return known && kind && !three ? static_cast<size_t>(sum) / 8 : 0;
}

}  // namespace uw

using uw::remember;
using uw::Way;

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* format, size_t width, size_t height,
                            unsigned int flags) {
  return remember(uw::createArray(array, format, {width, height, 0}, flags));
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const struct cudaChannelFormatDesc* format, struct cudaExtent extent,
                              unsigned int flags) {
  return remember(uw::createArray(array, format, extent, flags));
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  return remember(uw::destroyArray(array));
}
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc* format, struct cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  if (!uw::isArray(array)) return remember(cudaErrorInvalidResourceHandle);
  if (format) *format = array->format;
  if (extent) *extent = array->extent;
  if (flags) *flags = array->flags;
  return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* format, cudaArray_const_t array) {
  if (!format) return remember(cudaErrorInvalidValue);
  if (!uw::isArray(array)) return remember(cudaErrorInvalidResourceHandle);
  *format = array->format;
  return cudaSuccess;
}
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* parameters) {
  return remember(uw::copySpace(parameters, nullptr, uw::Completion::beforeReturn));
}
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return remember(uw::copySpace(parameters, stream, uw::kLater));
}
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms* parameters) {
  return remember(uw::copySpacePeer(parameters, nullptr, uw::Completion::beforeReturn));
}
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return remember(uw::copySpacePeer(parameters, stream, uw::kLater));
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              enum cudaMemcpyKind kind) {
  return remember(uw::copyRun({to, x, y, from, 0, bytes, 1, kind}, Way::intoArray));
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind) {
  return remember(uw::copyRun({from, x, y, to, 0, bytes, 1, kind}, Way::outOfArray));
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream) {
  return remember(uw::copyRun({to, x, y, from, 0, bytes, 1, kind, stream, uw::kLater}, Way::intoArray));
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
  return remember(uw::copyRun({from, x, y, to, 0, bytes, 1, kind, stream, uw::kLater}, Way::outOfArray));
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t fromPitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind) {
  return remember(uw::copyPlane({to, x, y, from, fromPitch, width, height, kind}, Way::intoArray));
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t toPitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, enum cudaMemcpyKind kind) {
  return remember(uw::copyPlane({from, x, y, to, toPitch, width, height, kind}, Way::outOfArray));
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t fromPitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return remember(uw::copyPlane({to, x, y, from, fromPitch, width, height, kind, stream, uw::kLater}, Way::intoArray));
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t toPitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return remember(uw::copyPlane({from, x, y, to, toPitch, width, height, kind, stream, uw::kLater}, Way::outOfArray));
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from, size_t fromX,
                                     size_t fromY, size_t width, size_t height, enum cudaMemcpyKind kind) {
  if (!uw::isArray(to)) return remember(cudaErrorInvalidResourceHandle);
  uw::Box target;
  if (!uw::placeInArray(to, {toX, toY, 0}, {width, height, 1}, target)) return remember(cudaErrorInvalidValue);
  uw::PlaneCopy what{from, fromX, fromY, target.start, target.rowPitch, width, height, kind};
  return remember(uw::copyPlane(what, Way::outOfArray));
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from, size_t fromX,
                                   size_t fromY, size_t bytes, enum cudaMemcpyKind kind) {
  if (!uw::isArray(to)) return remember(cudaErrorInvalidResourceHandle);
  char* target = to->data + toY * to->rowBytes() + toX;
  return remember(uw::copyRun({from, fromX, fromY, target, 0, bytes, 1, kind}, Way::outOfArray));
}

}  // extern "C"
