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

Function* newEntry(Module& module, StringRef name) {
  LLVMContext& context = module.getContext();
  Type* pointer = PointerType::getUnqual(context);
  FunctionType* type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer}, false);
  Function* entry = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  entry->addFnAttr(Attribute::NoUnwind);
  entry->getArg(0)->addAttr(Attribute::NoAlias);
  entry->getArg(0)->addAttr(Attribute::ReadOnly);
  return entry;
}

// Whether a struct passed by value is only read: then all threads can read the launch's copy.
bool isOnlyRead(const Value& pointer) {
  for (const Use& use : pointer.uses()) {
    const User* user = use.getUser();
    if (auto* load = dyn_cast<LoadInst>(user); load && load->isSimple()) continue;
    if (auto* transfer = dyn_cast<MemTransferInst>(user); transfer && use.getOperandNo() == 1) continue;
    if (!isa<GetElementPtrInst>(user) || !isOnlyRead(*user)) return false;
  }
  return true;
}

// What is passed for each parameter, read once, before any loop over threads. A struct that the kernel writes to stands
// here as the launch's copy and is copied again for each thread.
SmallVector<Value*, 8> readArguments(IRBuilder<>& builder, Function& kernel, const abi::KernelRecord& record,
                                     Value* buffer) {
  SmallVector<Value*, 8> values;
  for (size_t i = 0; i < record.parameters.size(); ++i) {
    Argument* parameter = kernel.getArg(i);
    Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), buffer, record.parameters[i].offset);
    values.push_back(parameter->hasByValAttr() ? address
                                               : builder.CreateAlignedLoad(parameter->getType(), address, Align(1)));
  }
  return values;
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

void dropByVal(Function& kernel) {
  for (Argument& argument : kernel.args()) {
    if (argument.hasByValAttr()) argument.removeAttr(Attribute::ByVal);
  }
}

void makeThreadEntry(Lowering& lowering, Function& kernel, const abi::KernelRecord& record) {
  Function* entry = newEntry(*lowering.module, uw::kThreadEntry);
  IRBuilder<> builder(BasicBlock::Create(kernel.getContext(), "entry", entry));
  inheritLines(*entry, kernel, builder);
  callKernel(builder, kernel, record, readArguments(builder, kernel, record, entry->getArg(0)), entry->getArg(1));
  builder.CreateRetVoid();
}

// One level of the loop nest over threads.
struct ThreadLoop {
  BasicBlock* header = nullptr;
  PHINode* index = nullptr;
  Value* bound = nullptr;
};

ThreadLoop openLoop(IRBuilder<>& builder, Value* bound) {
  BasicBlock* before = builder.GetInsertBlock();
  BasicBlock* header = BasicBlock::Create(builder.getContext(), "threads", before->getParent());
  builder.CreateBr(header);
  builder.SetInsertPoint(header);
  PHINode* index = builder.CreatePHI(builder.getInt32Ty(), 2);
  index->addIncoming(builder.getInt32(0), before);
  return {header, index, bound};
}

BranchInst* closeLoop(IRBuilder<>& builder, const ThreadLoop& loop) {
  Value* next = builder.CreateAdd(loop.index, builder.getInt32(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  loop.index->addIncoming(next, builder.GetInsertBlock());
  BasicBlock* after = BasicBlock::Create(builder.getContext(), "done", builder.GetInsertBlock()->getParent());
  // A block has at least one thread in each dimension, so the test stands at the end.
  BranchInst* branch = builder.CreateCondBr(builder.CreateICmpULT(next, loop.bound), loop.header, after);
  builder.SetInsertPoint(after);
  return branch;
}

Value* fieldAddress(IRBuilder<>& builder, Value* context, size_t offset) {
  return builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), context, offset);
}

