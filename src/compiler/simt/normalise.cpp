// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes later passes cheap and sharp: one kernel's code instead of a whole translation unit's, values instead of
// stack slots, loops with a preheader and exits of their own. All of it keeps calls where they are, because at this
// point a call may be a place where threads meet.
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "compiler/simt/analyses.h"
#include "compiler/simt/lowering.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

bool addressIsTaken(const Function& function) {
  return function.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false, /*IgnoreAssumeLikeCalls=*/true,
                                  /*IgnoreLLVMUsed=*/true);
}

bool isKernelOf(const Lowering& lowering, const Function& function) {
  for (const abi::KernelRecord& kernel : lowering.result.kernels) {
    if (function.getName() == kernel.name) return true;
  }
  return false;
}

// Functions whose address is taken stay for every kernel: the layout of shared memory must be the same for all.
void keepOnlyWanted(Lowering& lowering) {
  for (Function& function : *lowering.module) {
    if (function.isDeclaration()) continue;
    bool taken = addressIsTaken(function);
    if (taken) lowering.addressTaken.push_back(function.getName().str());
    bool wanted =
        lowering.isSharedPart() ? isKernelOf(lowering, function) : function.getName() == lowering.request.kernel;
    function.setLinkage(taken || wanted ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
  }
  std::erase_if(lowering.result.kernels, [&](const abi::KernelRecord& kernel) {
    return !lowering.isSharedPart() && kernel.name != lowering.request.kernel;
  });
}

}  // namespace

void normalise(Lowering& lowering) {
  keepOnlyWanted(lowering);
  PassBuilder builder;
  Analyses analyses(builder);
  FunctionPassManager each;
  each.addPass(SROAPass(SROAOptions::ModifyCFG));
  each.addPass(EarlyCSEPass());
  each.addPass(SimplifyCFGPass());
  each.addPass(LoopSimplifyPass());
  ModulePassManager prune;
  prune.addPass(GlobalDCEPass());
  // The functions of our headers: what they do is then seen where they are used.
  prune.addPass(AlwaysInlinerPass());
  prune.addPass(GlobalDCEPass());
  prune.run(*lowering.module, analyses.modules);
  inlineMeetings(lowering);
  analyses.modules.clear();
  analyses.functions.clear();
  ModulePassManager pipeline;
  pipeline.addPass(createModuleToFunctionPassAdaptor(std::move(each)));
  pipeline.run(*lowering.module, analyses.modules);
}

}  // namespace unwarp::simt
