// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fibers: stacks and the switch between them. A fiber runs one GPU thread; parking costs a few nanoseconds. Stacks come
// from one mapping per set, without guard pages, because Linux limits the number of mappings a process may have.
#pragma once

#include <cstddef>

namespace uw {

/// Saves the running context's stack pointer in `*from` and continues at `to`.
extern "C" void uwSwitchStack(void** from, void* to);

/// Prepares a stack so that the first switch to the returned pointer calls `function(argument)`, which never returns.
void* prepareStack(char* top, void (*function)(void*), void* argument);

/// Equal stacks, touched only when used.
class StackSet {
 public:
  StackSet(size_t count, size_t bytesEach);
  ~StackSet();
  StackSet(const StackSet&) = delete;
  StackSet& operator=(const StackSet&) = delete;

  bool good() const { return memory_ != nullptr; }
  size_t count() const { return count_; }
  size_t bytesEach() const { return bytesEach_; }
  /// Tops are shifted against each other by cache lines: equal frames of a block's threads would otherwise all fall
  /// into the same few sets of the cache.
  char* top(size_t index) const { return memory_ + (index + 1) * bytesEach_ - index % kColours * kColourBytes; }

  /// What a stack may lose to the shift.
  static constexpr size_t kColourBytes = 64 * 5;
  static constexpr size_t kColours = 64;

 private:
  char* memory_ = nullptr;
  size_t count_;
  size_t bytesEach_;
};

}  // namespace uw
