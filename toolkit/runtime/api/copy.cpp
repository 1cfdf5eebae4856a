// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/copy.h"

#include <cstring>
#include <memory>
#include <vector>

#include "runtime/context.h"
#include "runtime/memory.h"
#include "runtime/program.h"

namespace uw {
namespace {

// What the runtime knows of one side of a copy.
enum class Side {
  unknown,  // the program's own memory
  host,     // pinned or registered
  device,
  both,  // managed
  outside,
};

// Pageable memory up to this size is copied before the call returns, as CUDA's staging does; more waits for the stream.
constexpr size_t kStagedBytes = 64 * 1024;

size_t spanBytes(const Box& box, const BoxExtent& extent) {
  return (extent.depth - 1) * box.slicePitch + (extent.height - 1) * box.rowPitch + extent.width;
}

Side sideOf(const Box& box, const BoxExtent& extent) {
  std::optional<Allocation> known = memory().find(box.start);
  if (!known) return program().holds(box.start) ? Side::device : Side::unknown;
  size_t room = known->sizeBytes - static_cast<size_t>(box.start - known->address);
  if (spanBytes(box, extent) > room) return Side::outside;
  switch (known->kind) {
    case MemoryKind::device:
    case MemoryKind::pooled:
      return Side::device;
    case MemoryKind::managed:
    case MemoryKind::managedVariable:
      return Side::both;
    default:
      return Side::host;
  }
}

// CUDA refuses a direction that the pointers contradict: ordinary memory where the device reads or writes, device
// memory where the host does.
bool fits(Side side, bool wantsDevice) {
  if (side == Side::outside) return false;
  return wantsDevice ? side != Side::unknown : side != Side::device;
}

cudaError_t checkDirection(cudaMemcpyKind kind, Side to, Side from) {
  if (to == Side::outside || from == Side::outside) return cudaErrorInvalidValue;
  bool good = true;
  switch (kind) {
    case cudaMemcpyHostToHost:
      good = fits(to, false) && fits(from, false);
      break;
    case cudaMemcpyHostToDevice:
      good = fits(to, true) && fits(from, false);
      break;
    case cudaMemcpyDeviceToHost:
      good = fits(to, false) && fits(from, true);
      break;
    case cudaMemcpyDeviceToDevice:
      good = fits(to, true) && fits(from, true);
      break;
    case cudaMemcpyDefault:
      break;
    default:
      return cudaErrorInvalidMemcpyDirection;
  }
  return good ? cudaSuccess : cudaErrorInvalidValue;
}

void copyBox(const Box& to, const Box& from, const BoxExtent& extent) {
  for (size_t z = 0; z < extent.depth; ++z) {
    for (size_t y = 0; y < extent.height; ++y) {
      std::memmove(to.start + z * to.slicePitch + y * to.rowPitch, from.start + z * from.slicePitch + y * from.rowPitch,
                   extent.width);
    }
  }
}

bool pitchesFit(const Box& box, const BoxExtent& extent) {
  return (extent.height == 1 && extent.depth == 1) || box.rowPitch >= extent.width;
}

// Small pageable sources are taken along with the order.
Box staged(const CopyOrder& order, std::shared_ptr<std::vector<char>>& keeper) {
  const BoxExtent& extent = order.extent;
  keeper = std::make_shared<std::vector<char>>(extent.width * extent.height * extent.depth);
  Box box{keeper->data(), extent.width, extent.width * extent.height};
  copyBox(box, order.from, extent);
  return box;
}

}  // namespace

cudaError_t enqueueCopy(const CopyOrder& order) {
  std::shared_ptr<Stream> stream = streamOf(order.stream);
  if (!stream) return cudaErrorInvalidResourceHandle;
  Device& here = device(stream->device());
  if (cudaError_t refusal = here.refusal()) return refusal;
  if (order.kind < cudaMemcpyHostToHost || order.kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (order.extent.empty()) return cudaSuccess;
  if (!order.to.start || !order.from.start) return cudaErrorInvalidValue;
  if (!pitchesFit(order.to, order.extent) || !pitchesFit(order.from, order.extent)) return cudaErrorInvalidPitchValue;
  Side to = sideOf(order.to, order.extent);
  Side from = sideOf(order.from, order.extent);
  if (cudaError_t wrong = checkDirection(order.kind, to, from)) return wrong;
  size_t bytes = order.extent.width * order.extent.height * order.extent.depth;
  std::shared_ptr<std::vector<char>> keeper;
  Box source = order.from;
  bool unordered = from == Side::unknown && to != Side::unknown && bytes <= kStagedBytes;
  if (unordered && order.completion == Completion::whenReached) source = staged(order, keeper);
  StreamPoint point = here.enqueue(stream, [=, to = order.to, extent = order.extent] {
    copyBox(to, keeper ? Box{keeper->data(), source.rowPitch, source.slicePitch} : source, extent);
  });
  // Between two places on devices even the plain form returns at once; with the program's own memory none may.
  bool deviceOnly = to == Side::device && from == Side::device;
  bool pageable = to == Side::unknown || (from == Side::unknown && !keeper);
  if (pageable || (order.completion == Completion::beforeReturn && !deviceOnly)) wait(point);
  return here.stickyError();
}

cudaError_t enqueueFill(const FillOrder& order) {
  std::shared_ptr<Stream> stream = streamOf(order.stream);
  if (!stream) return cudaErrorInvalidResourceHandle;
  Device& here = device(stream->device());
  if (cudaError_t refusal = here.refusal()) return refusal;
  if (order.extent.empty()) return cudaSuccess;
  if (!order.to.start) return cudaErrorInvalidValue;
  if (!pitchesFit(order.to, order.extent)) return cudaErrorInvalidValue;
  Side side = sideOf(order.to, order.extent);
  // Ordinary memory is no place that the device may fill.
  if (side == Side::unknown || side == Side::outside) return cudaErrorInvalidValue;
  StreamPoint point = here.enqueue(stream, [order] {
    for (size_t z = 0; z < order.extent.depth; ++z) {
      for (size_t y = 0; y < order.extent.height; ++y) {
        std::memset(order.to.start + z * order.to.slicePitch + y * order.to.rowPitch, order.value, order.extent.width);
      }
    }
  });
  if (side == Side::host) wait(point);
  return here.stickyError();
}

}  // namespace uw
