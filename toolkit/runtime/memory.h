// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every allocation the program makes through the runtime, by address, with what kind it is. All kinds are plain memory
// here; the kind decides what the API says about a pointer and which misuse is an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace uw {

enum class MemoryKind : uint8_t { device, managed, pinned, registered };

struct Allocation {
  char* address = nullptr;
  size_t sizeBytes = 0;
  MemoryKind kind = MemoryKind::device;
  int device = 0;
  unsigned flags = 0;
};

class MemoryTable {
 public:
  /// Null when the device's memory is spent. Fresh memory is poisoned unless the settings say otherwise.
  void* allocate(size_t sizeBytes, MemoryKind kind, int device, unsigned flags = 0);
  /// False when no allocation of one of the kinds starts here.
  bool release(void* address, bool deviceKinds);
  bool registerHost(void* address, size_t sizeBytes, unsigned flags);
  bool unregisterHost(void* address);
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
