// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every allocation the program makes through the runtime, by address, with what kind it is. All kinds are plain memory
// here; the kind decides what the API says about a pointer and which misuse is an error. Each device has a budget of
// its own, so that a program that would not fit on its GPU does not fit here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace uw {

struct MemoryPool;

enum class MemoryKind : uint8_t { device, managed, pinned, registered, pooled, managedVariable };

inline bool isDeviceKind(MemoryKind kind) {
  return kind == MemoryKind::device || kind == MemoryKind::managed || kind == MemoryKind::pooled;
}

struct Allocation {
  char* address = nullptr;
  size_t sizeBytes = 0;
  MemoryKind kind = MemoryKind::device;
  int device = 0;
  unsigned flags = 0;
  MemoryPool* pool = nullptr;
  bool leaving = false;  // freed in a stream that has not got there yet

  bool holds(const void* pointer) const {
    auto* byte = static_cast<const char*>(pointer);
    return byte >= address && byte < address + (sizeBytes ? sizeBytes : 1);
  }
};

class MemoryTable {
 public:
  /// Null when the device's memory is spent. Fresh memory is poisoned unless the settings say otherwise.
  void* allocate(size_t sizeBytes, MemoryKind kind, int device, unsigned flags = 0, MemoryPool* pool = nullptr);
  /// False when no allocation of one of the kinds starts here.
  bool release(void* address, bool deviceKinds);
  /// What a device reset does: frees everything that was allocated on the device, host memory included.
  void releaseAll(int device);
  /// Marks memory that a stream will free; false when it cannot be freed.
  bool markLeaving(void* address);
  bool registerHost(void* address, size_t sizeBytes, unsigned flags, int device);
  bool unregisterHost(void* address);
  /// Notes memory that the program itself holds, such as the host's part of a `__managed__` variable.
  void adopt(const Allocation& allocation);
  std::optional<Allocation> find(const void* address);
  size_t usedBytes(int device);

 private:
  std::mutex mutex_;
  std::map<const char*, Allocation> allocations_;
  size_t used_[16] = {};
};

MemoryTable& memory();
size_t deviceMemoryBytes();

}  // namespace uw
