// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "runtime/mapped_memory.h"
#include "runtime/pool_memory.h"
#include "runtime/settings.h"
#include "runtime/small_memory.h"

namespace uw {
namespace {

// CUDA documents at least 256 bytes; real devices give 512.
constexpr size_t kAlignment = SmallMemory::kLeastBytes;

size_t rounded(size_t bytes) {
  return (std::max<size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
}

// What this process may use: the machine's memory or, in a container, its limit.
size_t machineBytes() {
  size_t bytes = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    size_t limit = 0;
    if (file >> limit) bytes = std::min(bytes, limit);
  }
  return bytes;
}

// An eighth of the machine may wait for its next use: the program's own memory comes first. Without poison, fresh
// memory is as the system gives it, so nothing is kept.
MappedMemory& mapped() {
  static MappedMemory* const memory = new MappedMemory(settings().poison ? machineBytes() / 8 : 0);
  return *memory;
}

SmallMemory& small() {
  static SmallMemory* const memory = new SmallMemory;
  return *memory;
}

void* obtain(size_t bytes) {
  return MappedMemory::isFor(bytes) ? mapped().obtain(bytes) : small().obtain(bytes);
}

void giveBack(void* memory, size_t bytes) {
  if (MappedMemory::isFor(bytes)) {
    mapped().giveBack(memory, bytes);
  } else {
    small().giveBack(memory, bytes);
  }
}

// The first touch of a page costs more than all that is written to it later, and goes side by side.
void poison(void* address, size_t bytes) {
  constexpr size_t kWorthAThread = size_t{64} << 20;
  size_t parts = std::clamp<size_t>(bytes / kWorthAThread, 1, settings().threads);
  size_t part = rounded(bytes / parts);
  auto fill = [=](size_t first) {
    if (first < bytes) std::memset(static_cast<char*>(address) + first, 0xff, std::min(part, bytes - first));
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < parts; ++i) others.emplace_back(fill, i * part);
  fill(0);
  for (std::thread& other : others) other.join();
}

}  // namespace

size_t deviceMemoryBytes() {
  // The profile's size, but never more than this machine can hold for all devices together.
  static const size_t bytes = [] {
    size_t profile = size_t{settings().profile.memoryGb} << 30;
    return std::min(profile, machineBytes() / 4 * 3 / std::max(1u, settings().devices));
  }();
  return bytes;
}

void* MemoryTable::allocate(size_t sizeBytes, MemoryKind kind, int device, unsigned flags, MemoryPool* pool) {
  size_t bytes = rounded(sizeBytes);
  if (bytes < sizeBytes) return nullptr;
  {
    std::lock_guard lock(mutex_);
    if (isDeviceKind(kind)) {
      if (bytes > deviceMemoryBytes() - std::min(deviceMemoryBytes(), used_[device])) return nullptr;
      used_[device] += bytes;
    }
  }
  void* address = obtain(bytes);
  if (address && settings().poison) poison(address, bytes);
  std::lock_guard lock(mutex_);
  if (!address) {
    if (isDeviceKind(kind)) used_[device] -= bytes;
    return nullptr;
  }
  allocations_[static_cast<char*>(address)] = {static_cast<char*>(address), sizeBytes, kind, device, flags, pool};
  if (pool) countPooled(*pool, static_cast<int64_t>(bytes));
  return address;
}

bool MemoryTable::release(void* address, bool deviceKinds) {
  size_t bytes = 0;
  {
    std::lock_guard lock(mutex_);
    auto found = allocations_.find(static_cast<char*>(address));
    if (found == allocations_.end()) return false;
    const Allocation& allocation = found->second;
    bool plain = isDeviceKind(allocation.kind) || allocation.kind == MemoryKind::pinned;
    if (!plain || isDeviceKind(allocation.kind) != deviceKinds) return false;
    bytes = rounded(allocation.sizeBytes);
    if (deviceKinds) used_[allocation.device] -= bytes;
    if (allocation.pool) countPooled(*allocation.pool, -static_cast<int64_t>(bytes));
    allocations_.erase(found);
  }
  giveBack(address, bytes);
  return true;
}

void MemoryTable::releaseAll(int device) {
  std::vector<Allocation> leaving;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [address, allocation] : allocations_) {
      bool plain = isDeviceKind(allocation.kind) || allocation.kind == MemoryKind::pinned;
      if (allocation.device == device && plain) leaving.push_back(allocation);
    }
  }
  for (const Allocation& allocation : leaving) release(allocation.address, isDeviceKind(allocation.kind));
}

bool MemoryTable::markLeaving(void* address) {
  std::lock_guard lock(mutex_);
  auto found = allocations_.find(static_cast<char*>(address));
  if (found == allocations_.end() || found->second.leaving || !isDeviceKind(found->second.kind)) return false;
  found->second.leaving = true;
  return true;
}

bool MemoryTable::registerHost(void* address, size_t sizeBytes, unsigned flags, int device) {
  auto* first = static_cast<char*>(address);
  std::lock_guard lock(mutex_);
  auto after = allocations_.lower_bound(first + sizeBytes);
  bool taken = after != allocations_.begin() &&
               std::prev(after)->second.address + std::max<size_t>(std::prev(after)->second.sizeBytes, 1) > first;
  if (!taken) allocations_[first] = {first, sizeBytes, MemoryKind::registered, device, flags};
  return !taken;
}

bool MemoryTable::unregisterHost(void* address) {
  std::lock_guard lock(mutex_);
  auto found = allocations_.find(static_cast<char*>(address));
  if (found == allocations_.end() || found->second.kind != MemoryKind::registered) return false;
  allocations_.erase(found);
  return true;
}

void MemoryTable::adopt(const Allocation& allocation) {
  std::lock_guard lock(mutex_);
  allocations_[allocation.address] = allocation;
}

std::optional<Allocation> MemoryTable::find(const void* address) {
  std::lock_guard lock(mutex_);
  auto after = allocations_.upper_bound(static_cast<const char*>(address));
  if (after == allocations_.begin()) return std::nullopt;
  const Allocation& allocation = std::prev(after)->second;
  return allocation.holds(address) ? std::optional(allocation) : std::nullopt;
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
