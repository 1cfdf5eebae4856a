// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/mapped_memory.h"

#include <sys/mman.h>

namespace uw {

void* MappedMemory::obtain(size_t bytes) {
  size_t size = pagesFor(bytes);
  if (void* kept = takeKept(size)) return kept;
  auto fresh = [size] { return mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); };
  void* memory = fresh();
  if (memory == MAP_FAILED) {
    dropKept();
    memory = fresh();
  }
  if (memory == MAP_FAILED) return nullptr;
  madvise(memory, size, MADV_HUGEPAGE);
  return memory;
}

// A block of up to twice the size serves; what is over goes back to the system, so that a size says what a block holds.
void* MappedMemory::takeKept(size_t size) {
  void* memory = nullptr;
  {
    std::lock_guard lock(mutex_);
    auto found = kept_.lower_bound(size);
    if (found == kept_.end() || found->first > 2 * size) return nullptr;
    memory = found->second;
    size_t over = found->first - size;
    keptBytes_ -= found->first;
    kept_.erase(found);
    if (over) munmap(static_cast<char*>(memory) + size, over);
  }
  if (mprotect(memory, size, PROT_READ | PROT_WRITE) == 0) return memory;
  munmap(memory, size);
  return nullptr;
}

void MappedMemory::giveBack(void* address, size_t bytes) {
  size_t size = pagesFor(bytes);
  {
    std::lock_guard lock(mutex_);
    if (keptBytes_ + size <= mostKeptBytes_ && mprotect(address, size, PROT_NONE) == 0) {
      kept_.emplace(size, address);
      keptBytes_ += size;
      return;
    }
  }
  munmap(address, size);
}

void MappedMemory::dropKept() {
  std::lock_guard lock(mutex_);
  for (auto [size, memory] : kept_) munmap(memory, size);
  kept_.clear();
  keptBytes_ = 0;
}

}  // namespace uw
