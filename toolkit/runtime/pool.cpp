// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/pool.h"

#include <algorithm>

#include "runtime/settings.h"

namespace uw {

Pool::Pool(uint32_t threads) {
  for (uint32_t i = 1; i < threads; ++i) threads_.emplace_back([this] { serve(); });
}

Pool::~Pool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Pool::run(uint32_t helpers, const std::function<void()>& work) {
  Job job{&work, std::min<uint32_t>(helpers, static_cast<uint32_t>(threads_.size()))};
  if (job.wanted > 0) {
    {
      std::lock_guard lock(mutex_);
      jobs_.push_back(&job);
    }
    job.wanted == 1 ? wake_.notify_one() : wake_.notify_all();
  }
  work();
  if (threads_.empty()) return;
  std::unique_lock lock(mutex_);
  jobs_.remove(&job);
  left_.wait(lock, [&] { return job.running == 0; });
}

void Pool::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return stopping_ || !jobs_.empty(); });
    if (stopping_) return;
    Job* job = jobs_.front();
    ++job->running;
    if (--job->wanted == 0) jobs_.pop_front();
    lock.unlock();
    (*job->work)();
    lock.lock();
    if (--job->running == 0) left_.notify_all();
  }
}

Pool& pool() {
  // Never destroyed: kernels of streams that the program left running must not lose their workers at exit.
  static Pool* const instance = new Pool(settings().threads);
  return *instance;
}

}  // namespace uw
