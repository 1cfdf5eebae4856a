// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handler for SIGBUS puts a page of zeros where the file has none any more and lets the reader go on; the mapping
// remembers that it is torn. Faults outside our own mappings go to whoever handled them before. A signal handler
// belongs to the process, so the table of mappings is the one mutable global of the program: a fixed array of atomics,
// since a handler may neither lock nor allocate. Limits: `slotCount` mappings at a time; more than that are refused and
// the caller reads the file instead.
#include "base/mapping.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>

namespace unwarp {

namespace {

constexpr std::size_t slotCount = 1024;

struct Slot {
  std::atomic<bool> used{false}, torn{false};
  std::atomic<std::uintptr_t> begin{0}, end{0};
};

constinit std::array<Slot, slotCount> slots;
struct sigaction previousAction;
std::uintptr_t pageBytes = 4096;

/// Puts a page of zeros under `address` when it lies in one of our mappings.
bool patch(std::uintptr_t address) {
  for (Slot& slot : slots) {
    if (address < slot.begin.load(std::memory_order_acquire) || address >= slot.end.load(std::memory_order_acquire))
      continue;
    void* page = reinterpret_cast<void*>(address & ~(pageBytes - 1));
    slot.torn.store(true, std::memory_order_relaxed);
    return mmap(page, pageBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page;
  }
  return false;
}

void onBusError(int signal, siginfo_t* information, void*) {
  int saved = errno;
  bool sent = information->si_code <= 0;  // by a process, not by a fault
  if (sent || !patch(reinterpret_cast<std::uintptr_t>(information->si_addr))) {
    // Not ours: the earlier handler gets it when the instruction runs again, or now when there was none.
    sigaction(SIGBUS, &previousAction, nullptr);
    if (sent) raise(signal);
  }
  errno = saved;
}

bool installHandler() {
  pageBytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action = {};
  action.sa_sigaction = onBusError;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGBUS, &action, &previousAction) == 0;
}

}  // namespace

std::optional<GuardedMapping> mapGuarded(int fd, std::size_t size) {
  static const bool installed = installHandler();
  if (!installed) return std::nullopt;
  for (std::size_t i = 0; i < slotCount; ++i) {
    Slot& slot = slots[i];
    if (slot.used.exchange(true)) continue;
    void* map = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED) {
      slot.used.store(false);
      return std::nullopt;
    }
    slot.torn.store(false);
    slot.begin.store(reinterpret_cast<std::uintptr_t>(map));
    slot.end.store(reinterpret_cast<std::uintptr_t>(map) + size);
    return GuardedMapping{static_cast<const char*>(map), size, i};
  }
  return std::nullopt;
}

bool isTorn(const GuardedMapping& mapping) {
  return slots[mapping.slot].torn.load();
}

void unmapGuarded(const GuardedMapping& mapping) {
  Slot& slot = slots[mapping.slot];
  slot.end.store(0);
  slot.begin.store(0);
  munmap(const_cast<char*>(mapping.data), mapping.size);
  slot.used.store(false);
}

}  // namespace unwarp
