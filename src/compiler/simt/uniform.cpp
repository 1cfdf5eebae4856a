// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value differs between threads when it is computed from one that does, when it is read from memory, when branches
// that threads take differently lead to a phi along different ways, or when threads bring it out of a loop that they
// leave in different rounds.
#include "compiler/simt/uniform.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>

#include "compiler/abi/abi.h"
#include "compiler/simt/entry_parts.h"

namespace unwarp::simt {
namespace {

using namespace llvm;
using Blocks = SmallPtrSet<const BasicBlock*, 32>;

bool isThreadsOwn(uint64_t field) {
  return field < offsetof(uw::ThreadContext, ctaid) || field == offsetof(uw::ThreadContext, linear) ||
         field == offsetof(uw::ThreadContext, lane);
}

// A struct passed by value, which nobody writes to, at an address that is the same for all.
bool readsParameter(const LoadInst& load) {
  auto* parameter = dyn_cast<Argument>(load.getPointerOperand()->stripInBoundsOffsets());
  return load.isSimple() && parameter && parameter->hasByValAttr() && isOnlyRead(*parameter);
}

Blocks reachableBefore(const BasicBlock* from, const BasicBlock* end) {
  Blocks found;
  SmallVector<const BasicBlock*, 32> work{from};
  while (!work.empty()) {
    const BasicBlock* block = work.pop_back_val();
    if (block == end || !found.insert(block).second) continue;
    work.append(succ_begin(block), succ_end(block));
  }
  return found;
}

}  // namespace

bool readsContext(const LoadInst& load, uint64_t& field) {
  APInt offset(64, 0);
  const Value* base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(load.getModule()->getDataLayout(),
                                                                                  offset, /*AllowNonInbounds=*/true);
  const Function& function = *load.getFunction();
  if (!load.isSimple() || base != function.getArg(function.arg_size() - 1)) return false;
  field = offset.getZExtValue();
  return field != offsetof(uw::ThreadContext, carry) && field != offsetof(uw::ThreadContext, observed);
}

UniformValues::UniformValues(Function& kernel) : dominators_(kernel), loops_(dominators_), postDominators_(kernel) {
  ReversePostOrderTraversal<Function*> order(&kernel);
  everything_ = containsIrreducibleCFG<const BasicBlock*>(order, loops_);
  do {
    changed_ = false;
    for (BasicBlock* block : order) {
      for (Instruction& instruction : *block) {
        if (!divergent_.contains(&instruction) && differs(instruction)) mark(instruction);
      }
    }
  } while (changed_);
}

bool UniformValues::differs(const Instruction& instruction) const {
  for (const Use& operand : instruction.operands()) {
    if (divergent_.contains(operand.get()) || takesFromEndedLoop(instruction, operand.get())) return true;
  }
  if (auto* load = dyn_cast<LoadInst>(&instruction)) {
    uint64_t field = 0;
    return readsContext(*load, field) ? isThreadsOwn(field) : !readsParameter(*load);
  }
  if (isa<AllocaInst>(instruction)) return true;
  return !instruction.isTerminator() && instruction.mayReadOrWriteMemory();
}

bool UniformValues::takesFromEndedLoop(const Instruction& user, const Value* operand) const {
  auto* made = dyn_cast<Instruction>(operand);
  if (!made) return false;
  for (const Loop* loop = loops_.getLoopFor(made->getParent()); loop && !loop->contains(user.getParent());
       loop = loop->getParentLoop()) {
    if (leftOneByOne_.contains(loop)) return true;
  }
  return false;
}

void UniformValues::mark(const Instruction& instruction) {
  changed_ = true;
  divergent_.insert(&instruction);
  if (!instruction.isTerminator() || instruction.getNumSuccessors() < 2) return;
  const BasicBlock& block = *instruction.getParent();
  markJoins(block);
  for (const Loop* loop = loops_.getLoopFor(&block); loop; loop = loop->getParentLoop()) {
    bool leaves = any_of(successors(&block), [&](const BasicBlock* next) { return !loop->contains(next); });
    if (leaves) leftOneByOne_.insert(loop);
  }
}

// Phis at which threads arrive that took different ways from here.
void UniformValues::markJoins(const BasicBlock& branching) {
  const auto* node = postDominators_.getNode(&branching);
  const BasicBlock* end = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  Blocks seen;
  Blocks joins;
  if (end) joins.insert(end);
  SmallPtrSet<const BasicBlock*, 4> ways;
  for (const BasicBlock* next : successors(&branching)) {
    if (!ways.insert(next).second) continue;
    for (const BasicBlock* block : reachableBefore(next, end)) {
      if (!seen.insert(block).second) joins.insert(block);
    }
  }
  for (const BasicBlock* block : joins) {
    for (const PHINode& phi : block->phis()) divergent_.insert(&phi);
  }
}

}  // namespace unwarp::simt
