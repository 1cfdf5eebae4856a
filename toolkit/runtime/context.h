// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices with their streams and the errors of the API: what the functions of `api/` share. A device is a set of
// streams and a count of memory; all devices of a process run on the same worker threads.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "cuda_runtime_api.h"
#include "runtime/stream.h"

namespace uw {

/// Remembers an error for cudaGetLastError and returns it; cudaSuccess passes through.
cudaError_t remember(cudaError_t error);
cudaError_t lastError(bool clear);

/// Prints an explanation once per text: errors of the API are numbers, and a number does not say which kernel.
void explain(const std::string& text);

/// In this scope stream 0 is the calling thread's own stream: what `-default-stream per-thread` means.
class PerThreadScope {
 public:
  PerThreadScope();
  ~PerThreadScope();

 private:
  bool before_;
};

/// Code of the program that a stream runs between its other work. It may not use the API that waits or enqueues.
class HostFunctionScope {
 public:
  HostFunctionScope();
  ~HostFunctionScope();
};

/// What programs set on a device and read back. Only the stack size changes anything here.
struct DeviceState {
  size_t stackBytes = 1024;
  size_t printfBytes = 1 << 20;
  size_t heapBytes = 8 << 20;
  size_t pendingLaunches = 2048;
  size_t fetchGranularity = 64;
  size_t persistingBytes = 0;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  cudaSharedMemConfig sharedConfig = cudaSharedMemBankSizeFourByte;
  unsigned flags = cudaDeviceScheduleAuto;
  uint32_t peers = 0;  // bit per device whose memory this one may use
};

class Device {
 public:
  explicit Device(int index);

  int index() const { return index_; }
  std::shared_ptr<Stream> legacy() const { return legacy_; }
  std::shared_ptr<Stream> perThread();
  std::shared_ptr<Stream> create(StreamKind kind, int priority);
  bool destroy(Stream* stream);

  /// Enqueues in order: with the legacy stream's implicit waits, after `more`, and not at all after a fault.
  /// A stream that is capturing puts the work into its graph instead, as a node of this type.
  StreamPoint enqueue(const std::shared_ptr<Stream>& stream, std::function<void()> work,
                      std::vector<StreamPoint> more = {}, cudaGraphNodeType type = cudaGraphNodeTypeHost);
  /// Also after a fault, whose error the work is told.
  StreamPoint enqueueAlways(const std::shared_ptr<Stream>& stream, std::function<void(cudaError_t)> work);
  /// What waiting for a stream means: its own work, and for the legacy stream that of all blocking streams.
  std::vector<StreamPoint> pointsOf(const std::shared_ptr<Stream>& stream);
  void synchronize();
  /// A fault in a kernel stays: every later call that touches the device returns it.
  void fault(cudaError_t error);
  cudaError_t stickyError();
  /// Why a call that enqueues, waits or allocates cannot be now: the sticky error, or a host function that makes it.
  cudaError_t refusal();
  /// The same for work in a stream: also a capture that the work would tear.
  cudaError_t refusal(Stream& stream);
  /// Frees everything on the device and forgets its fault: it is as it was before the first call.
  void reset();
  DeviceState state();
  void setState(const DeviceState& state);

 private:
  StreamPoint enqueueWork(const std::shared_ptr<Stream>& stream, std::function<void()> work,
                          std::vector<StreamPoint> more);

  int index_;
  std::mutex mutex_;
  std::shared_ptr<Stream> legacy_;
  std::set<std::shared_ptr<Stream>> streams_;
  cudaError_t sticky_ = cudaSuccess;
  DeviceState state_;
};

Device& device(int index);
int currentDevice();
void setCurrentDevice(int index);

/// The stream a handle means on the current device; null for a handle that is none.
std::shared_ptr<Stream> streamOf(cudaStream_t handle);
cudaStream_t handleOf(const std::shared_ptr<Stream>& stream);
/// Forgets a handle; false when it is none.
bool destroyStream(cudaStream_t handle);

}  // namespace uw
