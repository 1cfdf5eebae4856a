// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small allocations, out of pages of their own: a kernel that writes a little past the end of an array reaches other
// device memory, as it does on a GPU, and never the host's heap, whose breaking would show later and elsewhere. Sizes
// are powers of two, so that what is freed serves the next of its size.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace uw {

class SmallMemory {
 public:
  static constexpr size_t kLeastBytes = 512;
  static constexpr size_t kMostBytes = size_t{1} << 20;

  /// Memory with any contents, aligned to its size class. Null when the system has none.
  /// @param bytes up to kMostBytes
  void* obtain(size_t bytes);
  /// @param bytes as they were asked for
  void giveBack(void* address, size_t bytes);

 private:
  static constexpr size_t kSlabBytes = size_t{2} << 20;
  static constexpr size_t kClasses = 12;  // 512 B to 1 MiB
  static size_t classOf(size_t bytes);

  std::mutex mutex_;
  std::array<std::vector<void*>, kClasses> free_;
};

}  // namespace uw
