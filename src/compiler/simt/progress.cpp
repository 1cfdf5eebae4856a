// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How threads that share a fiber scheduler make progress (T3). A fiber runs until it parks, so a loop that waits for
// another thread must park now and then (`__uw_yield`). Old code that relies on the lanes of a warp running together
// gets what hardware gives it: lanes come together before and after each volatile store (but to memory that the kernel
// was given), or each store to shared memory where nothing else orders them, and before a store that moves an element
// within a shared array (`__uw_converge`). On devices whose lanes have no progress of their own, lanes that leave a
// waiting loop stand still until all that entered it have left (`__uw_loop_enter`, `__uw_loop_exit`): that is what
// makes a spin lock within a warp hang there.
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/simt/lowering.h"
#include "compiler/simt/waiting.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

CallInst* callProgress(Instruction* before, StringRef name, ArrayRef<Value*> arguments) {
  Module& module = *before->getModule();
  SmallVector<Type*, 2> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  FunctionCallee callee =
      module.getOrInsertFunction(name, FunctionType::get(Type::getVoidTy(module.getContext()), types, false));
  cast<Function>(callee.getCallee())->addFnAttr(Attribute::Convergent);
  CallInst* call = IRBuilder<>(before).CreateCall(callee, arguments);
  call->setDebugLoc(before->getDebugLoc());
  return call;
}

void insertYields(Loop& loop) {
  SmallVector<BasicBlock*, 4> latches;
  loop.getLoopLatches(latches);
  Type* flag = Type::getInt32Ty(loop.getHeader()->getContext());
  Value* waits = ConstantInt::get(flag, onlyWaits(loop));
  for (BasicBlock* latch : latches) callProgress(latch->getTerminator(), "__uw_yield", {waits});
}

// The number only tells loops apart.
void insertLockstep(Lowering& lowering, Loop& loop, uint32_t number) {
  BasicBlock* preheader = loop.getLoopPreheader();
  if (!preheader) {
    StringRef function = loop.getHeader()->getParent()->getName();
    return lowering.fail("a loop in '" + function.str() +
                         "' waits for other threads and is entered by a computed jump: not supported on devices "
                         "whose lanes have no progress of their own");
  }
  Value* id = ConstantInt::get(Type::getInt32Ty(preheader->getContext()), number);
  callProgress(preheader->getTerminator(), "__uw_loop_enter", {id});
  SmallVector<BasicBlock*, 4> exits;
  loop.getUniqueExitBlocks(exits);
  for (BasicBlock* exit : exits) callProgress(&*exit->getFirstInsertionPt(), "__uw_loop_exit", {id});
}

enum class Scan { finds, meets, nothing };

using Wanted = function_ref<bool(const Instruction&)>;

// What comes first in a block from an instruction on: a wanted one, or a place where threads meet.
Scan scan(const Instruction* from, Wanted wanted) {
  for (; from; from = from->getNextNode()) {
    if (wanted(*from)) return Scan::finds;
    auto* call = dyn_cast<CallInst>(from);
    if (call && call->getCalledFunction() && isMeetingPoint(call->getCalledFunction()->getName())) return Scan::meets;
  }
  return Scan::nothing;
}

bool comesBeforeMeeting(const Instruction& start, Wanted wanted) {
  Scan here = scan(start.getNextNode(), wanted);
  if (here != Scan::nothing) return here == Scan::finds;
  SmallPtrSet<const BasicBlock*, 32> seen;
  SmallVector<const BasicBlock*, 32> work(successors(start.getParent()));
  while (!work.empty()) {
    const BasicBlock* block = work.pop_back_val();
    if (!seen.insert(block).second) continue;
    Scan found = scan(&block->front(), wanted);
    if (found == Scan::finds) return true;
    if (found == Scan::nothing) work.append(succ_begin(block), succ_end(block));
  }
  return false;
}

const LoadInst* loadOf(const GlobalVariable* variable, const Instruction& instruction) {
  auto* load = dyn_cast<LoadInst>(&instruction);
  return load && sharedVariable(load->getPointerOperand()) == variable ? load : nullptr;
}

