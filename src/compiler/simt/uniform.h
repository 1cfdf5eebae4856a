// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values are the same for all threads of a block that come by. LLVM's own analysis answers "all" for a CPU.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace unwarp::simt {

class UniformValues {
 public:
  /// `kernel` has its context as last parameter (context.cpp).
  explicit UniformValues(llvm::Function& kernel);

  bool isUniform(const llvm::Value* value) const { return !everything_ && !divergent_.contains(value); }

 private:
  bool differs(const llvm::Instruction& instruction) const;
  bool takesFromEndedLoop(const llvm::Instruction& user, const llvm::Value* operand) const;
  void mark(const llvm::Instruction& instruction);
  void markJoins(const llvm::BasicBlock& branching);

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::PostDominatorTree postDominators_;
  llvm::DenseSet<const llvm::Value*> divergent_;
  llvm::DenseSet<const llvm::Loop*> leftOneByOne_;  // by threads at different rounds
  bool everything_ = false;                         // differs
  bool changed_ = false;
};

/// Whether a load reads a field of the context that never changes while a thread runs, and which one.
bool readsContext(const llvm::LoadInst& load, uint64_t& field);

}  // namespace unwarp::simt
