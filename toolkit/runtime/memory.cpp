// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "runtime/settings.h"

namespace uw {
namespace {

// CUDA documents at least 256 bytes; real devices give 512.
constexpr size_t kAlignment = 512;

size_t rounded(size_t bytes) {
  return (std::max<size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

size_t deviceMemoryBytes() {
  // The profile's size, but never more than this machine can hold.
  static const size_t bytes = [] {
    size_t physical = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_t profile = size_t{settings().profile.memoryGb} << 30;
    return std::min(profile, physical / 4 * 3);
  }();
  return bytes;
}

void* MemoryTable::allocate(size_t sizeBytes, MemoryKind kind, int device, unsigned flags) {
  bool onDevice = kind == MemoryKind::device || kind == MemoryKind::managed;
  size_t bytes = rounded(sizeBytes);
  if (bytes < sizeBytes) return nullptr;
  {
    std::lock_guard lock(mutex_);
    if (onDevice && used_[device] + bytes > deviceMemoryBytes()) return nullptr;
    if (onDevice) used_[device] += bytes;
  }
  void* address = std::aligned_alloc(kAlignment, bytes);
  if (!address) return nullptr;
  if (settings().poison) std::memset(address, 0xff, bytes);
  std::lock_guard lock(mutex_);
  allocations_[static_cast<char*>(address)] = {static_cast<char*>(address), sizeBytes, kind, device, flags};
  return address;
}

bool MemoryTable::release(void* address, bool deviceKinds) {
  {
    std::lock_guard lock(mutex_);
    auto found = allocations_.find(static_cast<char*>(address));
    if (found == allocations_.end()) return false;
    MemoryKind kind = found->second.kind;
    bool onDevice = kind == MemoryKind::device || kind == MemoryKind::managed;
    if (onDevice != deviceKinds || kind == MemoryKind::registered) return false;
    if (onDevice) used_[found->second.device] -= rounded(found->second.sizeBytes);
    allocations_.erase(found);
  }
  std::free(address);
  return true;
}

bool MemoryTable::registerHost(void* address, size_t sizeBytes, unsigned flags) {
  std::lock_guard lock(mutex_);
  return allocations_
      .emplace(static_cast<char*>(address),
               Allocation{static_cast<char*>(address), sizeBytes, MemoryKind::registered, 0, flags})
      .second;
}

bool MemoryTable::unregisterHost(void* address) {
  std::lock_guard lock(mutex_);
  auto found = allocations_.find(static_cast<char*>(address));
  if (found == allocations_.end() || found->second.kind != MemoryKind::registered) return false;
  allocations_.erase(found);
  return true;
}

std::optional<Allocation> MemoryTable::find(const void* address) {
  std::lock_guard lock(mutex_);
  auto after = allocations_.upper_bound(static_cast<const char*>(address));
  if (after == allocations_.begin()) return std::nullopt;
  const Allocation& allocation = std::prev(after)->second;
  bool inside = static_cast<const char*>(address) < allocation.address + std::max<size_t>(allocation.sizeBytes, 1);
  return inside ? std::optional(allocation) : std::nullopt;
}

size_t MemoryTable::usedBytes(int device) {
  std::lock_guard lock(mutex_);
  return used_[device];
}

MemoryTable& memory() {
  static MemoryTable* const table = new MemoryTable;
  return *table;
}

}  // namespace uw
