// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams of the runtime API: creation, waiting, host functions, attributes. Events: event_api.cpp.
#include <algorithm>
#include <memory>

#include "cuda_runtime_api.h"
#include "runtime/context.h"
#include "runtime/graph.h"

namespace uw {
namespace {

constexpr int kGreatestPriority = -5;

cudaError_t createStream(cudaStream_t* handle, unsigned flags, int priority) {
  if (!handle || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  if (cudaError_t refusal = device(currentDevice()).refusal()) return refusal;
  StreamKind kind = flags == cudaStreamNonBlocking ? StreamKind::nonBlocking : StreamKind::blocking;
  *handle = handleOf(device(currentDevice()).create(kind, std::clamp(priority, kGreatestPriority, 0)));
  return cudaSuccess;
}

// Waiting for a stream that captures can only be a mistake: nothing runs. CUDA ends the capture for it.
bool tearsCapture(Stream& stream) {
  std::shared_ptr<Capture> capture = stream.captureState().capture;
  if (capture) capture->invalid = true;
  return capture != nullptr;
}

// What a stream answers about itself, for handles that mean one.
template <class T, class Read>
cudaError_t ask(cudaStream_t handle, T* out, Read read) {
  if (!out) return cudaErrorInvalidValue;
  std::shared_ptr<Stream> stream = streamOf(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  *out = read(*stream);
  return cudaSuccess;
}

cudaError_t readAttribute(const StreamAttributes& from, cudaLaunchAttributeID which, cudaLaunchAttributeValue& out) {
  out = {};
  switch (which) {
    case cudaLaunchAttributeAccessPolicyWindow:
      return cudaSuccess;
    case cudaLaunchAttributeSynchronizationPolicy:
      out.syncPolicy = static_cast<cudaSynchronizationPolicy>(from.synchronization);
      return cudaSuccess;
    case cudaLaunchAttributePriority:
      out.priority = from.priority;
      return cudaSuccess;
    case cudaLaunchAttributeMemSyncDomain:
      out.memSyncDomain = static_cast<cudaLaunchMemSyncDomain>(from.memoryDomain);
      return cudaSuccess;
    case cudaLaunchAttributeMemSyncDomainMap:
      out.memSyncDomainMap = {from.domainMap[0], from.domainMap[1]};
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t writeAttribute(StreamAttributes& to, cudaLaunchAttributeID which, const cudaLaunchAttributeValue& value) {
  switch (which) {
    case cudaLaunchAttributeAccessPolicyWindow:
      return cudaSuccess;  // advice for a cache that is not there
    case cudaLaunchAttributeSynchronizationPolicy:
      if (value.syncPolicy < cudaSyncPolicyAuto || value.syncPolicy > cudaSyncPolicyBlockingSync) break;
      to.synchronization = value.syncPolicy;
      return cudaSuccess;
    case cudaLaunchAttributePriority:
      to.priority = std::clamp(value.priority, kGreatestPriority, 0);
      return cudaSuccess;
    case cudaLaunchAttributeMemSyncDomain:
      to.memoryDomain = value.memSyncDomain;
      return cudaSuccess;
    case cudaLaunchAttributeMemSyncDomainMap:
      to.domainMap[0] = value.memSyncDomainMap.default_;
      to.domainMap[1] = value.memSyncDomainMap.remote;
      return cudaSuccess;
    default:
      break;
  }
  return cudaErrorInvalidValue;
}

}  // namespace
}  // namespace uw

using uw::remember;
using uw::Stream;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return remember(uw::createStream(stream, 0, 0));
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return remember(uw::createStream(stream, flags, 0));
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return remember(uw::createStream(stream, flags, priority));
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return remember(uw::destroyStream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  std::shared_ptr<Stream> stream = uw::streamOf(handle);
  if (!stream) return remember(cudaErrorInvalidResourceHandle);
  uw::Device& device = uw::device(stream->device());
  if (device.refusal() == cudaErrorNotPermitted) return remember(cudaErrorNotPermitted);
  if (uw::tearsCapture(*stream)) return remember(cudaErrorStreamCaptureUnsupported);
  for (const uw::StreamPoint& point : device.pointsOf(stream)) uw::wait(point);
  return remember(device.stickyError());
}
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  std::shared_ptr<Stream> stream = uw::streamOf(handle);
  if (!stream) return remember(cudaErrorInvalidResourceHandle);
  uw::Device& device = uw::device(stream->device());
  if (cudaError_t sticky = device.stickyError()) return remember(sticky);
  if (uw::tearsCapture(*stream)) return remember(cudaErrorStreamCaptureUnsupported);
  for (const uw::StreamPoint& point : device.pointsOf(stream)) {
    if (!uw::reached(point)) return cudaErrorNotReady;
  }
  return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return remember(uw::ask(stream, priority, [](Stream& one) { return one.attributes().priority; }));
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return remember(uw::ask(stream, flags, [](Stream& one) {
    return one.kind() == uw::StreamKind::nonBlocking ? cudaStreamNonBlocking : cudaStreamDefault;
  }));
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return remember(uw::ask(stream, id, [](Stream& one) { return one.id(); }));
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return remember(uw::ask(stream, device, [](Stream& one) { return one.device(); }));
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* data, unsigned int flags) {
  std::shared_ptr<Stream> stream = uw::streamOf(handle);
  if (!stream) return remember(cudaErrorInvalidResourceHandle);
  if (!callback || flags != 0) return remember(cudaErrorInvalidValue);
  if (uw::tearsCapture(*stream)) return remember(cudaErrorStreamCaptureUnsupported);
  uw::device(stream->device()).enqueueAlways(stream, [=](cudaError_t status) {
    uw::HostFunctionScope inside;
    callback(handle, status, data);
  });
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
  std::shared_ptr<Stream> stream = uw::streamOf(handle);
  if (!stream) return remember(cudaErrorInvalidResourceHandle);
  if (!function) return remember(cudaErrorInvalidValue);
  uw::Device& device = uw::device(stream->device());
  if (cudaError_t refusal = device.refusal(*stream)) return remember(refusal);
  auto work = [=] {
    uw::HostFunctionScope inside;
    function(data);
  };
  if (stream->captureState().capture) {
    uw::addCaptured(*stream, cudaGraphNodeTypeHost, work)->host = {function, data};
    return cudaSuccess;
  }
  device.enqueue(stream, work);
  return cudaSuccess;
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  std::shared_ptr<Stream> target = uw::streamOf(to);
  std::shared_ptr<Stream> source = uw::streamOf(from);
  if (!target || !source) return remember(cudaErrorInvalidResourceHandle);
  target->setAttributes(source->attributes());
  return cudaSuccess;
}
cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
  std::shared_ptr<Stream> stream = uw::streamOf(handle);
  if (!stream) return remember(cudaErrorInvalidResourceHandle);
  if (!value) return remember(cudaErrorInvalidValue);
  return remember(uw::readAttribute(stream->attributes(), attribute, *value));
}
cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
  std::shared_ptr<Stream> stream = uw::streamOf(handle);
  if (!stream) return remember(cudaErrorInvalidResourceHandle);
  if (!value) return remember(cudaErrorInvalidValue);
  uw::StreamAttributes attributes = stream->attributes();
  cudaError_t error = uw::writeAttribute(attributes, attribute, *value);
  if (error == cudaSuccess) stream->setAttributes(attributes);
  return remember(error);
}

}  // extern "C"
