// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel's threads meet. If they do not, a loop over the threads of a block is right and fast (tier T0); if
// they may, each thread needs a fiber (T3). Threads meet at barriers and warp operations, in loops that wait for what
// another writes, and, in old code, wherever a store to shared memory relies on the lanes of a warp running together:
// such stores are volatile, or the kernel shares memory without any synchronisation.
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/lowering.h"
#include "compiler/simt/waiting.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

struct Reach {
  bool meets = false;
  bool gridSync = false;
  bool needsFibers = false;
  bool callsUnknown = false;
  bool volatileStores = false;
  bool sharedMemory = false;
  bool sharedStores = false;
};

bool namesShared(const Value& value) {
  auto* constant = dyn_cast<Constant>(&value);
  if (!constant) return false;
  if (auto* variable = dyn_cast<GlobalVariable>(constant)) return variable->getAddressSpace() == kSharedSpace;
  for (const Use& operand : constant->operands()) {
    if (namesShared(*operand.get())) return true;
  }
  return false;
}

void visit(Function& function, const Function& root, SmallPtrSetImpl<const Function*>& seen, Reach& reach) {
  if (!seen.insert(&function).second) return;
  for (BasicBlock& block : function) {
    for (Instruction& instruction : block) {
      if (auto* store = dyn_cast<StoreInst>(&instruction)) {
        reach.volatileStores |= store->isVolatile();
        bool shared = sharedVariable(store->getPointerOperand()) != nullptr;
        reach.sharedStores |= shared;
        reach.needsFibers |= &function != &root && (shared || store->isVolatile());
      }
      for (const Use& operand : instruction.operands()) reach.sharedMemory |= namesShared(*operand.get());
      auto* call = dyn_cast<CallInst>(&instruction);
      if (!call || call->isInlineAsm()) continue;
      Function* callee = call->getCalledFunction();
      if (!callee) {
        reach.callsUnknown = true;
      } else if (isMeetingPoint(callee->getName())) {
        reach.meets = true;
        reach.gridSync |= callee->getName() == "__uw_grid_sync";
        reach.needsFibers |= &function != &root || !isRegionEnd(callee->getName());
      } else if (!callee->isDeclaration()) {
        visit(*callee, root, seen, reach);
      }
    }
  }
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    bool waits = observesOthers(*loop) && waitsForOthers(*loop);
    reach.meets |= waits;
    reach.needsFibers |= waits;
  }
}

// Each region is a part of the kernel of its own, and where meetings stand in loops the parts overlap. Beyond this many
// instructions in all, compiling takes seconds, and fibers are the better bargain.
constexpr uint64_t kMostRegionCode = 120'000;

bool isTooLongToCut(const Function& kernel) {
  uint64_t meetings = 0;
  uint64_t instructions = 0;
  for (const BasicBlock& block : kernel) {
    instructions += block.size();
    for (const Instruction& instruction : block) {
      auto* call = dyn_cast<CallInst>(&instruction);
      meetings += call && call->getCalledFunction() && isMeetingPoint(call->getCalledFunction()->getName());
    }
  }
  return meetings * instructions > kMostRegionCode;
}

}  // namespace

void classify(Lowering& lowering) {
  Module& module = *lowering.module;
  Reach pointers;
  SmallPtrSet<const Function*, 32> seen;
  for (const std::string& name : lowering.addressTaken) {
    Function& function = *module.getFunction(name);
    visit(function, function, seen, pointers);
  }
  for (abi::KernelRecord& kernel : lowering.result.kernels) {
    Reach reach;
    SmallPtrSet<const Function*, 32> own;
    Function& function = *module.getFunction(kernel.name);
    visit(function, function, own, reach);
    bool meets = reach.meets || (reach.callsUnknown && pointers.meets);
    lowering.warpSynchronous = !meets && reach.sharedStores;
    kernel.synchronises = meets || lowering.warpSynchronous || (reach.volatileStores && reach.sharedMemory);
    kernel.needsFibers = reach.needsFibers || (reach.callsUnknown && pointers.meets) || isTooLongToCut(function);
    kernel.gridSync = reach.gridSync || (reach.callsUnknown && pointers.gridSync);
  }
}

}  // namespace unwarp::simt
