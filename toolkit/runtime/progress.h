// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether anything still moves. A worker whose blocks only wait may not call them stuck while another worker, of the
// same launch or of a kernel in another stream, computes what they wait for. Each worker says when it moved and when it
// is inside device code; a look at all of them answers the question.
#pragma once

#include <atomic>
#include <chrono>

namespace uw {

class WorkerProgress {
 public:
  using Clock = std::chrono::steady_clock;

  WorkerProgress();
  ~WorkerProgress();
  WorkerProgress(const WorkerProgress&) = delete;
  WorkerProgress& operator=(const WorkerProgress&) = delete;

  void enterDeviceCode() { enteredAt_ = now(); }
  void leaveDeviceCode() { enteredAt_ = 0; }
  void moved() { movedAt_ = now(); }

  /// True when no worker has moved for that long and none has been inside device code for longer than waiting takes.
  static bool nothingMovedFor(std::chrono::nanoseconds span);

 private:
  static int64_t now() { return Clock::now().time_since_epoch().count(); }

  std::atomic<int64_t> movedAt_;
  std::atomic<int64_t> enteredAt_{0};  // 0: outside
};

}  // namespace uw
