// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry of a kernel in T1 (abi.h: RegionCall). Each region is a function of its own that takes its threads through
// in a loop; rows of the block are an outer loop, so that in the inner one `threadIdx.x` grows by one and everything
// else stands still, which is what LLVM's vectoriser wants to see.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstring>

#include "compiler/simt/entry_parts.h"
#include "compiler/simt/lowering.h"
#include "compiler/simt/meeting_loops.h"
#include "compiler/simt/regions.h"
#include "compiler/simt/source_lines.h"
#include "compiler/simt/thread_loops.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

Value* readCall(IRBuilder<>& builder, Value* call, size_t offset, Type* type) {
  return builder.CreateLoad(type, fieldAddress(builder, call, offset));
}

Value* blockThreads(const Lowering& lowering, IRBuilder<>& builder, Value* block) {
  Value* row = builder.CreateMul(blockExtent(lowering, builder, block, 0), blockExtent(lowering, builder, block, 1));
  return builder.CreateMul(row, blockExtent(lowering, builder, block, 2));
}

// Values that all threads of a call have in common, from the first one's frame.
SmallVector<Value*, 8> readUniforms(IRBuilder<>& builder, const std::vector<const FrameSlot*>& slots, Value* call,
                                    Value* first, Value* threads) {
  SmallVector<Value*, 8> values;
  if (slots.empty()) return values;
  Value* frame = readCall(builder, call, offsetof(uw::RegionCall, frame), builder.getPtrTy());
  auto wide = [&](Value* number) { return builder.CreateZExt(number, builder.getInt64Ty()); };
  for (const FrameSlot* slot : slots) {
    Value* array = builder.CreateMul(wide(threads), builder.getInt64(slot->offset));
    Value* at = builder.CreateAdd(array, builder.CreateMul(wide(first), builder.getInt64(slot->sizeBytes)));
    Value* place = builder.CreateInBoundsGEP(builder.getInt8Ty(), frame, at);
    Type* type = storedType(slot->variable->getAllocatedType());
    values.push_back(builder.CreateAlignedLoad(type, place, slot->variable->getAlign()));
  }
  return values;
}

