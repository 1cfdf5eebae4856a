// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel's threads meet. If they do not, a loop over the threads of a block is right and fast (tier T0); if
// they may, each thread needs a fiber (T3). A thread also meets others when it waits in a loop for what another writes:
// such a loop reads memory with atomic or volatile accesses, or behind fences, and its exit depends on them.
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
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

// What code does, itself or in functions it calls, that makes waiting possible.
struct Contents {
  bool observes = false;
  bool fences = false;

  void add(const Instruction& instruction, SmallPtrSetImpl<const Function*>& seen) {
    observes |= observesOthers(instruction);
    fences |= isa<FenceInst>(instruction);
    auto* call = dyn_cast<CallInst>(&instruction);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isDeclaration() || !seen.insert(callee).second) return;
    for (const BasicBlock& block : *callee) {
      for (const Instruction& inner : block) add(inner, seen);
    }
  }
};

Contents contentsOf(const Loop& loop) {
  Contents contents;
  SmallPtrSet<const Function*, 16> seen;
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) contents.add(instruction, seen);
  }
  return contents;
}

// Functions of ours that observe nothing (`min`, an index computation) give what their arguments give.
bool mayObserve(const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee || callee->isDeclaration()) return !call.onlyAccessesArgMemory();
  Contents contents;
  SmallPtrSet<const Function*, 16> seen;
  contents.add(call, seen);
  return contents.observes;
}

// What decides whether a loop goes on. Memory: plain reads of what other threads may write too.
enum class Decides : uint8_t { ownValues, memory, observed };

bool isLocal(const Value* pointer) {
  return isa<AllocaInst>(getUnderlyingObject(pointer));
}

// A loop with a counter that bounds it ends whatever others do. Without analysis of the exits we only know the simple
// truth: a loop whose every exit condition is free of observed values does not wait.
Decides exitOf(const Loop& loop) {
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.empty()) return Decides::observed;
  Decides found = Decides::ownValues;
  SmallPtrSet<const Value*, 32> seen;
  SmallVector<const Value*, 32> work;
  for (const BasicBlock* block : exiting) work.push_back(block->getTerminator());
  while (!work.empty()) {
    const Value* value = work.pop_back_val();
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop.contains(instruction) || !seen.insert(value).second) continue;
    if (observesOthers(*instruction)) return Decides::observed;
    if (auto* call = dyn_cast<CallInst>(instruction); call && mayObserve(*call)) return Decides::observed;
    if (auto* load = dyn_cast<LoadInst>(instruction)) {
      if (!isLocal(load->getPointerOperand())) found = Decides::memory;
      // Before mem2reg locals are slots: what is stored to the slot inside the loop decides.
      for (const User* user : load->getPointerOperand()->users()) {
        auto* store = dyn_cast<StoreInst>(user);
        if (!store || !loop.contains(store)) continue;
        // `done = true` under a condition: whatever the loop observes may be that condition.
        if (isa<Constant>(store->getValueOperand())) return Decides::observed;
        work.push_back(store->getValueOperand());
      }
      continue;
    }
    for (const Value* operand : instruction->operands()) work.push_back(operand);
    if (isa<PHINode>(instruction)) {
      for (const BasicBlock* block : cast<PHINode>(instruction)->blocks()) work.push_back(block->getTerminator());
    }
  }
  return found;
}

// Memory read behind a fence is read anew, so a loop over it can wait as well as one over volatile variables. Beside a
// mere atomic it need not be: such loops, over the row of a sparse matrix for one, do not count as waiting.
enum class Waiting : uint8_t { never, perhaps, likely };

template <class Visit>
void eachLoop(Function& function, Visit visit) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    Contents contents = contentsOf(*loop);
    if (!contents.observes && !contents.fences) continue;
    Decides exit = exitOf(*loop);
    bool likely = (exit == Decides::observed && contents.observes) || (exit == Decides::memory && contents.fences);
    visit(*loop, likely ? Waiting::likely : exit == Decides::memory ? Waiting::perhaps : Waiting::never);
  }
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
  eachLoop(function, [&](const Loop&, Waiting waiting) { reach.meets |= waiting == Waiting::likely; });
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
    eachLoop(function, [&](Loop& loop, Waiting waiting) {
      if (waiting == Waiting::never) return;
      SmallVector<BasicBlock*, 4> found;
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
