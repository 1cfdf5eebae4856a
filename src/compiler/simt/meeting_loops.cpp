// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/simt/meeting_loops.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "compiler/simt/analyses.h"
#include "compiler/simt/regions.h"
#include "compiler/simt/uniform.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

// A loop over the bits of a block's extent has up to ten rounds, one over a warp's five or six.
constexpr unsigned kMostRounds = 16;
// Regions overlap, so code grows with the product of these two.
constexpr uint64_t kMostRegionCode = 30'000;

struct Size {
  uint64_t meetings = 0;
  uint64_t instructions = 0;
};

template <class Blocks>
Size sizeOf(const Blocks& blocks) {
  Size size;
  for (const BasicBlock* block : blocks) {
    size.instructions += block->size();
    for (const Instruction& instruction : *block) {
      auto* call = dyn_cast<CallInst>(&instruction);
      size.meetings += call && call->getCalledFunction() && describeMeeting(*call).kind != uw::Wait::ready;
    }
  }
  return size;
}

// What this compilation knows of the launch: the width, and the block's shape where the kernel is compiled for one.
void fixLaunchValues(const Lowering& lowering, Function& kernel) {
  for (BasicBlock& block : kernel) {
    for (Instruction& instruction : make_early_inc_range(block)) {
      auto* load = dyn_cast<LoadInst>(&instruction);
      uint64_t field = 0;
      if (!load || !load->getType()->isIntegerTy(32) || !readsContext(*load, field)) continue;
      uint32_t known = field == offsetof(uw::ThreadContext, width) ? lowering.request.width : 0;
      for (size_t axis = 0; axis < 3; ++axis) {
        if (field == offsetof(uw::ThreadContext, ntid) + 4 * axis) known = lowering.request.blockDim[axis];
      }
      if (known == 0) continue;
      load->replaceAllUsesWith(ConstantInt::get(load->getType(), known));
      load->eraseFromParent();
    }
  }
}

class Writer {
 public:
  Writer(Function& kernel, FunctionAnalysisManager& analyses)
      : kernel_(kernel),
        loops_(analyses.getResult<LoopAnalysis>(kernel)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(kernel)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(kernel)),
        assumptions_(analyses.getResult<AssumptionAnalysis>(kernel)),
        costs_(analyses.getResult<TargetIRAnalysis>(kernel)),
        remarks_(&kernel) {}

  // Inner loops first: what they become counts as the outer one's code.
  bool run() {
    bool changed = false;
    SmallVector<Loop*, 8> order = loops_.getLoopsInPreorder();
    for (Loop* loop : reverse(order)) changed |= writeOut(*loop);
    return changed;
  }

 private:
  bool writeOut(Loop& loop) {
    Size body = sizeOf(loop.blocks());
    if (body.meetings == 0) return false;
    unsigned rounds = evolution_.getSmallConstantTripCount(&loop);
    if (rounds == 0 || rounds > kMostRounds) return false;
    SmallVector<const BasicBlock*, 32> all;
    for (const BasicBlock& block : kernel_) all.push_back(&block);
    Size whole = sizeOf(all);
    uint64_t more = rounds - 1;
    if ((whole.meetings + more * body.meetings) * (whole.instructions + more * body.instructions) > kMostRegionCode) {
      return false;
    }
    UnrollLoopOptions options;
    options.Count = rounds;
    options.Force = true;
    return UnrollLoop(&loop, options, &loops_, &evolution_, &dominators_, &assumptions_, &costs_, &remarks_,
                      /*PreserveLCSSA=*/false) == LoopUnrollResult::FullyUnrolled;
  }

  Function& kernel_;
  LoopInfo& loops_;
  DominatorTree& dominators_;
  ScalarEvolution& evolution_;
  AssumptionCache& assumptions_;
  TargetTransformInfo& costs_;
  OptimizationRemarkEmitter remarks_;
};

}  // namespace

void writeOutMeetingLoops(const Lowering& lowering, Function& kernel) {
  fixLaunchValues(lowering, kernel);
  PassBuilder builder;
  Analyses analyses(builder);
  FunctionPassManager prepare;
  prepare.addPass(SCCPPass());
  prepare.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  prepare.run(kernel, analyses.functions);
  analyses.functions.invalidate(kernel, PreservedAnalyses::none());
  if (!Writer(kernel, analyses.functions).run()) return;
  analyses.functions.invalidate(kernel, PreservedAnalyses::none());
  FunctionPassManager clean;
  clean.addPass(SCCPPass());
  clean.addPass(EarlyCSEPass());
  clean.addPass(SimplifyCFGPass());
  clean.run(kernel, analyses.functions);
}

}  // namespace unwarp::simt
