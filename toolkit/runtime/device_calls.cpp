// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function gets the calling thread's context and the number of the call site (src/compiler/simt/intrinsics.cpp).
// Meetings park the fiber; the rest does its work and returns.
#include "runtime/device_calls.h"

#include <dlfcn.h>
#include <time.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "runtime/block_run.h"
#include "runtime/compiler_library.h"
#include "runtime/device_math.h"
#include "runtime/device_printf.h"
#include "runtime/failure.h"
#include "runtime/mbarrier.h"
#include "runtime/ptx_calls.h"

namespace uw {
namespace {

Lane& arrive(ThreadContext* context, uint32_t site, Wait wait, uint64_t mask) {
  auto* lane = static_cast<Lane*>(context->lane);
  if (!lane) reportBug("a thread that cannot wait reached a meeting point");
  lane->wait = wait;
  lane->site = site;
  lane->mask = context->width == 32 ? mask & 0xffffffffu : mask;
  lane->mode = 0;
  return *lane;
}

uint64_t shuffle(ThreadContext* context, uint32_t site, uint64_t mask, uint64_t value, uint32_t operand,
                 uint32_t segment, uint32_t mode) {
  Lane& lane = arrive(context, site, Wait::shuffle, mask);
  lane.mode = mode;
  lane.value = value;
  lane.operand = operand;
  lane.extent = segment;
  return BlockRun::park(lane);
}

uint64_t vote(ThreadContext* context, uint32_t site, uint64_t mask, uint32_t predicate, uint32_t mode) {
  Lane& lane = arrive(context, site, Wait::vote, mask);
  lane.mode = mode;
  lane.value = predicate;
  return BlockRun::park(lane);
}

uint64_t match(ThreadContext* context, uint32_t site, uint64_t mask, uint64_t value, uint32_t mode) {
  Lane& lane = arrive(context, site, Wait::match, mask);
  lane.mode = mode;
  lane.value = value;
  return BlockRun::park(lane);
}

uint32_t reduce(ThreadContext* context, uint32_t site, uint64_t mask, uint32_t value, uint32_t mode) {
  Lane& lane = arrive(context, site, Wait::reduce, mask);
  lane.mode = mode;
  lane.value = value;
  return static_cast<uint32_t>(BlockRun::park(lane));
}

uint64_t activemask(ThreadContext* context, uint32_t site) {
  return BlockRun::park(arrive(context, site, Wait::activemask, 0));
}

void syncwarp(ThreadContext* context, uint32_t site, uint64_t mask) {
  BlockRun::park(arrive(context, site, Wait::syncwarp, mask));
}

uint32_t barrier(ThreadContext* context, uint32_t site, uint32_t id, uint32_t threads, uint32_t predicate,
                 uint32_t mode) {
  Lane& lane = arrive(context, site, Wait::barrier, 0);
  lane.mode = mode;
  lane.value = predicate;
  lane.operand = id;
  lane.extent = threads;
  return static_cast<uint32_t>(BlockRun::park(lane));
}

void gridSync(ThreadContext* context, uint32_t site) {
  BlockRun::park(arrive(context, site, Wait::gridSync, 0));
}

// A loop that observes other threads came round once more. Parking each time would make loops over atomics slow; never
// parking would let one lane spin for what another must write.
void yield(ThreadContext* context, uint32_t site, uint32_t onlyWaits) {
  auto* lane = static_cast<Lane*>(context->lane);
  if (!lane) return;
  BlockRun::observe(*lane, site);
  thread_local uint32_t rounds = 0;
  if (++rounds % (onlyWaits ? 4 : 64) != 0) return;
  lane->onlyWaits = onlyWaits != 0;
  BlockRun::park(arrive(context, site, Wait::yielded, 0));
}

void converge(ThreadContext* context, uint32_t site) {
  if (context->lane) BlockRun::park(arrive(context, site, Wait::converge, 0));
}

void loopEnter(ThreadContext* context, uint32_t, uint32_t loop) {
  if (context->lane) static_cast<Lane*>(context->lane)->loops.push_back(loop);
}

void loopExit(ThreadContext* context, uint32_t site, uint32_t) {
  if (context->lane) BlockRun::park(arrive(context, site, Wait::loopExit, 0));
}

uint64_t nanoseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

// One tick is one nanosecond: the device profile reports a clock of 1 GHz to match.
uint64_t clockTicks(ThreadContext*, uint32_t) {
  return nanoseconds(CLOCK_MONOTONIC);
}
uint64_t globalTimer(ThreadContext*, uint32_t) {
  return nanoseconds(CLOCK_REALTIME);
}

void nanosleep(ThreadContext* context, uint32_t site, uint32_t) {
  auto* lane = static_cast<Lane*>(context->lane);
  if (!lane) return;
  lane->onlyWaits = true;
  BlockRun::park(arrive(context, site, Wait::yielded, 0));
}

void* deviceMalloc(ThreadContext*, uint32_t, uint64_t size) {
  void* memory = std::malloc(size ? size : 1);
  if (memory) std::memset(memory, 0xff, size);
  return memory;
}
void deviceFree(ThreadContext*, uint32_t, void* memory) {
  std::free(memory);
}

void assertFail(ThreadContext* context, uint32_t, const char* message, const char* file, uint32_t line,
                const char* function) {
  reportAssert(*context, message, file, line, function);
}
void trap(ThreadContext* context, uint32_t site) {
  reportTrap(*context, site);
}

int32_t print(ThreadContext*, uint32_t, const char* format, const void* arguments) {
  return devicePrintf(format, arguments);
}

// What clang's own lowering of device `printf`, `malloc`, `free` and the usual `assert` calls.
int32_t plainVprintf(const char* format, const void* arguments) {
  return devicePrintf(format, arguments);
}
// Stands in the tables of abstract classes.
void pureVirtual() {
  if (Lane* lane = runningLane()) reportTrap(lane->context, 0);
  reportBug("a pure virtual function was called");
}
void* plainMalloc(uint64_t size) {
  return deviceMalloc(nullptr, 0, size);
}

template <class Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

const std::map<std::string, void*>& table() {
  static const std::map<std::string, void*> functions = {
      {"uw_shuffle", address(&shuffle)},
      {"uw_vote", address(&vote)},
      {"uw_match", address(&match)},
      {"uw_reduce", address(&reduce)},
      {"uw_activemask", address(&activemask)},
      {"uw_syncwarp", address(&syncwarp)},
      {"uw_barrier", address(&barrier)},
      {"uw_grid_sync", address(&gridSync)},
      {"uw_yield", address(&yield)},
      {"uw_converge", address(&converge)},
      {"uw_loop_enter", address(&loopEnter)},
      {"uw_loop_exit", address(&loopExit)},

      {"uw_clock", address(&clockTicks)},
      {"uw_globaltimer", address(&globalTimer)},
      {"uw_nanosleep", address(&nanosleep)},
      {"uw_malloc", address(&deviceMalloc)},
      {"uw_free", address(&deviceFree)},
      {"uw_assert_fail", address(&assertFail)},
      {"uw_trap", address(&trap)},
      {"uw_printf", address(&print)},
      {"uw_mbarrier_init", address(&mbarrierInit)},
      {"uw_mbarrier_arrive", address(&mbarrierArrive)},
      {"uw_mbarrier_test", address(&mbarrierTest)},
      {"uw_mbarrier_pending", address(&mbarrierPending)},
      {"uw_directed", address(&ptxDirected)},
      {"uw_exit", address(&ptxExit)},
      {"uw_barrier_arrive", address(&ptxBarrierArrive)},
      {"uw_smid", address(&ptxSmid)},
      {"uw_nsmid", address(&ptxNsmid)},
      {"uw_is_local", address(&ptxIsLocal)},
      {"vprintf", address(&plainVprintf)},
      {"malloc", address(&plainMalloc)},
      {"free", address(&std::free)},
      {"__cxa_pure_virtual", address(&pureVirtual)},
      {"__cxa_deleted_virtual", address(&pureVirtual)},
  };
  return functions;
}

// Functions of the C library that LLVM's lowering of mathematical and memory operations may call, plus the special
// functions that headers name directly.
bool isLibraryFunction(const std::string& name) {
  static const char* const memory[] = {"memcpy", "memset", "memmove", "memcmp",
                                       "strlen", "strcmp", "strcpy",  "strncmp"};
  for (const char* one : memory) {
    if (name == one) return true;
  }
  static void* const math = dlopen("libm.so.6", RTLD_LAZY | RTLD_LOCAL);
  return math && dlsym(math, name.c_str()) != nullptr;
}

}  // namespace

void* deviceFunction(const std::string& name) {
  auto found = table().find(name);
  if (found != table().end()) return found->second;
  if (void* mathematical = math::function(name)) return mathematical;
  if (void* own = compilerLibraryFunction(name)) return own;
  return isLibraryFunction(name) ? dlsym(RTLD_DEFAULT, name.c_str()) : nullptr;
}

}  // namespace uw
