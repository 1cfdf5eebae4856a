// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over threads without the guards that nearly all threads pass.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

namespace unwarp::simt {

/// Makes two loops of one over threads: one without guards such as `if (i < n)`, entered when all threads pass them,
/// and the loop as it was. False when there is no guard of which that can be told beforehand. Blocks that no longer can
/// be reached are left for the caller to delete, and all analyses are to be made anew.
bool splitByGuards(llvm::Loop& loop, llvm::LoopInfo& loops, llvm::DominatorTree& dominators,
                   llvm::ScalarEvolution& evolution);

}  // namespace unwarp::simt
