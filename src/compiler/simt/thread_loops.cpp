// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prepares loops over threads for LLVM's vectoriser, which sees innermost loops and takes nothing for granted. Threads
// that never meet may run in any order, so two iterations of a loop over threads touch one address only if the
// program has a race. LLVM is told so by access groups, which spares it the run-time checks for overlap that a user's
// pointers would need. Not when a local array is left in memory: all iterations share its slot, and there the order of
// iterations is real. Volatile and atomic accesses are never part of it.
#include "compiler/simt/thread_loops.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "compiler/simt/thread_guards.h"
#include "compiler/simt/thread_nests.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

constexpr const char* kMark = "uw.threads";
constexpr const char* kSettled = "uw.threads.settled";
constexpr const char* kKeepRolled = "llvm.loop.unroll.disable";
// Loops that are made of one kernel's; its code would grow without limit otherwise.
constexpr unsigned kMostChanges = 24;

bool says(const Metadata* property, StringRef wanted) {
  auto* node = dyn_cast_or_null<MDNode>(property);
  auto* word = node && node->getNumOperands() == 1 ? dyn_cast<MDString>(node->getOperand(0)) : nullptr;
  return word && word->getString() == wanted;
}

bool isMarked(const Loop& loop, StringRef mark) {
  MDNode* id = loop.getLoopID();
  return id && any_of(id->operands(), [&](const MDOperand& property) { return says(property, mark); });
}

void setProperties(BranchInst& latch, ArrayRef<StringRef> words) {
  LLVMContext& context = latch.getContext();
  SmallVector<Metadata*, 4> properties{nullptr};
  for (StringRef word : words) properties.push_back(MDNode::get(context, MDString::get(context, word)));
  MDNode* id = MDNode::getDistinct(context, properties);
  id->replaceOperandWith(0, id);
  latch.setMetadata(LLVMContext::MD_loop, id);
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

// A store of one member of a structure: the vectoriser writes all members together, where the last one is stored.
bool isStrided(const StoreInst& store, const Loop& loop, ScalarEvolution& evolution) {
  auto* growing = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(const_cast<Value*>(store.getPointerOperand())));
  auto* step =
      growing && growing->getLoop() == &loop ? dyn_cast<SCEVConstant>(growing->getStepRecurrence(evolution)) : nullptr;
  uint64_t size = store.getModule()->getDataLayout().getTypeStoreSize(store.getValueOperand()->getType());
  return step && step->getAPInt().abs().getZExtValue() != size;
}

// Whether a thread may see its own store too late: in a loop declared independent LLVM's vectoriser takes no notice of
// what one iteration does to itself when it moves such stores down to the last member's.
bool readsBehindStridedStore(Loop& loop, LoopInfo& loops, ScalarEvolution& evolution, AAResults& aliases) {
  LoopBlocksRPO order(&loop);
  order.perform(&loops);
  SmallVector<StoreInst*, 8> strided;
  for (BasicBlock* block : order) {
    for (Instruction& instruction : *block) {
      if (!isPlainAccess(instruction)) continue;
      MemoryLocation place = MemoryLocation::get(&instruction);
      if (any_of(strided, [&](StoreInst* store) { return !aliases.isNoAlias(MemoryLocation::get(store), place); }))
        return true;
      auto* store = dyn_cast<StoreInst>(&instruction);
      if (store && isStrided(*store, loop, evolution)) strided.push_back(store);
    }
  }
  return false;
}

// Also lets LLVM unroll what it vectorised.
void declareIndependent(Loop& loop) {
  LLVMContext& context = loop.getHeader()->getContext();
  MDNode* group = MDNode::getDistinct(context, {});
  for (BasicBlock* block : loop.blocks()) {
    for (Instruction& instruction : *block) {
      if (isPlainAccess(instruction)) instruction.setMetadata(LLVMContext::MD_access_group, group);
    }
  }
  SmallVector<Metadata*, 4> properties;
  copy_if(loop.getLoopID()->operands(), std::back_inserter(properties),
          [](const MDOperand& property) { return !says(property, kKeepRolled); });
  properties.push_back(MDNode::get(context, {MDString::get(context, "llvm.loop.parallel_accesses"), group}));
  MDNode* made = MDNode::getDistinct(context, properties);
  made->replaceOperandWith(0, made);
  loop.setLoopID(made);
}

bool isSelfContained(const Loop& loop) {
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      for (const User* user : instruction.users()) {
        if (!loop.contains(cast<Instruction>(user))) return false;
      }
    }
  }
  return true;
}

struct ThreadLoopPass : PassInfoMixin<ThreadLoopPass> {
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    if (keepsLocals(function)) return PreservedAnalyses::all();
    bool changed = false;
    for (unsigned changes = 0; changes < kMostChanges && changeOne(function, analyses); ++changes) {
      EliminateUnreachableBlocks(function);
      analyses.invalidate(function, PreservedAnalyses::none());
      changed = true;
    }
    LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
    auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    auto& aliases = analyses.getResult<AAManager>(function);
    for (Loop* loop : loops.getLoopsInPreorder()) {
      bool marked = isMarked(*loop, kMark) || isMarked(*loop, kSettled);
      if (marked && !readsBehindStridedStore(*loop, loops, evolution, aliases)) declareIndependent(*loop);
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

  // Changes one loop, after which nothing that is known about others holds.
  static bool changeOne(Function& function, FunctionAnalysisManager& analyses) {
    LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
    auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    auto& assumptions = analyses.getResult<AssumptionAnalysis>(function);
    for (Loop* outermost : loops)
      simplifyLoop(outermost, &dominators, &loops, &evolution, &assumptions, nullptr, false);
    for (Loop* loop : loops.getLoopsInPreorder()) {
      if (!isMarked(*loop, kMark) || !isSelfContained(*loop)) continue;
      if (splitByGuards(*loop, loops, dominators, evolution)) return true;
      if (exchangeLoops(*loop, dominators, evolution, markThreadLoop)) return true;
    }
    return false;
  }
};

}  // namespace

void markThreadLoop(BranchInst& latch) {
  setProperties(latch, {kMark, kKeepRolled});
}

void markSettledLoop(BranchInst& latch) {
  setProperties(latch, {kSettled});
}

void keepRolled(BranchInst& latch) {
  setProperties(latch, {kKeepRolled});
}

void addThreadLoopPass(PassBuilder& builder) {
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager& passes, OptimizationLevel) { passes.addPass(ThreadLoopPass()); });
}

}  // namespace unwarp::simt
