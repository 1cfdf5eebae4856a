// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the runtime calls (abi.h). `thread` runs one thread inside a fiber. `block` runs all threads of a
// block in a loop nest, x innermost, with a context of its own for each iteration that registers will hold; the block's
// shape is a constant there when the launch asked for it, and iterations are declared independent: threads that do not
// meet may run in any order, so an access that would forbid vectorisation is a race of the program.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/simt/entry_parts.h"
#include "compiler/simt/lowering.h"
#include "compiler/simt/source_lines.h"
#include "compiler/simt/thread_loops.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

const abi::KernelRecord* find(const Lowering& lowering, StringRef name) {
  for (const abi::KernelRecord& kernel : lowering.result.kernels) {
    if (kernel.name == name) return &kernel;
  }
  return nullptr;
}

CallInst* callKernel(IRBuilder<>& builder, Function& kernel, const abi::KernelRecord& record,
                     SmallVector<Value*, 8> arguments, Value* context) {
  for (size_t i = 0; i < record.parameters.size(); ++i) {
    Argument* parameter = kernel.getArg(i);
    if (!parameter->hasByValAttr() || isOnlyRead(*parameter)) continue;
    Function* entry = builder.GetInsertBlock()->getParent();
    IRBuilder<> top(&*entry->getEntryBlock().getFirstInsertionPt());
    AllocaInst* copy = top.CreateAlloca(parameter->getParamByValType());
    copy->setAlignment(std::max(parameter->getParamAlign().valueOrOne(), copy->getAlign()));
    builder.CreateMemCpy(copy, copy->getAlign(), arguments[i], Align(1), record.parameters[i].sizeBytes);
    arguments[i] = copy;
  }
  arguments.push_back(context);
  return builder.CreateCall(&kernel, arguments);
}

void makeThreadEntry(Lowering& lowering, Function& kernel, const abi::KernelRecord& record) {
  Function* entry = newEntry(*lowering.module, uw::kThreadEntry);
  IRBuilder<> builder(BasicBlock::Create(kernel.getContext(), "entry", entry));
  inheritLines(*entry, kernel, builder);
  callKernel(builder, kernel, record, readArguments(builder, kernel, record, entry->getArg(0)), entry->getArg(1));
  builder.CreateRetVoid();
}

void makeBlockEntry(Lowering& lowering, Function& kernel, const abi::KernelRecord& record) {
  Function* entry = newEntry(*lowering.module, uw::kBlockEntry);
  entry->getArg(1)->addAttr(Attribute::NoAlias);
  IRBuilder<> builder(BasicBlock::Create(kernel.getContext(), "entry", entry));
  inheritLines(*entry, kernel, builder);
  AllocaInst* own = copyBlockContext(lowering, builder, entry->getArg(1));
  Value* bounds[3];
  for (size_t axis = 0; axis < 3; ++axis) bounds[axis] = blockExtent(lowering, builder, entry->getArg(1), axis);
  SmallVector<Value*, 8> arguments = readArguments(builder, kernel, record, entry->getArg(0));
  ThreadLoop loops[3];
  for (int axis = 2; axis >= 0; --axis) loops[axis] = openLoop(builder, bounds[axis]);
  for (size_t axis = 0; axis < 3; ++axis) {
    builder.CreateStore(loops[axis].index, fieldAddress(builder, own, offsetof(uw::ThreadContext, tid) + 4 * axis));
  }
  Value* row = builder.CreateAdd(builder.CreateMul(loops[2].index, bounds[1]), loops[1].index);
  Value* linear = builder.CreateAdd(builder.CreateMul(row, bounds[0]), loops[0].index);
  builder.CreateStore(linear, fieldAddress(builder, own, offsetof(uw::ThreadContext, linear)));
  callKernel(builder, kernel, record, arguments, own);
  markThreadLoop(*closeLoop(builder, loops[0]));
  keepRolled(*closeLoop(builder, loops[1]));
  keepRolled(*closeLoop(builder, loops[2]));
  builder.CreateRetVoid();
}

void internalise(Lowering& lowering) {
  for (Function& function : *lowering.module) {
    if (function.isDeclaration()) continue;
    function.setLinkage(GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
  }
}

// A pointer to a device function must be the same in every kernel, so it is the shared part's; direct calls keep the
// kernel's own copy, which can be inlined.
void pointToSharedPart(Function& function) {
  std::string name = function.getName().str();
  function.setName(name + ".direct");
  Function* shared =
      Function::Create(function.getFunctionType(), GlobalValue::ExternalLinkage, name, *function.getParent());
  function.replaceUsesWithIf(shared, [&](Use& use) {
    auto* call = dyn_cast<CallBase>(use.getUser());
    return !call || !call->isCallee(&use);
  });
}

}  // namespace

void makeEntries(Lowering& lowering) {
  Module& module = *lowering.module;
  std::vector<Function*> taken;
  for (const std::string& name : lowering.addressTaken) taken.push_back(module.getFunction(name));
  internalise(lowering);
  if (lowering.isSharedPart()) {
    for (Function* function : taken) function->setLinkage(GlobalValue::ExternalLinkage);
    return;
  }
  const abi::KernelRecord* record = find(lowering, lowering.request.kernel);
  if (!record) return lowering.fail(std::string("no kernel '") + lowering.request.kernel + "' in the device code");
  Function* kernel = module.getFunction(record->name);  // before its name may go to the shared part's copy
  for (Function* function : taken) pointToSharedPart(*function);
  kernel->removeFnAttr(Attribute::NoInline);
  kernel->addFnAttr(Attribute::AlwaysInline);
  kernel->removeFnAttr(Attribute::OptimizeNone);
  if (lowering.request.tier == uw::Tier::loop) {
    makeBlockEntry(lowering, *kernel, *record);
  } else if (lowering.request.tier == uw::Tier::region) {
    makeRegionEntry(lowering, *kernel, *record);
  } else {
    makeThreadEntry(lowering, *kernel, *record);
  }
  dropByVal(*kernel);
}

}  // namespace unwarp::simt
