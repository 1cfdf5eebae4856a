// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Large allocations, in pages as a device hands them out: a program that writes a little past its end, which a GPU lets
// pass, must not break the heap of the host, and huge pages make first touches cheap. On virtual machines a fresh page
// can cost ten times what writing it costs, and programs allocate and free the same sizes in loops; so pages that were
// freed are kept for the next allocation, out of reach (a use after free faults as it would without), up to a bound.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

namespace uw {

class MappedMemory {
 public:
  /// @param mostKeptBytes how much freed memory may wait for its next use
  explicit MappedMemory(size_t mostKeptBytes) : mostKeptBytes_(mostKeptBytes) {}

  static bool isFor(size_t bytes) { return bytes >= kPage / 2; }
  /// Whole pages for `bytes`, with any contents. Null when the system has none.
  void* obtain(size_t bytes);
  /// @param bytes as they were asked for
  void giveBack(void* address, size_t bytes);

 private:
  static constexpr size_t kPage = size_t{2} << 20;
  static size_t pagesFor(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }
  void* takeKept(size_t bytes);
  void dropKept();

  std::mutex mutex_;
  std::multimap<size_t, void*> kept_;  // by size
  size_t keptBytes_ = 0;
  const size_t mostKeptBytes_;
};

}  // namespace uw
