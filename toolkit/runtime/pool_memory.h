// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools of stream-ordered allocation. A pool here reserves nothing: it counts what is allocated from it and
// keeps the attributes that programs set, so that what they read back is what they wrote.
#pragma once

#include <atomic>
#include <cstdint>

namespace uw {

struct MemoryPool {
  int device = 0;
  bool isDefault = false;
  uint64_t mostBytes = 0;  // 0: no bound but the device's memory
  std::atomic<uint64_t> releaseThreshold{0};
  std::atomic<int> followEvents{1};
  std::atomic<int> opportunistic{1};
  std::atomic<int> internalDependencies{1};
  std::atomic<uint64_t> usedBytes{0};
  std::atomic<uint64_t> highBytes{0};
  std::atomic<uint32_t> peers{0};  // bit per device that may read and write
};

/// Adds to what is in use; negative when memory leaves.
inline void countPooled(MemoryPool& pool, int64_t bytes) {
  uint64_t now = pool.usedBytes.fetch_add(static_cast<uint64_t>(bytes)) + static_cast<uint64_t>(bytes);
  uint64_t high = pool.highBytes.load();
  while (bytes > 0 && now > high && !pool.highBytes.compare_exchange_weak(high, now)) {
  }
}

}  // namespace uw
