// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which a thread may wait for another one, told from loops that merely use atomics.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

namespace unwarp::simt {

/// A read that can see what another thread wrote meanwhile: volatile, atomic, read-modify-write.
bool observesOthers(const llvm::Instruction& instruction);
bool observesOthers(const llvm::Loop& loop);

/// True when leaving the loop may depend on what other threads write. A compare-and-swap that tries again with what it
/// saw, or a counter that it raises itself, ends by its own doing.
bool waitsForOthers(const llvm::Loop& loop);

/// True when an iteration changes nothing but the thread's own values, or tries to take a lock: going round again is no
/// progress.
bool onlyWaits(const llvm::Loop& loop);

/// The shared variable that a pointer points into, when its own function names it; else null.
const llvm::GlobalVariable* sharedVariable(const llvm::Value* pointer);

}  // namespace unwarp::simt
