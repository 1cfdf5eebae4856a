// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel's threads meet. If they do not, a loop over the threads of a block is right and fast (tier T0); if
// they may, each thread needs a fiber (T3). A thread also meets others when it waits in a loop for what another writes:
// such a loop reads memory with atomic or volatile accesses and its exit depends on them.
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/lowering.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

// A read that can see what another thread wrote meanwhile.
bool observesOthers(const Instruction& instruction) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return load->isVolatile() || load->isAtomic();
  return isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction);
}

bool observesOthers(const Loop& loop) {
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      if (observesOthers(instruction)) return true;
      // A call may hide a wait (a device function with `atomicCAS`); only leaf intrinsics cannot.
      auto* call = dyn_cast<CallInst>(&instruction);
      const Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isDeclaration()) {
        for (const BasicBlock& inner : *callee) {
          for (const Instruction& one : inner) {
            if (observesOthers(one)) return true;
          }
        }
      }
    }
  }
  return false;
}

template <class Visit>
void eachObservingLoop(Function& function, Visit visit) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (observesOthers(*loop)) visit(*loop);
  }
}

// A loop with a counter that bounds it ends whatever others do. Without analysis of the exits we only know the simple
// truth: a loop whose every exit condition is free of observed values does not wait.
bool exitDependsOnObserved(const Loop& loop) {
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  SmallPtrSet<const Value*, 32> seen;
  SmallVector<const Value*, 32> work;
  for (const BasicBlock* block : exiting) work.push_back(block->getTerminator());
  while (!work.empty()) {
    const Value* value = work.pop_back_val();
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop.contains(instruction) || !seen.insert(value).second) continue;
    if (observesOthers(*instruction)) return true;
    if (auto* call = dyn_cast<CallInst>(instruction); call && !call->onlyAccessesArgMemory()) return true;
    if (auto* load = dyn_cast<LoadInst>(instruction)) {
      // Before mem2reg locals are slots: what is stored to the slot inside the loop decides.
      for (const User* user : load->getPointerOperand()->users()) {
        if (auto* store = dyn_cast<StoreInst>(user); store && loop.contains(store))
          work.push_back(store->getValueOperand());
      }
      continue;
    }
    for (const Value* operand : instruction->operands()) work.push_back(operand);
    if (isa<PHINode>(instruction)) {
      for (const BasicBlock* block : cast<PHINode>(instruction)->blocks()) work.push_back(block->getTerminator());
    }
  }
  return exiting.empty();
}

struct Reach {
  bool meets = false;
  bool gridSync = false;
  bool callsUnknown = false;
};

void visit(Function& function, SmallPtrSetImpl<const Function*>& seen, Reach& reach) {
  if (!seen.insert(&function).second) return;
  for (BasicBlock& block : function) {
    for (Instruction& instruction : block) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (!call || call->isInlineAsm()) continue;
      Function* callee = call->getCalledFunction();
      if (!callee) {
        reach.callsUnknown = true;
      } else if (isMeetingPoint(callee->getName())) {
        reach.meets = true;
        reach.gridSync |= callee->getName() == "__uw_grid_sync";
      } else if (!callee->isDeclaration()) {
        visit(*callee, seen, reach);
      }
    }
  }
  eachObservingLoop(function, [&](const Loop& loop) { reach.meets |= exitDependsOnObserved(loop); });
}

}  // namespace

void classify(Lowering& lowering) {
  Module& module = *lowering.module;
  Reach throughPointers;
  SmallPtrSet<const Function*, 32> seen;
  for (Function& function : module) {
    if (!function.isDeclaration() && function.hasAddressTaken()) visit(function, seen, throughPointers);
  }
  for (abi::KernelRecord& kernel : lowering.result.kernels) {
    Function* function = module.getFunction(kernel.name);
    Reach reach;
    SmallPtrSet<const Function*, 32> own;
    visit(*function, own, reach);
    kernel.synchronises = reach.meets || (reach.callsUnknown && throughPointers.meets);
    kernel.gridSync = reach.gridSync || (reach.callsUnknown && throughPointers.gridSync);
  }
}

void insertYields(Lowering& lowering) {
  Module& module = *lowering.module;
  FunctionType* type = FunctionType::get(Type::getVoidTy(module.getContext()), false);
  for (Function& function : module) {
    if (function.isDeclaration()) continue;
    SmallPtrSet<BasicBlock*, 8> latches;
    eachObservingLoop(function, [&](Loop& loop) {
      SmallVector<BasicBlock*, 4> found;
      if (!exitDependsOnObserved(loop)) return;  // counts on whatever others do
      loop.getLoopLatches(found);
      latches.insert(found.begin(), found.end());
    });
    if (latches.empty()) continue;
    FunctionCallee yield = module.getOrInsertFunction("__uw_yield", type);
    cast<Function>(yield.getCallee())->addFnAttr(Attribute::Convergent);
    for (BasicBlock* latch : latches) IRBuilder<>(latch->getTerminator()).CreateCall(yield);
  }
}

// A loop that waits sees the same again and again; one that takes work from a queue sees something new in each round.
void recordObservations(Lowering& lowering) {
  Module& module = *lowering.module;
  if (!module.getFunction("__uw_yield")) return;
  for (Function& function : module) {
    SmallVector<Instruction*, 16> reads;
    for (BasicBlock& block : function) {
      for (Instruction& instruction : block) {
        if (observesOthers(instruction)) reads.push_back(&instruction);
      }
    }
    for (Instruction* read : reads) {
      IRBuilder<> builder(read->getNextNode());
      Value* seen = isa<AtomicCmpXchgInst>(read) ? builder.CreateExtractValue(read, 0) : read;
      if (seen->getType()->isPointerTy()) seen = builder.CreatePtrToInt(seen, builder.getInt64Ty());
      TypeSize bits = seen->getType()->getPrimitiveSizeInBits();
      if (bits.isScalable() || bits.getFixedValue() == 0) continue;
      seen = builder.CreateBitCast(seen, builder.getIntNTy(static_cast<unsigned>(bits.getFixedValue())));
      seen = builder.CreateZExtOrTrunc(seen, builder.getInt32Ty());
      Value* field = builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), contextOf(function),
                                                        offsetof(uw::ThreadContext, observed));
      Value* before = builder.CreateAlignedLoad(builder.getInt32Ty(), field, Align(4));
      Value* mixed = builder.CreateAdd(builder.CreateMul(before, builder.getInt32(33)), seen);
      builder.CreateAlignedStore(mixed, field, Align(4));
    }
  }
}

}  // namespace unwarp::simt
