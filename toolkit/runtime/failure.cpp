// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/failure.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "runtime/block_run.h"
#include "runtime/fault_report.h"

namespace uw {
namespace {

// cudaError values (CUDA runtime API, enum cudaError).
constexpr int kErrorIllegalAddress = 700;
constexpr int kErrorAssert = 710;
constexpr int kErrorLaunchFailure = 719;

// Where a worker returns to when its kernel faults; null outside kernels, where signals are the program's own.
struct Guard {
  sigjmp_buf back;
  RunningKernel kernel;
  Fault fault;
};
thread_local Guard* tGuard = nullptr;
// The block of a loop over threads: which thread faulted, its registers alone know.
thread_local const ThreadContext* tBlock = nullptr;
struct sigaction gPreviousSegv, gPreviousBus, gPreviousFpe, gPreviousIll;

std::string place(const ThreadContext& context) {
  char text[256];
  std::snprintf(text, sizeof text, "block (%u,%u,%u), thread (%u,%u,%u)", context.ctaid[0], context.ctaid[1],
                context.ctaid[2], context.tid[0], context.tid[1], context.tid[2]);
  return text;
}

void say(const std::string& text) {
  std::string line = "unwarp: " + text + "\n";
  std::fflush(stdout);
  if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

[[noreturn]] void leave(int error) {
  siglongjmp(tGuard->back, error);
}

const struct sigaction& previous(int signal) {
  switch (signal) {
    case SIGBUS:
      return gPreviousBus;
    case SIGFPE:
      return gPreviousFpe;
    case SIGILL:
      return gPreviousIll;
    default:
      return gPreviousSegv;
  }
}

// What a signal handler may do: no memory, no streams. The report is made when the kernel has been left.
void note(int signal, const siginfo_t& info, const void* machine) {
  Fault& fault = tGuard->fault;
  fault.signal = signal;
  fault.address = info.si_addr;
  fault.instruction =
      reinterpret_cast<const void*>(static_cast<const ucontext_t*>(machine)->uc_mcontext.gregs[REG_RIP]);
  const Lane* lane = runningLane();
  const ThreadContext* context = lane ? &lane->context : tBlock;
  fault.knowsThread = lane != nullptr;
  fault.knowsBlock = context != nullptr;
  if (context) fault.context = *context;
}

void onSignal(int signal, siginfo_t* info, void* context) {
  if (!tGuard) {
    // Not ours: as if we had never been here.
    const struct sigaction& before = previous(signal);
    if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction(signal, info, context);
    if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(signal);
    ::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  note(signal, *info, context);
  leave(signal == SIGSEGV || signal == SIGBUS ? kErrorIllegalAddress : kErrorLaunchFailure);
}

void install() {
  struct sigaction action{};
  action.sa_sigaction = onSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &action, &gPreviousSegv);
  sigaction(SIGBUS, &action, &gPreviousBus);
  sigaction(SIGFPE, &action, &gPreviousFpe);
  sigaction(SIGILL, &action, &gPreviousIll);
}

// The handler must not run on a fiber's stack, which may be what overflowed.
void ensureSignalStack() {
  constexpr size_t kBytes = 64 * 1024;
  struct SignalStack {
    char* memory = static_cast<char*>(std::malloc(kBytes));
    SignalStack() {
      stack_t wanted{};
      wanted.ss_sp = memory;
      wanted.ss_size = kBytes;
      sigaltstack(&wanted, nullptr);
    }
    ~SignalStack() {
      stack_t none{};
      none.ss_flags = SS_DISABLE;
      sigaltstack(&none, nullptr);
      std::free(memory);
    }
  };
  thread_local SignalStack stack;
  (void)stack;
}

}  // namespace

void noteBlock(const ThreadContext* block) {
  tBlock = block;
}

void reportBug(const char* what) {
  say(std::string("internal error: ") + what);
  std::abort();
}

void reportAssert(const ThreadContext& context, const char* message, const char* file, uint32_t line,
                  const char* function) {
  // The form that CUDA programs and their tests know.
  char text[1024];
  std::snprintf(text, sizeof text, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
                line, function, context.ctaid[0], context.ctaid[1], context.ctaid[2], context.tid[0], context.tid[1],
                context.tid[2], message);
  std::fflush(stdout);
  std::fputs(text, stderr);
  leave(kErrorAssert);
}

void reportTrap(const ThreadContext& context, uint32_t site) {
  std::string source = placeOfSite(*tGuard->kernel.code, site);
  say(std::string("kernel ") + tGuard->kernel.name + ": trap, " + place(context) +
      (source.empty() ? "" : ", " + source));
  leave(kErrorLaunchFailure);
}

void reportStuck(const std::string& kernel, const uint32_t (&block)[3], const std::string& where) {
  say("kernel " + kernel + " cannot progress: block (" + std::to_string(block[0]) + "," + std::to_string(block[1]) +
      "," + std::to_string(block[2]) + "): " + where);
  _exit(kStuckStatus);
}

Fault runGuarded(const RunningKernel& kernel, void (*body)(void*), void* argument) {
  static std::once_flag once;
  std::call_once(once, install);
  ensureSignalStack();
  Guard guard{};
  guard.kernel = kernel;
  int error = sigsetjmp(guard.back, 1);
  if (error != 0) {
    tGuard = nullptr;
    tBlock = nullptr;
    forgetRunningLane();
    guard.fault.error = error;
    return guard.fault;
  }
  tGuard = &guard;
  body(argument);
  tGuard = nullptr;
  return {};
}

}  // namespace uw
