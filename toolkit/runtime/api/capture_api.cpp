// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Capture: streams that fill a graph instead of running work. A capture begins in one stream; others join it by waiting
// for its events and must be waited for before it ends.
#include <atomic>
#include <set>

#include "cuda_runtime_api.h"
#include "runtime/api/graph_handles.h"
#include "runtime/context.h"
#include "runtime/graph.h"

namespace uw {
namespace {

bool isMode(cudaStreamCaptureMode mode) {
  return mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed;
}

cudaError_t begin(cudaStream_t handle, cudaStreamCaptureMode mode) {
  static std::atomic<uint64_t> lastId{0};
  if (!isMode(mode)) return cudaErrorInvalidValue;
  std::shared_ptr<Stream> stream = streamOf(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (stream->kind() == StreamKind::legacy) return cudaErrorStreamCaptureUnsupported;
  if (stream->captureState().capture) return cudaErrorIllegalState;
  if (cudaError_t sticky = device(stream->device()).stickyError()) return sticky;
  auto capture = std::make_shared<Capture>();
  capture->graph = std::make_shared<Graph>();
  capture->graph->device = stream->device();
  capture->origin = stream.get();
  capture->id = ++lastId;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->streams.insert(stream);
  stream->setCaptureState({capture, {}});
  noteCapture(capture);
  return cudaSuccess;
}

// True when the end of every stream that joined comes before the end of the stream where the capture began.
bool allJoined(const Capture& capture, const std::vector<GraphNode*>& end) {
  std::set<const GraphNode*> before;
  std::vector<const GraphNode*> open(end.begin(), end.end());
  while (!open.empty()) {
    const GraphNode* node = open.back();
    open.pop_back();
    if (!before.insert(node).second) continue;
    open.insert(open.end(), node->after.begin(), node->after.end());
  }
  for (const auto& stream : capture.streams) {
    for (const GraphNode* node : stream->captureState().frontier) {
      if (!before.count(node)) return false;
    }
  }
  return true;
}

cudaError_t end(cudaStream_t handle, cudaGraph_t* graph) {
  std::shared_ptr<Stream> stream = streamOf(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (!graph) return cudaErrorInvalidValue;
  *graph = nullptr;
  CaptureState state = stream->captureState();
  std::shared_ptr<Capture> capture = state.capture;
  if (!capture) return cudaErrorIllegalState;
  if (capture->origin != stream.get()) return capture->invalid = true, cudaErrorStreamCaptureUnmatched;
  bool otherThread = capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id();
  if (otherThread) return cudaErrorStreamCaptureWrongThread;
  bool joined = allJoined(*capture, state.frontier);
  for (const auto& one : capture->streams) one->setCaptureState({});
  capture->streams.clear();
  forgetCapture(*capture);
  if (capture->invalid) return cudaErrorStreamCaptureInvalidated;
  if (!joined) return cudaErrorStreamCaptureUnjoined;
  *graph = handleOf(capture->graph);
  return cudaSuccess;
}

cudaStreamCaptureStatus statusOf(const CaptureState& state) {
  if (!state.capture) return cudaStreamCaptureStatusNone;
  return state.capture->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

}  // namespace
}  // namespace uw

using uw::remember;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  return remember(uw::begin(stream, mode));
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return remember(uw::end(stream, graph));
}
cudaError_t cudaStreamIsCapturing(cudaStream_t handle, enum cudaStreamCaptureStatus* status) {
  std::shared_ptr<uw::Stream> stream = uw::streamOf(handle);
  if (!stream) return remember(cudaErrorInvalidResourceHandle);
  if (!status) return remember(cudaErrorInvalidValue);
  *status = uw::statusOf(stream->captureState());
  return cudaSuccess;
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, enum cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* dependencyCount) {
  std::shared_ptr<uw::Stream> stream = uw::streamOf(handle);
  if (!stream) return remember(cudaErrorInvalidResourceHandle);
  if (!status) return remember(cudaErrorInvalidValue);
  // Valid until the thread asks again.
  thread_local std::vector<uw::GraphNode*> frontier;
  uw::CaptureState state = stream->captureState();
  frontier = state.frontier;
  *status = uw::statusOf(state);
  if (id) *id = state.capture ? state.capture->id : 0;
  if (graph) *graph = state.capture ? uw::handleOf(state.capture->graph) : nullptr;
  if (dependencies) *dependencies = reinterpret_cast<const cudaGraphNode_t*>(frontier.data());
  if (edges) *edges = nullptr;
  if (dependencyCount) *dependencyCount = frontier.size();
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode* mode) {
  if (!mode || !uw::isMode(*mode)) return remember(cudaErrorInvalidValue);
  std::swap(uw::threadCaptureMode(), *mode);
  return cudaSuccess;
}

}  // extern "C"
