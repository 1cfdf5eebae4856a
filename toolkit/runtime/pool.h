// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker threads for grids. A job's `work` is called by as many threads as help at once, the caller among them, so a
// launch of one block costs no hand-over.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

namespace uw {

class Pool {
 public:
  explicit Pool(uint32_t threads);
  ~Pool();

  /// Calls `work` here and on up to `helpers` other threads; returns when all of them have returned from it.
  void run(uint32_t helpers, const std::function<void()>& work);

 private:
  struct Job {
    const std::function<void()>* work;
    uint32_t wanted;
    uint32_t running = 0;
  };
  void serve();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable left_;
  std::list<Job*> jobs_;
  std::vector<std::thread> threads_;
  bool stopping_ = false;
};

Pool& pool();

}  // namespace uw
