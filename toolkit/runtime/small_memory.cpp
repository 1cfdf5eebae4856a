// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/small_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

namespace uw {

static_assert(SmallMemory::kLeastBytes << 11 == SmallMemory::kMostBytes, "one class for each power of two");

size_t SmallMemory::classOf(size_t bytes) {
  size_t size = std::bit_ceil(std::max(bytes, kLeastBytes));
  return static_cast<size_t>(std::countr_zero(size) - std::countr_zero(kLeastBytes));
}

void* SmallMemory::obtain(size_t bytes) {
  size_t number = classOf(bytes);
  std::lock_guard lock(mutex_);
  std::vector<void*>& free = free_[number];
  if (free.empty()) {
    void* slab = mmap(nullptr, kSlabBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (slab == MAP_FAILED) return nullptr;
    size_t size = kLeastBytes << number;
    // From the last to the first, so that addresses are handed out in ascending order.
    for (size_t at = kSlabBytes; at >= size; at -= size) free.push_back(static_cast<char*>(slab) + at - size);
  }
  void* address = free.back();
  free.pop_back();
  return address;
}

void SmallMemory::giveBack(void* address, size_t bytes) {
  std::lock_guard lock(mutex_);
  free_[classOf(bytes)].push_back(address);
}

}  // namespace uw
