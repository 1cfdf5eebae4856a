// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events of the runtime API.
#include <chrono>
#include <map>
#include <memory>
#include <mutex>

#include "cuda_runtime_api.h"
#include "runtime/context.h"

namespace uw {
namespace {

using Clock = std::chrono::steady_clock;

// What an event remembers of its last recording. Shared with the stream, which stamps the time when it gets there.
struct Recording {
  StreamPoint point;
  Clock::time_point time;
};

struct Event {
  std::mutex mutex;
  bool timing = true;
  std::shared_ptr<Recording> last;  // null: never recorded
};

std::mutex gEventMutex;
std::map<Event*, std::shared_ptr<Event>>& events() {
  static auto* const instance = new std::map<Event*, std::shared_ptr<Event>>;
  return *instance;
}

std::shared_ptr<Event> eventOf(cudaEvent_t handle) {
  std::lock_guard lock(gEventMutex);
  auto found = events().find(reinterpret_cast<Event*>(handle));
  return found == events().end() ? nullptr : found->second;
}

std::shared_ptr<Recording> lastOf(Event& event) {
  std::lock_guard lock(event.mutex);
  return event.last;
}

cudaError_t createEvent(cudaEvent_t* handle, unsigned flags) {
  if (!handle) return cudaErrorInvalidValue;
  auto event = std::make_shared<Event>();
  event->timing = (flags & cudaEventDisableTiming) == 0;
  std::lock_guard lock(gEventMutex);
  events()[event.get()] = event;
  *handle = reinterpret_cast<cudaEvent_t>(event.get());
  return cudaSuccess;
}

cudaError_t record(cudaEvent_t handle, cudaStream_t streamHandle) {
  std::shared_ptr<Event> event = eventOf(handle);
  std::shared_ptr<Stream> stream = streamOf(streamHandle);
  if (!event || !stream) return cudaErrorInvalidResourceHandle;
  auto recording = std::make_shared<Recording>();
  recording->point = device(stream->device()).enqueue(stream, [recording] { recording->time = Clock::now(); });
  std::lock_guard lock(event->mutex);
  event->last = recording;
  return cudaSuccess;
}

cudaError_t elapsed(float* milliseconds, cudaEvent_t startHandle, cudaEvent_t endHandle) {
  std::shared_ptr<Event> start = eventOf(startHandle);
  std::shared_ptr<Event> end = eventOf(endHandle);
  if (!start || !end || !start->timing || !end->timing) return cudaErrorInvalidResourceHandle;
  std::shared_ptr<Recording> from = lastOf(*start);
  std::shared_ptr<Recording> to = lastOf(*end);
  if (!from || !to) return cudaErrorInvalidResourceHandle;
  if (!reached(from->point) || !reached(to->point)) return cudaErrorNotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(to->time - from->time).count();
  return cudaSuccess;
}

cudaError_t createStream(cudaStream_t* handle, unsigned flags, int priority) {
  if (!handle || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  StreamKind kind = flags == cudaStreamNonBlocking ? StreamKind::nonBlocking : StreamKind::blocking;
  *handle = handleOf(device(currentDevice()).create(kind, priority));
  return cudaSuccess;
}

}  // namespace
}  // namespace uw

using uw::remember;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return remember(uw::createStream(stream, 0, 0));
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return remember(uw::createStream(stream, flags, 0));
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return remember(uw::destroyStream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  std::shared_ptr<uw::Stream> stream = uw::streamOf(handle);
  if (!stream) return remember(cudaErrorInvalidResourceHandle);
  uw::wait(stream->last());
  return remember(uw::device(stream->device()).stickyError());
}
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  std::shared_ptr<uw::Stream> stream = uw::streamOf(handle);
  if (!stream) return remember(cudaErrorInvalidResourceHandle);
  if (cudaError_t sticky = uw::device(stream->device()).stickyError()) return remember(sticky);
  return uw::reached(stream->last()) ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t eventHandle, unsigned int) {
  std::shared_ptr<uw::Stream> stream = uw::streamOf(handle);
  std::shared_ptr<uw::Event> event = uw::eventOf(eventHandle);
  if (!stream || !event) return remember(cudaErrorInvalidResourceHandle);
  if (auto last = uw::lastOf(*event)) uw::device(stream->device()).enqueue(stream, [] {}, {last->point});
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return remember(uw::createEvent(event, 0));
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return remember(uw::createEvent(event, flags));
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return remember(uw::record(event, stream));
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  std::shared_ptr<uw::Event> event = uw::eventOf(handle);
  if (!event) return remember(cudaErrorInvalidResourceHandle);
  if (auto last = uw::lastOf(*event)) uw::wait(last->point);
  return remember(uw::device(uw::currentDevice()).stickyError());
}
cudaError_t cudaEventQuery(cudaEvent_t handle) {
  std::shared_ptr<uw::Event> event = uw::eventOf(handle);
  if (!event) return remember(cudaErrorInvalidResourceHandle);
  auto last = uw::lastOf(*event);
  return !last || uw::reached(last->point) ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (!milliseconds) return remember(cudaErrorInvalidValue);
  return remember(uw::elapsed(milliseconds, start, end));
}
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  std::lock_guard lock(uw::gEventMutex);
  return remember(uw::events().erase(reinterpret_cast<uw::Event*>(handle)) ? cudaSuccess
                                                                           : cudaErrorInvalidResourceHandle);
}

}  // extern "C"
