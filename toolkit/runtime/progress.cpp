// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/progress.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace uw {
namespace {

// A block that only waits gives the worker back after a few milliseconds; longer stays are computing.
constexpr std::chrono::nanoseconds kWaitingTakes = std::chrono::milliseconds(200);

struct Registry {
  std::mutex mutex;
  std::vector<WorkerProgress*> workers;
};

Registry& registry() {
  static Registry* const all = new Registry;  // workers outlive static objects at exit
  return *all;
}

}  // namespace

WorkerProgress::WorkerProgress() : movedAt_(now()) {
  std::lock_guard lock(registry().mutex);
  registry().workers.push_back(this);
}

WorkerProgress::~WorkerProgress() {
  std::lock_guard lock(registry().mutex);
  std::erase(registry().workers, this);
}

bool WorkerProgress::nothingMovedFor(std::chrono::nanoseconds span) {
  int64_t at = now();
  std::lock_guard lock(registry().mutex);
  return std::all_of(registry().workers.begin(), registry().workers.end(), [&](const WorkerProgress* worker) {
    int64_t entered = worker->enteredAt_;
    bool computes = entered != 0 && at - entered > kWaitingTakes.count();
    return !computes && at - worker->movedAt_ > span.count();
  });
}

}  // namespace uw
