// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics of the nvptx back end. Our headers avoid them, but some words of CUDA are built-ins of clang itself
// (`__syncthreads`), and code may call `__nvvm_...` by hand. What has a meaning here becomes a `__uw_` call; the rest
// would crash x86 instruction selection and is refused by name.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/lowering.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

Value* callOpaque(IRBuilder<>& builder, StringRef name, Type* result, ArrayRef<Value*> arguments) {
  SmallVector<Type*, 4> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  Module& module = *builder.GetInsertBlock()->getModule();
  FunctionCallee callee = module.getOrInsertFunction(name, FunctionType::get(result, types, false));
  cast<Function>(callee.getCallee())->addFnAttr(Attribute::Convergent);
  return builder.CreateCall(callee, arguments);
}

// Special registers whose reading is a field of the context.
StringRef fieldFor(StringRef intrinsic) {
  return StringSwitch<StringRef>(intrinsic)
      .Case("llvm.nvvm.read.ptx.sreg.tid.x", "__uw_tid_x")
      .Case("llvm.nvvm.read.ptx.sreg.tid.y", "__uw_tid_y")
      .Case("llvm.nvvm.read.ptx.sreg.tid.z", "__uw_tid_z")
      .Case("llvm.nvvm.read.ptx.sreg.ctaid.x", "__uw_ctaid_x")
      .Case("llvm.nvvm.read.ptx.sreg.ctaid.y", "__uw_ctaid_y")
      .Case("llvm.nvvm.read.ptx.sreg.ctaid.z", "__uw_ctaid_z")
      .Case("llvm.nvvm.read.ptx.sreg.ntid.x", "__uw_ntid_x")
      .Case("llvm.nvvm.read.ptx.sreg.ntid.y", "__uw_ntid_y")
      .Case("llvm.nvvm.read.ptx.sreg.ntid.z", "__uw_ntid_z")
      .Case("llvm.nvvm.read.ptx.sreg.nctaid.x", "__uw_nctaid_x")
      .Case("llvm.nvvm.read.ptx.sreg.nctaid.y", "__uw_nctaid_y")
      .Case("llvm.nvvm.read.ptx.sreg.nctaid.z", "__uw_nctaid_z")
      .Case("llvm.nvvm.read.ptx.sreg.warpsize", "__uw_width")
      .Default("");
}

Value* barrier(IRBuilder<>& builder, Value* id, Value* threads, Value* predicate, unsigned mode) {
  return callOpaque(builder, "__uw_barrier", builder.getInt32Ty(), {id, threads, predicate, builder.getInt32(mode)});
}

// Null when the intrinsic is not known.
Value* translate(IRBuilder<>& builder, CallInst& call, StringRef name) {
  Value* zero = builder.getInt32(0);
  if (StringRef field = fieldFor(name); !field.empty()) return callOpaque(builder, field, builder.getInt32Ty(), {});
  if (name.starts_with("llvm.nvvm.barrier.cta.sync.") && name.contains(".all")) {
    return barrier(builder, call.getArgOperand(0), zero, zero, uw::kBarrierPlain);
  }
  if (name.starts_with("llvm.nvvm.barrier.cta.sync.") && name.contains(".count")) {
    return barrier(builder, call.getArgOperand(0), call.getArgOperand(1), zero, uw::kBarrierPlain);
  }
  if (name.starts_with("llvm.nvvm.membar.")) return builder.CreateFence(AtomicOrdering::SequentiallyConsistent);
  return nullptr;
}

}  // namespace

void translateNvvm(Lowering& lowering) {
  SmallVector<CallInst*, 32> calls;
  for (Function& function : *lowering.module) {
    for (BasicBlock& block : function) {
      for (Instruction& instruction : block) {
        auto* call = dyn_cast<CallInst>(&instruction);
        if (call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with("llvm.nvvm.")) {
          calls.push_back(call);
        }
      }
    }
  }
  for (CallInst* call : calls) {
    IRBuilder<> builder(call);
    StringRef name = call->getCalledFunction()->getName();
    Value* value = translate(builder, *call, name);
    if (!value) return lowering.fail("the intrinsic " + name.str() + " is not supported yet");
    if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

}  // namespace unwarp::simt
