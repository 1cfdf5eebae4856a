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

// A plain copy follows the work of every device whose memory it touches, not only of the one it is called for.
std::vector<StreamPoint> pointsElsewhere(const CopyOrder& order, const Device& here) {
  std::vector<StreamPoint> points;
  for (const char* start : {order.to.start, order.from.start}) {
    std::optional<Allocation> known = memory().find(start);
    if (!known || !isDeviceKind(known->kind) || known->kind == MemoryKind::managed || known->device == here.index())
      continue;
    Device& other = device(known->device);
    for (StreamPoint& point : other.pointsOf(other.legacy())) points.push_back(std::move(point));
  }
  return points;
}

}  // namespace

void copyBox(const Box& to, const Box& from, const BoxExtent& extent) {
  for (size_t z = 0; z < extent.depth; ++z) {
    for (size_t y = 0; y < extent.height; ++y) {
      std::memmove(to.start + z * to.slicePitch + y * to.rowPitch, from.start + z * from.slicePitch + y * from.rowPitch,
                   extent.width);
    }
  }
}

void fillBox(const FillOrder& order) {
  for (size_t z = 0; z < order.extent.depth; ++z) {
    for (size_t y = 0; y < order.extent.height; ++y) {
      std::memset(order.to.start + z * order.to.slicePitch + y * order.to.rowPitch, order.value, order.extent.width);
    }
  }
}

cudaError_t checkCopy(const CopyOrder& order) {
  if (order.kind < cudaMemcpyHostToHost || order.kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (order.extent.empty()) return cudaSuccess;
  if (!order.to.start || !order.from.start) return cudaErrorInvalidValue;
  if (!pitchesFit(order.to, order.extent) || !pitchesFit(order.from, order.extent)) return cudaErrorInvalidPitchValue;
  return checkDirection(order.kind, sideOf(order.to, order.extent), sideOf(order.from, order.extent));
}

cudaError_t checkFill(const FillOrder& order) {
  if (order.extent.empty()) return cudaSuccess;
  if (!order.to.start || !pitchesFit(order.to, order.extent)) return cudaErrorInvalidValue;
  Side side = sideOf(order.to, order.extent);
  // Ordinary memory is no place that the device may fill.
  return side == Side::unknown || side == Side::outside ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t enqueueCopy(const CopyOrder& order) {
  std::shared_ptr<Stream> stream = streamOf(order.stream);
  if (!stream) return cudaErrorInvalidResourceHandle;
  Device& here = device(stream->device());
  if (cudaError_t refusal = here.refusal(*stream)) return refusal;
  if (cudaError_t wrong = checkCopy(order)) return wrong;
  if (order.extent.empty()) return cudaSuccess;
  Side to = sideOf(order.to, order.extent);
  Side from = sideOf(order.from, order.extent);
  size_t bytes = order.extent.width * order.extent.height * order.extent.depth;
  std::shared_ptr<std::vector<char>> keeper;
  Box source = order.from;
  bool later = order.completion == Completion::whenReached && !stream->captureState().capture;
  if (later && from == Side::unknown && to != Side::unknown && bytes <= kStagedBytes) source = staged(order, keeper);
  auto work = [=, to = order.to, extent = order.extent] {
    copyBox(to, keeper ? Box{keeper->data(), source.rowPitch, source.slicePitch} : source, extent);
  };
  bool plain = order.completion == Completion::beforeReturn;
  std::vector<StreamPoint> elsewhere = plain ? pointsElsewhere(order, here) : std::vector<StreamPoint>();
  // Between two places on one device even the plain form returns at once; with the program's own memory none may.
  bool deviceOnly = to == Side::device && from == Side::device && elsewhere.empty();
  StreamPoint point = here.enqueue(stream, work, std::move(elsewhere), cudaGraphNodeTypeMemcpy);
  bool pageable = to == Side::unknown || (from == Side::unknown && !keeper);
  if (pageable || (plain && !deviceOnly)) wait(point);
  return here.stickyError();
}

cudaError_t enqueueFill(const FillOrder& order) {
  std::shared_ptr<Stream> stream = streamOf(order.stream);
  if (!stream) return cudaErrorInvalidResourceHandle;
  Device& here = device(stream->device());
  if (cudaError_t refusal = here.refusal(*stream)) return refusal;
  if (cudaError_t wrong = checkFill(order)) return wrong;
  if (order.extent.empty()) return cudaSuccess;
  StreamPoint point = here.enqueue(stream, [order] { fillBox(order); }, {}, cudaGraphNodeTypeMemset);
  if (sideOf(order.to, order.extent) == Side::host) wait(point);
  return here.stickyError();
}

}  // namespace uw
