// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events. Each recording is an object of its own, shared with the stream that stamps the time when it gets there, so a
// later recording of the same event disturbs nobody who waits for an earlier one.
#include <chrono>
#include <map>
#include <memory>
#include <mutex>

#include "cuda_runtime_api.h"
#include "runtime/context.h"
#include "runtime/graph.h"
#include "runtime/stats.h"

namespace uw {
namespace {

using Clock = std::chrono::steady_clock;

struct Recording {
  StreamPoint point;
  Clock::time_point time;
  CaptureState captured;  // in a capture an event is an order between nodes, no moment
};

struct Event {
  std::mutex mutex;
  bool timing = true;
  int device = 0;
  std::shared_ptr<Recording> last;  // null: never recorded
};

constexpr unsigned kEventFlags = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

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
  if (!handle || (flags & ~kEventFlags)) return cudaErrorInvalidValue;
  if (cudaError_t refusal = device(currentDevice()).refusal()) return refusal;
  if (flags & cudaEventInterprocess) {
    // CUDA's own rule: an event for other processes has no timing.
    if ((flags & cudaEventDisableTiming) == 0) return cudaErrorInvalidValue;
    recordUnimplemented("cudaEventInterprocess");
    return cudaErrorNotSupported;
  }
  auto event = std::make_shared<Event>();
  event->timing = (flags & cudaEventDisableTiming) == 0;
  event->device = currentDevice();
  std::lock_guard lock(gEventMutex);
  events()[event.get()] = event;
  *handle = reinterpret_cast<cudaEvent_t>(event.get());
  return cudaSuccess;
}

cudaError_t record(cudaEvent_t handle, cudaStream_t streamHandle, unsigned flags) {
  std::shared_ptr<Event> event = eventOf(handle);
  std::shared_ptr<Stream> stream = streamOf(streamHandle);
  if (!event || !stream || event->device != stream->device()) return cudaErrorInvalidResourceHandle;
  if (flags == cudaEventRecordExternal) return cudaErrorIllegalState;  // only while a graph is captured
  if (flags != cudaEventRecordDefault) return cudaErrorInvalidValue;
  auto recording = std::make_shared<Recording>();
  recording->captured = stream->captureState();
  if (recording->captured.capture) {
    std::lock_guard lock(event->mutex);
    event->last = recording;
    return cudaSuccess;
  }
  auto stamp = [recording](cudaError_t) { recording->time = Clock::now(); };
  recording->point = device(stream->device()).enqueueAlways(stream, stamp);
  std::lock_guard lock(event->mutex);
  event->last = recording;
  return device(stream->device()).stickyError();
}

cudaError_t elapsed(float* milliseconds, cudaEvent_t startHandle, cudaEvent_t endHandle) {
  std::shared_ptr<Event> start = eventOf(startHandle);
  std::shared_ptr<Event> end = eventOf(endHandle);
  if (!start || !end || !start->timing || !end->timing) return cudaErrorInvalidResourceHandle;
  std::shared_ptr<Recording> from = lastOf(*start);
  std::shared_ptr<Recording> to = lastOf(*end);
  if (!from || !to || start->device != end->device) return cudaErrorInvalidResourceHandle;
  if (from->captured.capture || to->captured.capture) return cudaErrorCapturedEvent;
  if (!reached(from->point) || !reached(to->point)) return cudaErrorNotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(to->time - from->time).count();
  return cudaSuccess;
}

// A stream that waits for an event of a capture takes part in it from here on.
cudaError_t joinCapture(const std::shared_ptr<Stream>& stream, const CaptureState& recorded) {
  if (stream->kind() == StreamKind::legacy) return cudaErrorStreamCaptureImplicit;
  CaptureState state = stream->captureState();
  if (state.capture && state.capture != recorded.capture) return cudaErrorStreamCaptureMerge;
  state.capture = recorded.capture;
  state.frontier.insert(state.frontier.end(), recorded.frontier.begin(), recorded.frontier.end());
  stream->setCaptureState(state);
  recorded.capture->streams.insert(stream);
  return cudaSuccess;
}

cudaError_t waitFor(cudaStream_t handle, cudaEvent_t eventHandle, unsigned flags) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  std::shared_ptr<Event> event = eventOf(eventHandle);
  if (!stream || !event) return cudaErrorInvalidResourceHandle;
  if (flags != cudaEventWaitDefault)
    return flags == cudaEventWaitExternal ? cudaErrorIllegalState : cudaErrorInvalidValue;
  std::shared_ptr<Recording> last = lastOf(*event);
  if (last && last->captured.capture) return joinCapture(stream, last->captured);
  if (stream->captureState().capture) return last ? cudaErrorStreamCaptureIsolation : cudaSuccess;
  if (last) device(stream->device()).enqueue(stream, [] {}, {last->point});
  return device(stream->device()).stickyError();
}

}  // namespace
}  // namespace uw

using uw::remember;

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return remember(uw::createEvent(event, cudaEventDefault));
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return remember(uw::createEvent(event, flags));
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return remember(uw::record(event, stream, cudaEventRecordDefault));
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  return remember(uw::record(event, stream, flags));
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  std::shared_ptr<uw::Event> event = uw::eventOf(handle);
  if (!event) return remember(cudaErrorInvalidResourceHandle);
  if (uw::device(event->device).refusal() == cudaErrorNotPermitted) return remember(cudaErrorNotPermitted);
  auto last = uw::lastOf(*event);
  if (last && last->captured.capture) return remember(cudaErrorCapturedEvent);
  if (last) uw::wait(last->point);
  return remember(uw::device(event->device).stickyError());
}
cudaError_t cudaEventQuery(cudaEvent_t handle) {
  std::shared_ptr<uw::Event> event = uw::eventOf(handle);
  if (!event) return remember(cudaErrorInvalidResourceHandle);
  if (cudaError_t sticky = uw::device(event->device).stickyError()) return remember(sticky);
  auto last = uw::lastOf(*event);
  if (last && last->captured.capture) return remember(cudaErrorCapturedEvent);
  return !last || uw::reached(last->point) ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (!milliseconds) return remember(cudaErrorInvalidValue);
  return remember(uw::elapsed(milliseconds, start, end));
}
cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return remember(uw::waitFor(stream, event, flags));
}
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  std::lock_guard lock(uw::gEventMutex);
  return remember(uw::events().erase(reinterpret_cast<uw::Event*>(handle)) ? cudaSuccess
                                                                           : cudaErrorInvalidResourceHandle);
}

}  // extern "C"
