// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over threads and a loop inside it change places.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

namespace unwarp::simt {

/// Makes three loops over threads of one that has a loop inside: what comes before it, its body, and what comes after;
/// the inner loop is then around the second. Needs: all threads go round the inner loop equally often, and its accesses
/// touch neighbouring elements in neighbouring threads. False when that is not so and nothing has changed; else all
/// analyses are to be made anew. `mark` marks the branch back of a new loop over threads.
bool exchangeLoops(llvm::Loop& loop, llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution,
                   void (*mark)(llvm::BranchInst&));

}  // namespace unwarp::simt
