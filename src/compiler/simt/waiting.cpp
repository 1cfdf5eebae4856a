// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/simt/waiting.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/lowering.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

// What code does, itself or in functions it calls, that makes waiting possible.
struct Contents {
  bool observes = false;
  bool fences = false;

  void add(const Instruction& instruction, SmallPtrSetImpl<const Function*>& seen) {
    observes |= observesOthers(instruction);
    fences |= isa<FenceInst>(instruction);
    auto* call = dyn_cast<CallInst>(&instruction);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isDeclaration() || !seen.insert(callee).second) return;
    for (const BasicBlock& block : *callee) {
      for (const Instruction& inner : block) add(inner, seen);
    }
  }
};

Contents contentsOf(const Loop& loop) {
  Contents contents;
  SmallPtrSet<const Function*, 16> seen;
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) contents.add(instruction, seen);
  }
  return contents;
}

// Functions that observe nothing (an index computation) give what their arguments give.
bool observesInCallee(const Instruction& instruction) {
  if (!isa<CallInst>(instruction)) return false;
  Contents contents;
  SmallPtrSet<const Function*, 16> seen;
  contents.add(instruction, seen);
  return contents.observes;
}

// Memory read behind a fence is read anew, so a loop over it can wait as well as one over volatile variables. Beside a
// mere atomic it need not be: loops over the row of a sparse matrix, for one, do not count as waiting.
bool isSharedRead(const Instruction& instruction) {
  auto* load = dyn_cast<LoadInst>(&instruction);
  return load && !isa<AllocaInst>(getUnderlyingObject(load->getPointerOperand()));
}

bool addsSomething(const AtomicRMWInst& update) {
  switch (update.getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::UIncWrap:
    case AtomicRMWInst::UDecWrap: {
      auto* amount = dyn_cast<ConstantInt>(update.getValOperand());
      return !amount || !amount->isZero();
    }
    case AtomicRMWInst::FAdd:
    case AtomicRMWInst::FSub:
      return true;
    default:
      return false;
  }
}

// Whether the observed value is one that only another thread can change to what the loop hopes for.
bool isHopedFor(const Instruction& instruction, const Loop& loop) {
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    auto* expected = dyn_cast<Instruction>(exchange->getCompareOperand());
    return !expected || !loop.contains(expected);
  }
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) return !addsSomething(*update);
  return observesOthers(instruction);
}

}  // namespace

bool observesOthers(const Instruction& instruction) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return load->isVolatile() || load->isAtomic();
  return isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction);
}

const GlobalVariable* sharedVariable(const Value* pointer) {
  auto* variable = dyn_cast<GlobalVariable>(getUnderlyingObject(pointer));
  return variable && variable->getAddressSpace() == kSharedSpace ? variable : nullptr;
}

bool observesOthers(const Loop& loop) {
  Contents contents = contentsOf(loop);
  return contents.observes || contents.fences;
}

bool waitsForOthers(const Loop& loop) {
  bool fences = contentsOf(loop).fences;
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  SmallPtrSet<const Value*, 32> seen;
  SmallVector<const Value*, 32> work;
  for (const BasicBlock* block : exiting) work.push_back(block->getTerminator());
  while (!work.empty()) {
    const Value* value = work.pop_back_val();
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop.contains(instruction) || !seen.insert(value).second) continue;
    if (isHopedFor(*instruction, loop) || observesInCallee(*instruction)) return true;
    if (fences && isSharedRead(*instruction)) return true;
    for (const Value* operand : instruction->operands()) work.push_back(operand);
    if (auto* phi = dyn_cast<PHINode>(instruction)) {
      // Which value arrives depends on how control came here.
      for (const BasicBlock* block : phi->blocks()) work.push_back(block->getTerminator());
    }
  }
  return exiting.empty();
}

bool onlyWaits(const Loop& loop) {
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
        if (addsSomething(*update)) return false;
        continue;
      }
      if (isa<AtomicCmpXchgInst>(instruction) || isa<FenceInst>(instruction)) continue;
      if (instruction.mayWriteToMemory() && !instruction.isLifetimeStartOrEnd()) {
        auto* load = dyn_cast<LoadInst>(&instruction);  // volatile loads count as writes in LLVM
        auto* call = dyn_cast<CallInst>(&instruction);
        bool pause = call && call->getCalledFunction() &&
                     (call->getCalledFunction()->getName() == "__uw_nanosleep" ||
                      call->getCalledFunction()->getName() == "__uw_clock");
        if (!load && !pause) return false;
      }
    }
  }
  return true;
}

}  // namespace unwarp::simt