// A store to shared memory that is read again before threads meet: either each thread reads its own, or the program
// counts on the lanes of a warp having come together after a branch.
bool isReadBeforeMeeting(const StoreInst& store) {
  const GlobalVariable* variable = sharedVariable(store.getPointerOperand());
  return variable &&
         comesBeforeMeeting(store, [&](const Instruction& other) { return loadOf(variable, other) != nullptr; });
}

// Whether two values are computed alike; unoptimised code computes `s[t]` anew each time.
bool computedAlike(const Value* a, const Value* b, unsigned depth = 0) {
  if (a == b) return true;
  auto* first = dyn_cast<Instruction>(a);
  auto* second = dyn_cast<Instruction>(b);
  if (!first || !second || depth > 12 || !first->isSameOperationAs(second)) return false;
  if (isa<PHINode>(first) || first->mayReadOrWriteMemory()) return false;
  return all_of(zip(first->operands(), second->operands()),
                [&](auto pair) { return computedAlike(std::get<0>(pair), std::get<1>(pair), depth + 1); });
}

// A store of what was read elsewhere in the same shared array (`s[order[t]] = s[t]`, `s[t] = s[t + 1]`): right only if
// the lanes of a warp have all read before the first one writes. A thread that renews its own element
// (`s[t] += s[t + d]`) does not count: there the guard around it keeps the threads that read from those that write.
bool movesWithinArray(const StoreInst& store) {
  const GlobalVariable* variable = sharedVariable(store.getPointerOperand());
  if (!variable) return false;
  bool moves = false;
  SmallPtrSet<const Value*, 32> seen;
  SmallVector<const Value*, 32> work{store.getValueOperand()};
  while (!work.empty()) {
    auto* instruction = dyn_cast<Instruction>(work.pop_back_val());
    if (!instruction || !seen.insert(instruction).second) continue;
    const LoadInst* load = loadOf(variable, *instruction);
    if (load && computedAlike(load->getPointerOperand(), store.getPointerOperand())) return false;
    if (load) {
      moves |= comesBeforeMeeting(*load, [&](const Instruction& other) { return &other == &store; });
    } else if (!instruction->mayReadOrWriteMemory()) {  // an element that was only an address for it is not moved
      work.append(instruction->op_begin(), instruction->op_end());
    }
  }
  return moves;
}

// A plain store to what lanes read through a volatile pointer before: that all of them have read is what the lanes of a
// warp running together gives.
bool comesBehindVolatileRead(const StoreInst& store, ArrayRef<LoadInst*> volatileReads) {
  const GlobalVariable* variable = sharedVariable(store.getPointerOperand());
  return variable && any_of(volatileReads, [&](const LoadInst* load) {
           return loadOf(variable, *load) &&
                  comesBeforeMeeting(*load, [&](const Instruction& other) { return &other == &store; });
         });
}

// `s[a] = s[b]` of a structure is one copy in the IR; reading and writing are told apart below.
void splitCopiesWithinArray(Function& function) {
  SmallVector<MemCpyInst*, 8> copies;
  for (BasicBlock& block : function) {
    for (Instruction& instruction : block) {
      auto* copy = dyn_cast<MemCpyInst>(&instruction);
      auto* length = copy ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
      if (!length || length->isZero() || length->getZExtValue() > 256 || copy->isVolatile()) continue;
      const GlobalVariable* variable = sharedVariable(copy->getDest());
      if (variable && sharedVariable(copy->getSource()) == variable) copies.push_back(copy);
    }
  }
  for (MemCpyInst* copy : copies) {
    IRBuilder<> builder(copy);
    Type* bytes = builder.getIntNTy(8 * static_cast<unsigned>(cast<ConstantInt>(copy->getLength())->getZExtValue()));
    Value* read = builder.CreateAlignedLoad(bytes, copy->getSource(), copy->getSourceAlign().valueOrOne());
    builder.CreateAlignedStore(read, copy->getDest(), copy->getDestAlign().valueOrOne());
    copy->eraseFromParent();
  }
}