// Runs threads `first` to `first + count` of the block through one region.
Function* makeRegionLoop(Lowering& lowering, Function& kernel, const abi::KernelRecord& record, Function& region,
                         const std::vector<const FrameSlot*>& uniforms) {
  Function* loop = newEntry(*lowering.module, "region.loop");
  loop->setLinkage(GlobalValue::InternalLinkage);
  loop->addFnAttr(Attribute::NoInline);
  Argument* call = loop->getArg(1);
  call->addAttr(Attribute::NoAlias);
  call->addAttr(Attribute::ReadOnly);
  IRBuilder<> builder(BasicBlock::Create(kernel.getContext(), "entry", loop));
  inheritLines(*loop, region, builder);
  Type* number = builder.getInt32Ty();
  Value* block = readCall(builder, call, offsetof(uw::RegionCall, block), builder.getPtrTy());
  AllocaInst* own = copyBlockContext(lowering, builder, block);
  Value* extentX = blockExtent(lowering, builder, block, 0);
  Value* extentY = blockExtent(lowering, builder, block, 1);
  Value* first = readCall(builder, call, offsetof(uw::RegionCall, first), number);
  Value* end =
      builder.CreateAdd(first, readCall(builder, call, offsetof(uw::RegionCall, count), number), "", true, true);
  Value* next = readCall(builder, call, offsetof(uw::RegionCall, next), builder.getPtrTy());
  SmallVector<Value*, 8> arguments = readArguments(builder, kernel, record, loop->getArg(0));
  SmallVector<Value*, 8> shared = readUniforms(builder, uniforms, call, first, blockThreads(lowering, builder, block));

  BasicBlock* before = builder.GetInsertBlock();
  BasicBlock* rows = BasicBlock::Create(kernel.getContext(), "rows", loop);
  builder.CreateBr(rows);
  builder.SetInsertPoint(rows);
  PHINode* rowBegin = builder.CreatePHI(number, 2);
  rowBegin->addIncoming(first, before);
  Value* row = builder.CreateUDiv(rowBegin, extentX);
  Value* column = builder.CreateSub(rowBegin, builder.CreateMul(row, extentX, "", true, true), "", true, true);
  Value* plane = builder.CreateUDiv(row, extentY);
  Value* line = builder.CreateSub(row, builder.CreateMul(plane, extentY, "", true, true), "", true, true);
  auto store = [&](Value* value, size_t offset) { builder.CreateStore(value, fieldAddress(builder, own, offset)); };
  store(line, offsetof(uw::ThreadContext, tid[1]));
  store(plane, offsetof(uw::ThreadContext, tid[2]));
  Value* left = builder.CreateSub(end, rowBegin, "", true, true);
  Value* rest = builder.CreateSub(extentX, column, "", true, true);
  Value* count = builder.CreateSelect(builder.CreateICmpULT(left, rest), left, rest);
  ThreadLoop threads = openLoop(builder, count);
  Value* linear = builder.CreateAdd(rowBegin, threads.index, "", true, true);
  store(builder.CreateAdd(column, threads.index, "", true, true), offsetof(uw::ThreadContext, tid[0]));
  store(linear, offsetof(uw::ThreadContext, linear));
  SmallVector<Value*, 12> all(arguments.begin(), arguments.end());
  all.append({own, call, linear});
  all.append(shared.begin(), shared.end());
  Value* site = builder.CreateCall(&region, all);
  Value* index = builder.CreateZExt(linear, builder.getInt64Ty());
  builder.CreateAlignedStore(site, builder.CreateInBoundsGEP(number, next, index), Align(4));
  markThreadLoop(*closeLoop(builder, threads));
  Value* rowEnd = builder.CreateAdd(rowBegin, count, "", true, true);
  rowBegin->addIncoming(rowEnd, builder.GetInsertBlock());
  BasicBlock* done = BasicBlock::Create(kernel.getContext(), "done", loop);
  builder.CreateCondBr(builder.CreateICmpULT(rowEnd, end), rows, done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  return loop;
}

void writeTable(Module& module, const RegionCutter& cutter) {
  std::vector<char> bytes(offsetof(uw::RegionTable, site) + sizeof(uw::RegionSite) * cutter.meetings().size());
  uw::RegionTable head{};
  head.frameBytes = cutter.frameBytes();
  head.sites = static_cast<uint32_t>(cutter.meetings().size());
  head.then = cutter.then(0);
  size_t at = offsetof(uw::RegionTable, site);
  std::vector<uw::RegionSlot> uniforms;
  for (unsigned number = 1; number <= head.sites; ++number) {
    uw::RegionSite site = describeMeeting(*cutter.meetings()[number - 1].call);
    site.firstUniform = static_cast<uint32_t>(uniforms.size());
    for (const FrameSlot* slot : cutter.uniforms(number)) uniforms.push_back({slot->offset, slot->sizeBytes});
    site.uniforms = static_cast<uint32_t>(uniforms.size()) - site.firstUniform;
    site.then = cutter.then(number);
    head.warpOperations |= site.kind != uw::Wait::barrier;
    std::memcpy(&bytes[at], &site, sizeof site);
    at += sizeof site;
  }
  head.uniformsAt = bytes.size();
  std::memcpy(bytes.data(), &head, offsetof(uw::RegionTable, site));
  bytes.resize(bytes.size() + uniforms.size() * sizeof uniforms[0]);
  if (!uniforms.empty()) std::memcpy(&bytes[head.uniformsAt], uniforms.data(), uniforms.size() * sizeof uniforms[0]);
  Constant* data = ConstantDataArray::getString(module.getContext(), StringRef(bytes.data(), bytes.size()), false);
  auto* table = new GlobalVariable(module, data->getType(), true, GlobalValue::ExternalLinkage, data, uw::kRegionTable);
  table->setAlignment(Align(8));
}

}  // namespace

void makeRegionEntry(Lowering& lowering, Function& kernel, const abi::KernelRecord& record) {
  Module& module = *lowering.module;
  writeOutMeetingLoops(lowering, kernel);
  RegionCutter cutter(kernel);
  cutter.prepare();
  if (cutter.frameBytes() > kMostLocalBytes) return refuseLocalBytes(lowering, cutter.frameBytes(), kernel.getName());
  Function* entry = newEntry(module, uw::kRegionEntry);
  IRBuilder<> builder(BasicBlock::Create(kernel.getContext(), "entry", entry));
  Value* site = readCall(builder, entry->getArg(1), offsetof(uw::RegionCall, site), builder.getInt32Ty());
  BasicBlock* none = BasicBlock::Create(kernel.getContext(), "none", entry);
  SwitchInst* choice = builder.CreateSwitch(site, none, static_cast<unsigned>(cutter.meetings().size()) + 1);
  builder.SetInsertPoint(none);
  builder.CreateUnreachable();
  for (unsigned number = 0; number <= cutter.meetings().size(); ++number) {
    Function* region = cutter.cut(number);
    Function* loop = makeRegionLoop(lowering, kernel, record, *region, cutter.uniforms(number));
    dropByVal(*region);
    BasicBlock* chosen = BasicBlock::Create(kernel.getContext(), "region", entry);
    builder.SetInsertPoint(chosen);
    builder.CreateCall(loop, {entry->getArg(0), entry->getArg(1)});
    builder.CreateRetVoid();
    choice->addCase(builder.getInt32(number), chosen);
  }
  writeTable(module, cutter);
  kernel.removeFnAttr(Attribute::AlwaysInline);
}

}  // namespace unwarp::simt
