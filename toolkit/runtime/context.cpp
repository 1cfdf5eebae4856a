// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/context.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "runtime/array.h"
#include "runtime/graph.h"
#include "runtime/memory.h"
#include "runtime/program.h"
#include "runtime/settings.h"

namespace uw {
namespace {

thread_local cudaError_t tLastError = cudaSuccess;
thread_local int tDevice = 0;
thread_local bool tPerThreadDefault = false;
thread_local bool tInHostFunction = false;

struct Devices {
  std::vector<std::unique_ptr<Device>> all;
};

// Never destroyed: destructors of the program may still call the API.
Devices& devices() {
  static Devices* const instance = [] {
    auto* made = new Devices;
    // One stands for "none" too: streams and errors need a place.
    for (uint32_t i = 0; i < std::max(1u, settings().devices); ++i)
      made->all.push_back(std::make_unique<Device>(static_cast<int>(i)));
    return made;
  }();
  return *instance;
}

std::mutex gHandleMutex;
std::map<Stream*, std::shared_ptr<Stream>>& handles() {
  static auto* const instance = new std::map<Stream*, std::shared_ptr<Stream>>;
  return *instance;
}

// A thread's own streams, one for each device that it used; they end with the thread.
struct OwnStreams {
  std::map<int, std::shared_ptr<Stream>> byDevice;
  ~OwnStreams() {
    for (const auto& [index, stream] : byDevice) {
      wait(stream->last());
      device(index).destroy(stream.get());
    }
  }
};

// The streams of a device that programs made; their handles mean nothing afterwards.
std::vector<std::shared_ptr<Stream>> takeHandles(int index) {
  std::vector<std::shared_ptr<Stream>> taken;
  std::lock_guard lock(gHandleMutex);
  std::erase_if(handles(), [&](const auto& entry) {
    if (entry.second->device() != index) return false;
    taken.push_back(entry.second);
    return true;
  });
  return taken;
}

}  // namespace

PerThreadScope::PerThreadScope() : before_(tPerThreadDefault) {
  tPerThreadDefault = true;
}
PerThreadScope::~PerThreadScope() {
  tPerThreadDefault = before_;
}

HostFunctionScope::HostFunctionScope() {
  tInHostFunction = true;
}
HostFunctionScope::~HostFunctionScope() {
  tInHostFunction = false;
}

cudaError_t remember(cudaError_t error) {
  // "Not ready" is an answer, no error.
  if (error != cudaSuccess && error != cudaErrorNotReady) tLastError = error;
  return error;
}

cudaError_t lastError(bool clear) {
  cudaError_t sticky = device(currentDevice()).stickyError();
  cudaError_t error = sticky != cudaSuccess ? sticky : tLastError;
  if (clear) tLastError = cudaSuccess;
  return error;
}

void explain(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> said;
  std::lock_guard lock(mutex);
  if (said.insert(text).second) std::fprintf(stderr, "unwarp: %s\n", text.c_str());
}

Device::Device(int index) : index_(index), legacy_(std::make_shared<Stream>(index, StreamKind::legacy, 0)) {}

std::shared_ptr<Stream> Device::create(StreamKind kind, int priority) {
  auto stream = std::make_shared<Stream>(index_, kind, priority);
  std::lock_guard lock(mutex_);
  streams_.insert(stream);
  return stream;
}

std::shared_ptr<Stream> Device::perThread() {
  thread_local OwnStreams own;
  std::shared_ptr<Stream>& stream = own.byDevice[index_];
  if (!stream) stream = create(StreamKind::blocking, 0);
  return stream;
}

bool Device::destroy(Stream* stream) {
  std::lock_guard lock(mutex_);
  for (auto found = streams_.begin(); found != streams_.end(); ++found) {
    if (found->get() != stream) continue;
    streams_.erase(found);
    return true;
  }
  return false;
}

StreamPoint Device::enqueue(const std::shared_ptr<Stream>& stream, std::function<void()> work,
                            std::vector<StreamPoint> more, cudaGraphNodeType type) {
  if (stream->captureState().capture) {
    addCaptured(*stream, type, std::move(work));
    return {};
  }
  return enqueueWork(
      stream,
      [this, work = std::move(work)] {
        if (stickyError() == cudaSuccess) work();
      },
      std::move(more));
}

StreamPoint Device::enqueueAlways(const std::shared_ptr<Stream>& stream, std::function<void(cudaError_t)> work) {
  return enqueueWork(stream, [this, work = std::move(work)] { work(stickyError()); }, {});
}

StreamPoint Device::enqueueWork(const std::shared_ptr<Stream>& stream, std::function<void()> work,
                                std::vector<StreamPoint> more) {
  std::lock_guard lock(mutex_);
  // The legacy stream and blocking streams wait for each other's earlier work.
  if (stream->kind() == StreamKind::legacy) {
    for (const auto& other : streams_) {
      if (other->kind() == StreamKind::blocking) more.push_back(other->last());
    }
  } else if (stream->kind() == StreamKind::blocking) {
    more.push_back(legacy_->last());
  }
  return stream->enqueue(std::move(work), std::move(more));
}

std::vector<StreamPoint> Device::pointsOf(const std::shared_ptr<Stream>& stream) {
  std::vector<StreamPoint> points{stream->last()};
  if (stream->kind() != StreamKind::legacy) return points;
  std::lock_guard lock(mutex_);
  for (const auto& other : streams_) {
    if (other->kind() == StreamKind::blocking) points.push_back(other->last());
  }
  return points;
}

void Device::synchronize() {
  std::vector<StreamPoint> points;
  {
    std::lock_guard lock(mutex_);
    points.push_back(legacy_->last());
    for (const auto& stream : streams_) points.push_back(stream->last());
  }
  for (const StreamPoint& point : points) wait(point);
}

void Device::fault(cudaError_t error) {
  __atomic_store_n(&sticky_, error, __ATOMIC_SEQ_CST);
}
cudaError_t Device::stickyError() {
  return __atomic_load_n(&sticky_, __ATOMIC_SEQ_CST);
}

cudaError_t Device::refusal(Stream& stream) {
  if (cudaError_t general = refusal()) return general;
  if (auto capture = stream.captureState().capture) {
    return capture->invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  }
  if (stream.kind() != StreamKind::legacy) return cudaSuccess;
  std::lock_guard lock(mutex_);
  for (const auto& other : streams_) {
    auto capture = other->kind() == StreamKind::blocking ? other->captureState().capture : nullptr;
    if (!capture) continue;
    capture->invalid = true;
    return cudaErrorStreamCaptureImplicit;
  }
  return cudaSuccess;
}

cudaError_t Device::refusal() {
  if (settings().devices == 0) return cudaErrorNoDevice;
  return tInHostFunction ? cudaErrorNotPermitted : stickyError();
}

void Device::reset() {
  synchronize();
  for (const auto& stream : takeHandles(index_)) destroy(stream.get());
  dropArrays(index_);
  memory().releaseAll(index_);
  program().reset(index_);
  setState({});
  fault(cudaSuccess);
}

DeviceState Device::state() {
  std::lock_guard lock(mutex_);
  return state_;
}

void Device::setState(const DeviceState& state) {
  std::lock_guard lock(mutex_);
  state_ = state;
}

Device& device(int index) {
  return *devices().all[static_cast<size_t>(index)];
}
int currentDevice() {
  return tDevice;
}
void setCurrentDevice(int index) {
  tDevice = index;
}

std::shared_ptr<Stream> streamOf(cudaStream_t handle) {
  Device& here = device(currentDevice());
  if (handle == nullptr && tPerThreadDefault) return here.perThread();
  if (handle == nullptr || handle == cudaStreamLegacy) return here.legacy();
  if (handle == cudaStreamPerThread) return here.perThread();
  std::lock_guard lock(gHandleMutex);
  auto found = handles().find(reinterpret_cast<Stream*>(handle));
  return found == handles().end() ? nullptr : found->second;
}

cudaStream_t handleOf(const std::shared_ptr<Stream>& stream) {
  std::lock_guard lock(gHandleMutex);
  handles()[stream.get()] = stream;
  return reinterpret_cast<cudaStream_t>(stream.get());
}

bool destroyStream(cudaStream_t handle) {
  std::shared_ptr<Stream> stream;
  {
    std::lock_guard lock(gHandleMutex);
    auto found = handles().find(reinterpret_cast<Stream*>(handle));
    if (found == handles().end()) return false;
    stream = found->second;
    handles().erase(found);
  }
  // Work already enqueued is finished before the resources go, as CUDA says; the call itself need not wait, but the
  // order of everything that follows is simpler to promise when it does.
  wait(stream->last());
  device(stream->device()).destroy(stream.get());
  return true;
}

}  // namespace uw
