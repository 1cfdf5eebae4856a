// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/simt/entry_parts.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

namespace unwarp::simt {

using namespace llvm;

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

bool isOnlyRead(const Value& pointer) {
  for (const Use& use : pointer.uses()) {
    const User* user = use.getUser();
    if (auto* load = dyn_cast<LoadInst>(user); load && load->isSimple()) continue;
    if (auto* transfer = dyn_cast<MemTransferInst>(user); transfer && use.getOperandNo() == 1) continue;
    if (!isa<GetElementPtrInst>(user) || !isOnlyRead(*user)) return false;
  }
  return true;
}

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

void copyWrittenStructs(Function& kernel, const abi::KernelRecord& record) {
  for (size_t i = 0; i < record.parameters.size(); ++i) {
    Argument* parameter = kernel.getArg(i);
    if (!parameter->hasByValAttr() || isOnlyRead(*parameter)) continue;
    IRBuilder<> top(&*kernel.getEntryBlock().getFirstInsertionPt());
    AllocaInst* copy = top.CreateAlloca(parameter->getParamByValType());
    copy->setAlignment(std::max(parameter->getParamAlign().valueOrOne(), copy->getAlign()));
    parameter->replaceAllUsesWith(copy);
    top.CreateMemCpy(copy, copy->getAlign(), parameter, Align(1), record.parameters[i].sizeBytes);
  }
}

void dropByVal(Function& kernel) {
  for (Argument& argument : kernel.args()) {
    if (argument.hasByValAttr()) argument.removeAttr(Attribute::ByVal);
  }
}

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

Value* blockExtent(const Lowering& lowering, IRBuilder<>& builder, Value* context, size_t axis) {
  uint32_t fixed = lowering.request.blockDim[axis];
  size_t offset = offsetof(uw::ThreadContext, ntid) + 4 * axis;
  if (fixed) return builder.getInt32(fixed);
  return builder.CreateLoad(builder.getInt32Ty(), fieldAddress(builder, context, offset));
}

AllocaInst* copyBlockContext(const Lowering& lowering, IRBuilder<>& builder, Value* block) {
  AllocaInst* own = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), sizeof(uw::ThreadContext)));
  own->setAlignment(Align(8));
  auto copyField = [&](size_t offset, Type* type) {
    Value* value = builder.CreateLoad(type, fieldAddress(builder, block, offset));
    builder.CreateStore(value, fieldAddress(builder, own, offset));
  };
  for (size_t axis = 0; axis < 3; ++axis) {
    copyField(offsetof(uw::ThreadContext, ctaid) + 4 * axis, builder.getInt32Ty());
    copyField(offsetof(uw::ThreadContext, nctaid) + 4 * axis, builder.getInt32Ty());
    builder.CreateStore(blockExtent(lowering, builder, block, axis),
                        fieldAddress(builder, own, offsetof(uw::ThreadContext, ntid) + 4 * axis));
  }
  copyField(offsetof(uw::ThreadContext, dynamicSharedBytes), builder.getInt32Ty());
  copyField(offsetof(uw::ThreadContext, sharedBytes), builder.getInt32Ty());
  copyField(offsetof(uw::ThreadContext, shared), builder.getPtrTy());
  copyField(offsetof(uw::ThreadContext, lane), builder.getPtrTy());
  copyField(offsetof(uw::ThreadContext, frame), builder.getPtrTy());
  copyField(offsetof(uw::ThreadContext, frameBytes), builder.getInt64Ty());
  builder.CreateStore(builder.getInt32(lowering.request.width),
                      fieldAddress(builder, own, offsetof(uw::ThreadContext, width)));
  return own;
}

}  // namespace unwarp::simt
