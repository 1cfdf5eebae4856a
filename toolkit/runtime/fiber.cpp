// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>

#if !defined(__x86_64__)
#error "the fiber switch is written for x86-64; another CPU needs its own"
#endif

// Callee-saved registers and the floating-point control words are all that a call must keep (System V ABI).
asm(R"(
.text
.globl uwSwitchStack
.type uwSwitchStack, @function
.hidden uwSwitchStack
uwSwitchStack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size uwSwitchStack, .-uwSwitchStack

.globl uwFiberStart
.type uwFiberStart, @function
.hidden uwFiberStart
uwFiberStart:
  movq %r12, %rdi
  callq *%rbx
  ud2
.size uwFiberStart, .-uwFiberStart
)");

extern "C" void uwFiberStart();

namespace uw {

void* prepareStack(char* top, void (*function)(void*), void* argument) {
  auto aligned = reinterpret_cast<uintptr_t>(top) & ~uintptr_t{15};
  auto* slot = reinterpret_cast<void**>(aligned);
  *--slot = nullptr;                                 // keeps the called function's frame aligned as the ABI wants
  *--slot = nullptr;                                 // a return address that ends backtraces
  *--slot = reinterpret_cast<void*>(&uwFiberStart);  // ret
  *--slot = nullptr;                                 // rbp
  *--slot = reinterpret_cast<void*>(function);       // rbx
  *--slot = argument;                                // r12
  *--slot = nullptr;                                 // r13
  *--slot = nullptr;                                 // r14
  *--slot = nullptr;                                 // r15
  return slot;
}

StackSet::StackSet(size_t count, size_t bytesEach) : count_(count), bytesEach_(bytesEach) {
  void* memory = mmap(nullptr, count * bytesEach, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  memory_ = memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

StackSet::~StackSet() {
  if (memory_) munmap(memory_, count_ * bytesEach_);
}

}  // namespace uw
