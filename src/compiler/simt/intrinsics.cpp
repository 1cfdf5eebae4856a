// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our headers say what they need by calling functions named `__uw_...`. A few are fields of the thread's context and
// become loads; every other one is a function of the runtime, `uw_...`, called with the context and the number of the
// call site first. So a new runtime function needs a declaration in a header and a definition in the runtime, nothing
// here. The width is never a constant of the compiler: it is a field like the others.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/lowering.h"
#include "compiler/simt/source_lines.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

constexpr int kNoField = -1;

int fieldOffset(StringRef name) {
  return StringSwitch<int>(name)
      .Case("__uw_tid_x", offsetof(uw::ThreadContext, tid[0]))
      .Case("__uw_tid_y", offsetof(uw::ThreadContext, tid[1]))
      .Case("__uw_tid_z", offsetof(uw::ThreadContext, tid[2]))
      .Case("__uw_ctaid_x", offsetof(uw::ThreadContext, ctaid[0]))
      .Case("__uw_ctaid_y", offsetof(uw::ThreadContext, ctaid[1]))
      .Case("__uw_ctaid_z", offsetof(uw::ThreadContext, ctaid[2]))
      .Case("__uw_ntid_x", offsetof(uw::ThreadContext, ntid[0]))
      .Case("__uw_ntid_y", offsetof(uw::ThreadContext, ntid[1]))
      .Case("__uw_ntid_z", offsetof(uw::ThreadContext, ntid[2]))
      .Case("__uw_nctaid_x", offsetof(uw::ThreadContext, nctaid[0]))
      .Case("__uw_nctaid_y", offsetof(uw::ThreadContext, nctaid[1]))
      .Case("__uw_nctaid_z", offsetof(uw::ThreadContext, nctaid[2]))
      .Case("__uw_width", offsetof(uw::ThreadContext, width))
      .Case("__uw_linear", offsetof(uw::ThreadContext, linear))
      .Case("__uw_dynamic_shared_bytes", offsetof(uw::ThreadContext, dynamicSharedBytes))
      .Case("__uw_shared_base", offsetof(uw::ThreadContext, shared))
      .Case("__uw_shared_bytes", offsetof(uw::ThreadContext, sharedBytes))
      .Case("__uw_carry", offsetof(uw::ThreadContext, carry))
      .Case("__uw_set_carry", offsetof(uw::ThreadContext, carry))
      .Default(kNoField);
}

// A field is read, or written when the call has an argument.
Value* accessField(IRBuilder<>& builder, CallInst& call, int offset) {
  Value* context = contextOf(*call.getFunction());
  Value* address = builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), context, offset);
  if (call.arg_size() != 0) return builder.CreateAlignedStore(call.getArgOperand(0), address, Align(4));
  Align align(call.getType()->isPointerTy() ? 8 : 4);
  return builder.CreateAlignedLoad(call.getType(), address, align);
}

Value* callRuntime(IRBuilder<>& builder, CallInst& call, StringRef name, uint32_t site) {
  Function& caller = *call.getFunction();
  SmallVector<Type*, 8> types{builder.getPtrTy(), builder.getInt32Ty()};
  SmallVector<Value*, 8> arguments{contextOf(caller), builder.getInt32(site)};
  for (Value* argument : call.args()) {
    types.push_back(argument->getType());
    arguments.push_back(argument);
  }
  FunctionType* type = FunctionType::get(call.getType(), types, false);
  FunctionCallee callee = caller.getParent()->getOrInsertFunction(("uw_" + name.drop_front(5)).str(), type);
  auto* function = cast<Function>(callee.getCallee());
  function->addFnAttr(Attribute::NoUnwind);
  // Convergent: moving such a call under another condition would change who meets whom.
  function->addFnAttr(Attribute::Convergent);
  CallInst* made = builder.CreateCall(callee, arguments);
  if (call.doesNotReturn()) made->setDoesNotReturn();
  return made;
}

}  // namespace

bool isMeetingPoint(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases({"__uw_barrier", "__uw_syncwarp", "__uw_shuffle", "__uw_vote", "__uw_match"}, true)
      .Cases({"__uw_reduce", "__uw_activemask", "__uw_grid_sync"}, true)
      // Not meetings, but only a fiber can end in the middle of a function, arrive without waiting or give way.
      .Cases({"__uw_exit", "__uw_barrier_arrive", "__uw_mbarrier_test"}, true)
      .Default(false);
}

bool isRegionEnd(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases({"__uw_barrier", "__uw_syncwarp", "__uw_shuffle", "__uw_vote", "__uw_match"}, true)
      .Cases({"__uw_reduce", "__uw_activemask", "__uw_converge"}, true)
      .Default(false);
}

void lowerIntrinsics(Lowering& lowering) {
  uint32_t site = lowering.isSharedPart() ? abi::kSharedSites : 0;
  for (Function& function : *lowering.module) {
    SmallVector<CallInst*, 32> calls;
    for (BasicBlock& block : function) {
      for (Instruction& instruction : block) {
        auto* call = dyn_cast<CallInst>(&instruction);
        if (call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with("__uw_")) {
          calls.push_back(call);
        }
      }
    }
    for (CallInst* call : calls) {
      IRBuilder<> builder(call);
      StringRef name = call->getCalledFunction()->getName();
      int offset = fieldOffset(name);
      if (offset == kNoField) recordSite(lowering, ++site, *call);
      Value* value = offset == kNoField ? callRuntime(builder, *call, name, site) : accessField(builder, *call, offset);
      if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }
}

}  // namespace unwarp::simt
