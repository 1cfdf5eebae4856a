// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What T0's loops over threads may assume that LLVM cannot know: iterations are independent.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>

namespace unwarp::simt {

/// Marks the branch back of a loop whose iterations are the threads of a row of a block.
void markThreadLoop(llvm::BranchInst& latch);

/// Before LLVM vectorises, declares the memory accesses of marked loops independent between iterations.
void addThreadLoopPass(llvm::PassBuilder& builder);

}  // namespace unwarp::simt
