// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/mbarrier.h"

#include <atomic>

#include "runtime/block_run.h"
#include "runtime/failure.h"

namespace uw {
namespace {

constexpr uint64_t kCountMask = (1u << 20) - 1;
constexpr uint64_t kBytesMask = (1u << 22) - 1;
constexpr unsigned kPendingShift = 20;
constexpr unsigned kBytesShift = 40;
constexpr unsigned kPhaseShift = 63;

struct State {
  uint64_t expected;
  uint64_t pending;
  uint64_t bytes;
  uint64_t phase;

  explicit State(uint64_t word)
      : expected(word & kCountMask),
        pending(word >> kPendingShift & kCountMask),
        bytes(word >> kBytesShift & kBytesMask),
        phase(word >> kPhaseShift) {}
  uint64_t word() const {
    return expected | pending << kPendingShift | (bytes & kBytesMask) << kBytesShift | phase << kPhaseShift;
  }
};

bool hasEnded(uint64_t* barrier, uint32_t phase) {
  return State(std::atomic_ref<uint64_t>(*barrier).load(std::memory_order_acquire)).phase != phase;
}

}  // namespace

void mbarrierInit(ThreadContext*, uint32_t, uint64_t* barrier, uint32_t count) {
  State state(0);
  state.expected = count;
  state.pending = count;
  std::atomic_ref<uint64_t>(*barrier).store(state.word(), std::memory_order_release);
}

uint64_t mbarrierArrive(ThreadContext*, uint32_t, uint64_t* barrier, uint32_t count, int32_t bytes, uint32_t drop) {
  std::atomic_ref<uint64_t> word(*barrier);
  uint64_t old = word.load(std::memory_order_relaxed);
  while (true) {
    State state(old);
    state.pending = (state.pending - count) & kCountMask;
    if (drop) state.expected = (state.expected - count) & kCountMask;
    state.bytes = (state.bytes + static_cast<uint64_t>(int64_t{bytes})) & kBytesMask;
    if (state.pending == 0 && state.bytes == 0) {
      state.pending = state.expected;
      state.phase ^= 1;
    }
    if (word.compare_exchange_weak(old, state.word(), std::memory_order_acq_rel)) return old;
  }
}

uint32_t mbarrierTest(ThreadContext* context, uint32_t site, uint64_t* barrier, uint32_t phase) {
  if (hasEnded(barrier, phase)) return 1;
  auto* lane = static_cast<Lane*>(context->lane);
  if (!lane) reportBug("a thread that cannot wait reached a barrier in memory");
  lane->wait = Wait::yielded;
  lane->site = site;
  lane->mask = 0;
  lane->mode = 0;
  BlockRun::park(*lane);
  return hasEnded(barrier, phase) ? 1 : 0;
}

uint32_t mbarrierPending(ThreadContext*, uint32_t, uint64_t state) {
  return static_cast<uint32_t>(State(state).pending);
}

}  // namespace uw
