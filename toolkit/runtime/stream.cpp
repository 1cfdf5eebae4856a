// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stream.h"

#include <atomic>

namespace uw {

Stream::~Stream() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  // The last reference may be dropped by the stream's own work.
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

uint64_t Stream::nextId() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

StreamAttributes Stream::attributes() {
  std::lock_guard lock(mutex_);
  return attributes_;
}

void Stream::setAttributes(const StreamAttributes& attributes) {
  std::lock_guard lock(mutex_);
  attributes_ = attributes;
}

CaptureState Stream::captureState() {
  std::lock_guard lock(mutex_);
  return capture_;
}

void Stream::setCaptureState(const CaptureState& state) {
  std::lock_guard lock(mutex_);
  capture_ = state;
}

StreamPoint Stream::enqueue(std::function<void()> work, std::vector<StreamPoint> after) {
  std::lock_guard lock(mutex_);
  queue_.push_back({std::move(work), std::move(after)});
  ++enqueued_;
  if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
  wake_.notify_one();
  return {shared_from_this(), enqueued_};
}

StreamPoint Stream::last() {
  std::lock_guard lock(mutex_);
  return {shared_from_this(), enqueued_};
}

bool Stream::reached(uint64_t number) {
  std::lock_guard lock(mutex_);
  return done_ >= number;
}

// A thread that waits while nobody works for the stream does the work itself: no hand-over, which costs more than most
// short kernels.
void Stream::wait(uint64_t number) {
  std::unique_lock lock(mutex_);
  if (!serving_ && done_ < number) {
    serving_ = true;
    while (done_ < number) runNext(lock);
    serving_ = false;
    if (!queue_.empty() || stopping_) wake_.notify_one();
    return;
  }
  advanced_.wait(lock, [&] { return done_ >= number; });
}

void Stream::runNext(std::unique_lock<std::mutex>& lock) {
  Item item = std::move(queue_.front());
  queue_.pop_front();
  lock.unlock();
  for (const StreamPoint& point : item.after) uw::wait(point);
  if (item.work) item.work();
  item = {};
  lock.lock();
  ++done_;
  advanced_.notify_all();
}

void Stream::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return !serving_ && (stopping_ || !queue_.empty()); });
    if (queue_.empty()) return;
    serving_ = true;
    while (!queue_.empty()) runNext(lock);
    serving_ = false;
  }
}

}  // namespace uw
