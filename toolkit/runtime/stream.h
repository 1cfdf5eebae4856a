// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams: ordered queues of work, each with a thread of its own, so that what CUDA calls asynchronous is. Order
// between streams is a list of points to wait for, fixed when the work is enqueued: that is all the legacy default
// stream, `cudaStreamWaitEvent` and `cudaDeviceSynchronize` need.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace uw {

class Stream;
struct Capture;
struct GraphNode;

/// "This much of that stream is done."
struct StreamPoint {
  std::shared_ptr<Stream> stream;
  uint64_t number = 0;
};

enum class StreamKind : uint8_t { legacy, blocking, nonBlocking };

/// Settings of a stream that programs write and read back; on a CPU they change nothing.
struct StreamAttributes {
  int synchronization = 1;  // cudaSyncPolicyAuto
  int memoryDomain = 0;
  unsigned char domainMap[2] = {0, 1};
  int priority = 0;
};

/// The capture that a stream takes part in, if any, and the nodes that its next work follows.
struct CaptureState {
  std::shared_ptr<Capture> capture;
  std::vector<GraphNode*> frontier;
};

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(int device, StreamKind kind, int priority) : device_(device), kind_(kind), id_(nextId()) {
    attributes_.priority = priority;
  }
  ~Stream();

  int device() const { return device_; }
  StreamKind kind() const { return kind_; }
  uint64_t id() const { return id_; }
  StreamAttributes attributes();
  void setAttributes(const StreamAttributes& attributes);
  CaptureState captureState();
  void setCaptureState(const CaptureState& state);

  /// Work runs after everything enqueued here before and after all of `after`.
  StreamPoint enqueue(std::function<void()> work, std::vector<StreamPoint> after);
  StreamPoint last();
  bool reached(uint64_t number);
  void wait(uint64_t number);

 private:
  struct Item {
    std::function<void()> work;
    std::vector<StreamPoint> after;
  };
  static uint64_t nextId();
  void serve();
  void runNext(std::unique_lock<std::mutex>& lock);

  int device_;
  StreamKind kind_;
  uint64_t id_;
  StreamAttributes attributes_;
  CaptureState capture_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable advanced_;
  std::deque<Item> queue_;
  uint64_t enqueued_ = 0;
  uint64_t done_ = 0;
  bool stopping_ = false;
  bool serving_ = false;  // a thread runs what is queued
  std::thread thread_;
};

inline bool reached(const StreamPoint& point) {
  return !point.stream || point.stream->reached(point.number);
}
inline void wait(const StreamPoint& point) {
  if (point.stream) point.stream->wait(point.number);
}

}  // namespace uw
