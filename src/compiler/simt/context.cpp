// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU thread knows who it is from special registers. Here it is a pointer to a ThreadContext (abi.h), handed down as
// the last parameter of every device function. Last, so that parameter attributes keep their numbers; everywhere, so
// that a function called through a pointer finds it too. Inlining makes it free where it matters.
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/lowering.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

FunctionType* withContext(FunctionType* type) {
  SmallVector<Type*, 8> parameters(type->params());
  parameters.push_back(PointerType::getUnqual(type->getContext()));
  return FunctionType::get(type->getReturnType(), parameters, type->isVarArg());
}

bool isDevice(const Function& function) {
  return !function.isIntrinsic() && !function.isDeclaration();
}

Function* withContext(Function& old) {
  Function* made = Function::Create(withContext(old.getFunctionType()), old.getLinkage(), old.getAddressSpace());
  old.getParent()->getFunctionList().insert(old.getIterator(), made);
  made->takeName(&old);
  made->copyAttributesFrom(&old);
  made->setComdat(nullptr);
  made->setSubprogram(old.getSubprogram());
  made->splice(made->begin(), &old);
  for (size_t i = 0; i < old.arg_size(); ++i) {
    old.getArg(i)->replaceAllUsesWith(made->getArg(i));
    made->getArg(i)->setName(old.getArg(i)->getName());
  }
  made->getArg(old.arg_size())->setName("uw.context");
  old.replaceAllUsesWith(made);
  old.eraseFromParent();
  return made;
}

// Calls of device functions and calls through pointers get the caller's context appended. Intrinsics, `__uw_` functions
// and runtime functions stay as they are.
bool takesContext(const CallInst& call) {
  if (call.isInlineAsm()) return false;
  const Function* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  return !callee || isDevice(*callee);
}

void extendCall(CallInst& call, Value* context) {
  SmallVector<Value*, 8> arguments(call.args());
  arguments.push_back(context);
  CallInst* made =
      CallInst::Create(withContext(call.getFunctionType()), call.getCalledOperand(), arguments, "", call.getIterator());
  made->setAttributes(call.getAttributes());
  made->setDebugLoc(call.getDebugLoc());
  made->copyMetadata(call);
  if (isa<FPMathOperator>(made) && isa<FPMathOperator>(call)) made->copyFastMathFlags(&call);
  made->takeName(&call);
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
}

}  // namespace

void threadContext(Lowering& lowering) {
  Module& module = *lowering.module;
  SmallVector<Function*, 32> functions;
  for (Function& function : module) {
    if (isDevice(function)) functions.push_back(&function);
  }
  SmallVector<Function*, 32> extended;
  for (Function* function : functions) extended.push_back(withContext(*function));
  for (Function* function : extended) {
    SmallVector<CallInst*, 32> calls;
    for (BasicBlock& block : *function) {
      for (Instruction& instruction : block) {
        if (isa<InvokeInst>(instruction)) return lowering.fail("exceptions in device code");
        auto* call = dyn_cast<CallInst>(&instruction);
        if (call && takesContext(*call)) calls.push_back(call);
      }
    }
    for (CallInst* call : calls) extendCall(*call, contextOf(*function));
  }
}

}  // namespace unwarp::simt
