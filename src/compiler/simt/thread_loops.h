// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What T0's loops over threads may assume that LLVM cannot know: iterations are independent, and may change places with
// iterations of loops inside.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>

namespace unwarp::simt {

/// Marks the branch back of a loop whose iterations are the threads of a row of a block.
void markThreadLoop(llvm::BranchInst& latch);
/// Marks one that has been prepared as far as it can be: it is to be vectorised as it is.
void markSettledLoop(llvm::BranchInst& latch);
/// Keeps LLVM from unrolling a loop before it vectorises: a copy of the loop inside for each row or layer of threads.
void keepRolled(llvm::BranchInst& latch);

/// Before LLVM vectorises, prepares marked loops for it: no guards where all threads pass them (thread_guards.h),
/// threads innermost (thread_nests.h), memory accesses independent between iterations.
void addThreadLoopPass(llvm::PassBuilder& builder);

}  // namespace unwarp::simt