// Memory that a kernel was given, or found a pointer to in what it was given. A volatile store there is a counter under
// a lock or a flag for other blocks; a lane that waited for the rest of its warp would keep the lock while they spin.
bool isGivenMemory(const Value* pointer, const Function& kernel) {
  const Value* object = getUnderlyingObject(pointer);
  if (auto* load = dyn_cast<LoadInst>(object)) object = getUnderlyingObject(load->getPointerOperand());
  auto* argument = dyn_cast<Argument>(object);
  return argument && argument->getParent() == &kernel;
}

void insertConvergence(Function& function, const Lowering& lowering) {
  const bool allShared = lowering.warpSynchronous;
  const bool isKernel = !lowering.isSharedPart() && function.getName() == lowering.request.kernel;
  splitCopiesWithinArray(function);
  SmallVector<LoadInst*, 8> volatileReads;
  for (Instruction& instruction : instructions(function)) {
    auto* load = dyn_cast<LoadInst>(&instruction);
    if (load && load->isVolatile() && sharedVariable(load->getPointerOperand())) volatileReads.push_back(load);
  }
  SmallVector<StoreInst*, 16> around;
  SmallVector<StoreInst*, 16> ahead;
  SmallVector<StoreInst*, 16> behind;
  for (BasicBlock& block : function) {
    for (Instruction& instruction : block) {
      auto* store = dyn_cast<StoreInst>(&instruction);
      if (!store) continue;
      if (store->isVolatile() && isKernel && isGivenMemory(store->getPointerOperand(), function)) continue;
      if (store->isVolatile() || (allShared && sharedVariable(store->getPointerOperand()))) {
        around.push_back(store);
        continue;
      }
      if (movesWithinArray(*store) || comesBehindVolatileRead(*store, volatileReads)) ahead.push_back(store);
      if (isReadBeforeMeeting(*store)) behind.push_back(store);
    }
  }
  for (StoreInst* store : around) {
    callProgress(store, "__uw_converge", {});
    callProgress(store->getNextNode(), "__uw_converge", {});
  }
  for (StoreInst* store : ahead) callProgress(store, "__uw_converge", {});
  for (StoreInst* store : behind) callProgress(store->getNextNode(), "__uw_converge", {});
}

}  // namespace

void insertProgress(Lowering& lowering) {
  uint32_t number = 0;
  for (Function& function : *lowering.module) {
    if (function.isDeclaration()) continue;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    bool yields = lowering.request.tier == uw::Tier::fiber || lowering.isSharedPart();
    for (Loop* loop : loops.getLoopsInPreorder()) {
      if (!yields || !observesOthers(*loop)) continue;
      insertYields(*loop);
      if (lowering.request.lockstep && waitsForOthers(*loop)) insertLockstep(lowering, *loop, ++number);
    }
    insertConvergence(function, lowering);
  }
}

// A loop that waits sees the same again and again; one that takes work from a queue sees something new in each round.
void recordObservations(Lowering& lowering) {
  Module& module = *lowering.module;
  if (!module.getFunction("__uw_yield")) return;
  for (Function& function : module) {
    SmallVector<Instruction*, 16> reads;
    for (BasicBlock& block : function) {
      for (Instruction& instruction : block) {
        if (observesOthers(instruction)) reads.push_back(&instruction);
      }
    }
    for (Instruction* read : reads) {
      IRBuilder<> builder(read->getNextNode());
      Value* seen = isa<AtomicCmpXchgInst>(read) ? builder.CreateExtractValue(read, 0) : read;
      if (seen->getType()->isPointerTy()) seen = builder.CreatePtrToInt(seen, builder.getInt64Ty());
      TypeSize bits = seen->getType()->getPrimitiveSizeInBits();
      if (bits.isScalable() || bits.getFixedValue() == 0) continue;
      seen = builder.CreateBitCast(seen, builder.getIntNTy(static_cast<unsigned>(bits.getFixedValue())));
      seen = builder.CreateZExtOrTrunc(seen, builder.getInt32Ty());
      Value* field = builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), contextOf(function),
                                                        offsetof(uw::ThreadContext, observed));
      Value* before = builder.CreateAlignedLoad(builder.getInt32Ty(), field, Align(4));
      Value* mixed = builder.CreateAdd(builder.CreateMul(before, builder.getInt32(33)), seen);
      builder.CreateAlignedStore(mixed, field, Align(4));
    }
  }
}

}  // namespace unwarp::simt