void makeBlockEntry(Lowering& lowering, Function& kernel, const abi::KernelRecord& record) {
  Function* entry = newEntry(*lowering.module, uw::kBlockEntry);
  entry->getArg(1)->addAttr(Attribute::NoAlias);
  IRBuilder<> builder(BasicBlock::Create(kernel.getContext(), "entry", entry));
  inheritLines(*entry, kernel, builder);
  Type* contextType = ArrayType::get(builder.getInt8Ty(), sizeof(uw::ThreadContext));
  AllocaInst* own = builder.CreateAlloca(contextType);
  own->setAlignment(Align(8));
  auto copyField = [&](size_t offset, Type* type) {
    Value* value = builder.CreateLoad(type, fieldAddress(builder, entry->getArg(1), offset));
    builder.CreateStore(value, fieldAddress(builder, own, offset));
    return value;
  };
  for (size_t axis = 0; axis < 3; ++axis) {
    copyField(offsetof(uw::ThreadContext, ctaid) + 4 * axis, builder.getInt32Ty());
    copyField(offsetof(uw::ThreadContext, nctaid) + 4 * axis, builder.getInt32Ty());
  }
  copyField(offsetof(uw::ThreadContext, dynamicSharedBytes), builder.getInt32Ty());
  copyField(offsetof(uw::ThreadContext, sharedBytes), builder.getInt32Ty());
  copyField(offsetof(uw::ThreadContext, shared), builder.getPtrTy());
  copyField(offsetof(uw::ThreadContext, lane), builder.getPtrTy());
  builder.CreateStore(builder.getInt32(lowering.request.width),
                      fieldAddress(builder, own, offsetof(uw::ThreadContext, width)));
  Value* bounds[3];
  for (size_t axis = 0; axis < 3; ++axis) {
    size_t offset = offsetof(uw::ThreadContext, ntid) + 4 * axis;
    uint32_t fixed = lowering.request.blockDim[axis];
    Value* given = builder.CreateLoad(builder.getInt32Ty(), fieldAddress(builder, entry->getArg(1), offset));
    bounds[axis] = fixed ? builder.getInt32(fixed) : given;
    builder.CreateStore(bounds[axis], fieldAddress(builder, own, offset));
  }
  SmallVector<Value*, 8> arguments = readArguments(builder, kernel, record, entry->getArg(0));
  ThreadLoop loops[3];
  for (int axis = 2; axis >= 0; --axis) loops[axis] = openLoop(builder, bounds[axis]);
  for (size_t axis = 0; axis < 3; ++axis) {
    builder.CreateStore(loops[axis].index, fieldAddress(builder, own, offsetof(uw::ThreadContext, tid) + 4 * axis));
  }
  Value* row = builder.CreateAdd(builder.CreateMul(loops[2].index, bounds[1]), loops[1].index);
  Value* linear = builder.CreateAdd(builder.CreateMul(row, bounds[0]), loops[0].index);
  builder.CreateStore(linear, fieldAddress(builder, own, offsetof(uw::ThreadContext, linear)));
  if (lowering.request.traced)
    builder.CreateStore(linear, fieldAddress(builder, entry->getArg(1), offsetof(uw::ThreadContext, linear)),
                        /*isVolatile=*/true);
  callKernel(builder, kernel, record, arguments, own);
  markThreadLoop(*closeLoop(builder, loops[0]));
  closeLoop(builder, loops[1]);
  closeLoop(builder, loops[2]);
  builder.CreateRetVoid();
}

void internalise(Lowering& lowering) {
  for (Function& function : *lowering.module) {
    if (function.isDeclaration()) continue;
    bool entry = function.getName() == uw::kThreadEntry || function.getName() == uw::kBlockEntry;
    if (!entry) function.setLinkage(GlobalValue::InternalLinkage);
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
  for (Function* function : taken) pointToSharedPart(*function);
  const abi::KernelRecord* record = find(lowering, lowering.request.kernel);
  if (!record) return lowering.fail(std::string("no kernel '") + lowering.request.kernel + "' in the device code");
  Function* kernel = module.getFunction(record->name);
  kernel->removeFnAttr(Attribute::NoInline);
  kernel->addFnAttr(Attribute::AlwaysInline);
  kernel->removeFnAttr(Attribute::OptimizeNone);
  if (lowering.request.tier == uw::Tier::loop) {
    makeBlockEntry(lowering, *kernel, *record);
  } else {
    makeThreadEntry(lowering, *kernel, *record);
  }
  dropByVal(*kernel);
}

}  // namespace unwarp::simt
