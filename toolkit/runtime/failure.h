// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens when a kernel cannot go on: an assertion, a trap, a bad access, threads that wait for each other. Each
// is reported once on stderr with kernel, block and thread; then the kernel is abandoned and the device keeps the
// error, or, where waiting is the fault, the process ends with status 70.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/abi/abi.h"
#include "runtime/device_module.h"

namespace uw {

/// Status of a run that cannot progress (sysexits: software error).
constexpr int kStuckStatus = 70;

/// What ended a kernel.
struct Fault {
  int error = 0;   // cudaError; 0: nothing did
  int signal = 0;  // 0: an assertion or a trap, which is reported already
  const void* address = nullptr;
  const void* instruction = nullptr;
  ThreadContext context{};  // of the thread, or in a loop over threads of its block
  bool knowsBlock = false, knowsThread = false;
};

/// What runs: for reports.
struct RunningKernel {
  const char* name = nullptr;
  const KernelCode* code = nullptr;
};

[[noreturn]] void reportBug(const char* what);
[[noreturn]] void reportAssert(const ThreadContext& context, const char* message, const char* file, uint32_t line,
                               const char* function);
/// `site`: number of the call of the trap; 0: unknown.
[[noreturn]] void reportTrap(const ThreadContext& context, uint32_t site);
[[noreturn]] void reportStuck(const std::string& kernel, const uint32_t (&block)[3], const std::string& where);

/// Says which block this worker runs while threads have no fibers of their own; null: none.
void noteBlock(const ThreadContext* block);

/// Runs `body`; a fault inside device code that it runs ends it.
Fault runGuarded(const RunningKernel& kernel, void (*body)(void*), void* argument);

}  // namespace uw
