// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that never meet may run in any order, so two iterations of a loop over threads touch one address only if the
// program has a race. LLVM is told so by access groups, which spares it the run-time checks for overlap that a user's
// pointers would need. Not when a local array is left in memory: all iterations share its slot, and there the order of
// iterations is real. Volatile and atomic accesses are never part of it.
#include "compiler/simt/thread_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Metadata.h>

namespace unwarp::simt {
namespace {

using namespace llvm;

constexpr const char* kMark = "uw.threads";

bool isMarked(const MDNode* id) {
  if (!id) return false;
  for (const MDOperand& operand : id->operands()) {
    auto* node = dyn_cast<MDNode>(operand);
    auto* word = node && node->getNumOperands() == 1 ? dyn_cast<MDString>(node->getOperand(0)) : nullptr;
    if (word && word->getString() == kMark) return true;
  }
  return false;
}

bool keepsLocals(const Function& function) {
  for (const BasicBlock& block : function) {
    for (const Instruction& instruction : block) {
      if (isa<AllocaInst>(instruction)) return true;
    }
  }
  return false;
}

bool isPlainAccess(const Instruction& instruction) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return load->isSimple();
  if (auto* store = dyn_cast<StoreInst>(&instruction)) return store->isSimple();
  return false;
}

void declareIndependent(Loop& loop, MDNode* id) {
  LLVMContext& context = loop.getHeader()->getContext();
  MDNode* group = MDNode::getDistinct(context, {});
  for (BasicBlock* block : loop.blocks()) {
    for (Instruction& instruction : *block) {
      if (isPlainAccess(instruction)) instruction.setMetadata(LLVMContext::MD_access_group, group);
    }
  }
  SmallVector<Metadata*, 4> properties(id->op_begin(), id->op_end());
  properties.push_back(MDNode::get(context, {MDString::get(context, "llvm.loop.parallel_accesses"), group}));
  MDNode* made = MDNode::getDistinct(context, properties);
  made->replaceOperandWith(0, made);
  loop.setLoopID(made);
}

struct ThreadLoopPass : PassInfoMixin<ThreadLoopPass> {
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    if (keepsLocals(function)) return PreservedAnalyses::all();
    for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
      MDNode* id = loop->getLoopID();
      if (isMarked(id)) declareIndependent(*loop, id);
    }
    return PreservedAnalyses::all();
  }
};

}  // namespace

void markThreadLoop(BranchInst& latch) {
  LLVMContext& context = latch.getContext();
  MDNode* id = MDNode::getDistinct(context, {nullptr, MDNode::get(context, MDString::get(context, kMark))});
  id->replaceOperandWith(0, id);
  latch.setMetadata(LLVMContext::MD_loop, id);
}

void addThreadLoopPass(PassBuilder& builder) {
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager& passes, OptimizationLevel) { passes.addPass(ThreadLoopPass()); });
}

}  // namespace unwarp::simt
