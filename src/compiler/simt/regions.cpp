// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the steps: each meeting gets a block of its own; what is cheap to compute from the launch and the
// thread's place is computed anew in each block, so that loops over threads still see addresses that grow evenly; every
// other value that lives across a meeting becomes a variable; and each region is a copy of the kernel that begins
// behind its meeting, reads the variables it needs from the frame and writes what it changed at the next meeting.
#include "compiler/simt/regions.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>

#include "compiler/simt/entry_parts.h"
#include "compiler/simt/uniform.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

bool isUsedOutsideItsBlock(const Instruction& instruction) {
  return any_of(instruction.users(), [&](const User* user) {
    return isa<PHINode>(user) || cast<Instruction>(user)->getParent() != instruction.getParent();
  });
}

// Which values are needed at the begin of each block.
class Liveness {
 public:
  explicit Liveness(Function& function) {
    for (BasicBlock& block : function) {
      for (Instruction& instruction : block) {
        if (isa<AllocaInst>(instruction) || instruction.getType()->isVoidTy()) continue;
        if (isUsedOutsideItsBlock(instruction)) {
          numbers_[&instruction] = static_cast<unsigned>(values_.size());
          values_.push_back(&instruction);
        }
      }
    }
    for (BasicBlock& block : function) readBlock(block);
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock& block : reverse(function)) changed |= flow(block);
    }
  }

  SmallVector<Instruction*, 16> at(BasicBlock& block) const {
    SmallVector<Instruction*, 16> found;
    for (unsigned number : blocks_.find(&block)->second.in.set_bits()) found.push_back(values_[number]);
    return found;
  }

 private:
  struct Sets {
    BitVector in, made, atEnd;  // atEnd: what phis of the blocks behind take from here
  };

  void note(BitVector& set, const Value* value) {
    auto found = numbers_.find(value);
    if (found != numbers_.end()) set.set(found->second);
  }

  void readBlock(BasicBlock& block) {
    auto size = static_cast<unsigned>(values_.size());
    Sets& sets = blocks_.try_emplace(&block, Sets{BitVector(size), BitVector(size), BitVector(size)}).first->second;
    for (Instruction& instruction : block) {
      if (!isa<PHINode>(instruction)) {
        for (const Use& use : instruction.operands()) {
          auto found = numbers_.find(use.get());
          if (found != numbers_.end() && !sets.made.test(found->second)) sets.in.set(found->second);
        }
      }
      note(sets.made, &instruction);
    }
    for (BasicBlock* next : successors(&block)) {
      for (PHINode& phi : next->phis()) note(sets.atEnd, phi.getIncomingValueForBlock(&block));
    }
  }

  bool flow(BasicBlock& block) {
    Sets& sets = blocks_.find(&block)->second;
    BitVector out = sets.atEnd;
    for (BasicBlock* next : successors(&block)) out |= blocks_.find(next)->second.in;
    out.reset(sets.made);
    out |= sets.in;
    if (out == sets.in) return false;
    sets.in = std::move(out);
    return true;
  }

  std::vector<Instruction*> values_;
  DenseMap<const Value*, unsigned> numbers_;
  DenseMap<const BasicBlock*, Sets> blocks_;
};

// Counts instructions down from `budget`; false when a value is not computed from the launch, the thread's place and
// values that all threads share, or not cheaply.
bool isCheap(const Value* value, const UniformValues& uniform, unsigned& budget) {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction) return true;
  if (isa<AllocaInst>(instruction)) return true;  // a place in the frame
  if (budget == 0) return false;
  --budget;
  uint64_t field = 0;
  if (auto* load = dyn_cast<LoadInst>(instruction); load && readsContext(*load, field)) return true;
  if (isa<PHINode>(instruction)) return uniform.isUniform(instruction);
  auto* operation = dyn_cast<BinaryOperator>(instruction);
  bool divides = operation && (operation->isIntDivRem() || operation->getType()->isFPOrFPVectorTy());
  bool plain = operation || isa<CastInst>(instruction) || isa<GetElementPtrInst>(instruction) ||
               isa<ICmpInst>(instruction) || isa<SelectInst>(instruction);
  if (divides || !plain) return false;
  return all_of(instruction->operands(), [&](const Use& use) { return isCheap(use.get(), uniform, budget); });
}

Value* computeAgain(Value* value, Instruction* before, DenseMap<Value*, Value*>& made) {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction) return value;
  if (isa<PHINode>(instruction) || isa<AllocaInst>(instruction)) return value;
  if (Value* there = made.lookup(value)) return there;
  Instruction* copy = instruction->clone();
  for (Use& operand : copy->operands()) operand.set(computeAgain(operand.get(), before, made));
  copy->insertBefore(before->getIterator());
  made[value] = copy;
  return copy;
}

Instruction* firstPlaceIn(BasicBlock& block) {
  return &*block.getFirstNonPHIOrDbgOrAlloca();
}

// The region's own parameters, behind those of the kernel.
struct RegionFrame {
  RegionFrame(IRBuilder<>& builder, Function& region, const Function& kernel)
      : builder(builder), context(region.getArg(kernel.arg_size() - 1)), call(region.getArg(kernel.arg_size())) {
    lane = builder.CreateZExt(region.getArg(kernel.arg_size() + 1), builder.getInt64Ty());
    Value* product = builder.getInt32(1);
    for (size_t axis = 0; axis < 3; ++axis) {
      Value* field = fieldAddress(builder, context, offsetof(uw::ThreadContext, ntid) + 4 * axis);
      product = builder.CreateMul(product, builder.CreateLoad(builder.getInt32Ty(), field), "", true, true);
    }
    threads = builder.CreateZExt(product, builder.getInt64Ty());
  }

  // What the runtime hands over does not change during a call.
  Value* pointer(size_t offset) {
    LoadInst* load = builder.CreateLoad(builder.getPtrTy(), fieldAddress(builder, call, offset));
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
    return load;
  }

  Value* address(const FrameSlot& slot) {
    Value* frame = pointer(offsetof(uw::RegionCall, frame));
    Value* all = builder.CreateInBoundsGEP(builder.getInt8Ty(), frame,
                                           builder.CreateMul(threads, builder.getInt64(slot.offset), "", true, true));
    return builder.CreateInBoundsGEP(ArrayType::get(builder.getInt8Ty(), slot.sizeBytes), all, lane);
  }

  Value* element(size_t offset) { return builder.CreateInBoundsGEP(builder.getInt64Ty(), pointer(offset), lane); }

  IRBuilder<>& builder;
  Value* context;
  Value* call;
  Value* lane;
  Value* threads;
};

Value* readSlot(RegionFrame& frame, const FrameSlot& slot, AllocaInst* variable) {
  Type* type = storedType(variable->getAllocatedType());
  return frame.builder.CreateAlignedLoad(type, frame.address(slot), variable->getAlign());
}

void writeSlot(RegionFrame& frame, const FrameSlot& slot, AllocaInst* variable) {
  IRBuilder<>& builder = frame.builder;
  Type* type = variable->getAllocatedType();
  Value* value = builder.CreateLoad(type, variable);
  if (storedType(type) != type) value = builder.CreateZExt(value, storedType(type));
  builder.CreateAlignedStore(value, frame.address(slot), variable->getAlign());
}

void writeFields(RegionFrame& frame, const CallInst& call) {
  IRBuilder<>& builder = frame.builder;
  for (uint32_t field = 0; field < uw::kMeetingFields; ++field) {
    Value* argument = meetingArgument(call, static_cast<uw::MeetingField>(field));
    if (!argument || isa<ConstantInt>(argument)) continue;
    Value* place = frame.element(offsetof(uw::RegionCall, fields) + sizeof(void*) * field);
    builder.CreateAlignedStore(builder.CreateZExt(argument, builder.getInt64Ty()), place, Align(8));
  }
}

// A variable in the frame is there all the time.
void putIntoFrame(RegionFrame& frame, const FrameSlot& slot, AllocaInst& variable) {
  for (User* user : make_early_inc_range(variable.users())) {
    if (cast<Instruction>(user)->isLifetimeStartOrEnd()) cast<Instruction>(user)->eraseFromParent();
  }
  if (!variable.use_empty()) variable.replaceAllUsesWith(frame.address(slot));
  variable.eraseFromParent();
}

bool isLoaded(const AllocaInst& variable) {
  return any_of(variable.users(), [](const User* user) { return isa<LoadInst>(user); });
}

bool isStoredTo(const AllocaInst& variable, const StoreInst* butNot) {
  return any_of(variable.users(), [&](const User* user) {
    auto* store = dyn_cast<StoreInst>(user);
    return store && store != butNot && store->getPointerOperand() == &variable;
  });
}

// The site where a region without loops ends, if there is only one: its threads then need not be looked at. A loop
// could bring threads there in different rounds.
uint32_t onlyEnd(Function& region) {
  for (auto component = scc_begin(&region); !component.isAtEnd(); ++component) {
    if (component.hasCycle()) return uw::kSeveralSites;
  }
  uint32_t only = uw::kSeveralSites;
  for (BasicBlock& block : region) {
    auto* end = dyn_cast<ReturnInst>(block.getTerminator());
    if (!end) continue;
    auto site = static_cast<uint32_t>(cast<ConstantInt>(end->getReturnValue())->getZExtValue());
    if (only != uw::kSeveralSites && only != site) return uw::kSeveralSites;
    only = site;
  }
  return only;
}

}  // namespace

Type* storedType(Type* type) {
  auto* integer = dyn_cast<IntegerType>(type);
  if (!integer || integer->getBitWidth() % 8 == 0) return type;
  return IntegerType::get(type->getContext(), (integer->getBitWidth() + 7) / 8 * 8);
}

std::vector<const FrameSlot*> RegionCutter::uniforms(unsigned site) const {
  std::vector<const FrameSlot*> found;
  if (site == 0) return found;
  for (unsigned number : meetings_[site - 1].live) {
    if (slots_[number].isUniform) found.push_back(&slots_[number]);
  }
  return found;
}

void RegionCutter::prepare() {
  splitAtMeetings();
  recomputeWhereCheap();
  demoteLiveValues();
  placeSlots();
}

void RegionCutter::splitAtMeetings() {
  SmallVector<CallInst*, 32> calls;
  for (BasicBlock& block : kernel_) {
    for (Instruction& instruction : block) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (call && call->getCalledFunction() && describeMeeting(*call).kind != uw::Wait::ready) calls.push_back(call);
    }
  }
  // Copies of one meeting have one number, and stay in the order in which they stand.
  llvm::stable_sort(calls,
                    [](CallInst* a, CallInst* b) { return describeMeeting(*a).site < describeMeeting(*b).site; });
  IRBuilder<> top(&*kernel_.getEntryBlock().getFirstInsertionPt());
  result_ = top.CreateAlloca(top.getInt64Ty(), nullptr, "uw.result");
  for (CallInst* call : calls) {
    Meeting meeting;
    meeting.call = call;
    meeting.block = call->getParent()->splitBasicBlock(call->getIterator());
    meeting.after = meeting.block->splitBasicBlock(std::next(call->getIterator()));
    if (!call->use_empty()) {
      IRBuilder<> builder(&meeting.after->front());
      Value* value = builder.CreateLoad(builder.getInt64Ty(), result_);
      call->replaceAllUsesWith(builder.CreateTrunc(value, call->getType()));
    }
    meetings_.push_back(std::move(meeting));
  }
}

void RegionCutter::recomputeWhereCheap() {
  SetVector<Instruction*> wanted;
  {
    UniformValues uniform(kernel_);
    Liveness liveness(kernel_);
    for (Meeting& meeting : meetings_) {
      for (Instruction* value : liveness.at(*meeting.after)) {
        unsigned budget = 12;
        if (!isa<PHINode>(value) && isCheap(value, uniform, budget)) wanted.insert(value);
      }
    }
  }
  struct Copies {
    Instruction* before = nullptr;
    DenseMap<Value*, Value*> made;
  };
  DenseMap<BasicBlock*, Copies> blocks;
  for (Instruction* value : wanted) {
    for (Use& use : make_early_inc_range(value->uses())) {
      auto* user = cast<Instruction>(use.getUser());
      auto* phi = dyn_cast<PHINode>(user);
      if (!phi && user->getParent() == value->getParent()) continue;
      if (phi) {
        DenseMap<Value*, Value*> here;
        use.set(computeAgain(value, phi->getIncomingBlock(use)->getTerminator(), here));
      } else {
        BasicBlock* block = user->getParent();
        Copies& copies = blocks[block];
        if (!copies.before) copies.before = firstPlaceIn(*block);
        use.set(computeAgain(value, copies.before, copies.made));
      }
    }
  }
}

void RegionCutter::demoteLiveValues() {
  UniformValues uniform(kernel_);
  Liveness liveness(kernel_);
  DenseMap<Instruction*, unsigned> numbers;
  SmallVector<Instruction*, 32> values;
  for (Meeting& meeting : meetings_) {
    for (Instruction* value : liveness.at(*meeting.after)) {
      auto [found, isNew] = numbers.try_emplace(value, static_cast<unsigned>(values.size()));
      if (isNew) values.push_back(value);
      meeting.live.push_back(found->second);
    }
  }
  for (Instruction& instruction : kernel_.getEntryBlock()) {
    auto* local = dyn_cast<AllocaInst>(&instruction);
    if (local && local != result_) slots_.push_back({local, 0, 0, /*inMemory=*/true, false});
  }
  auto first = static_cast<unsigned>(slots_.size());
  for (Instruction* value : values) {
    bool isUniform = uniform.isUniform(value);
    slots_.push_back({DemoteRegToStack(*value), 0, 0, false, isUniform});
  }
  for (Meeting& meeting : meetings_) {
    for (unsigned& number : meeting.live) number += first;
  }
}

// Large elements first: every array then begins at a multiple of its alignment whatever the number of threads.
void RegionCutter::placeSlots() {
  const DataLayout& layout = kernel_.getParent()->getDataLayout();
  std::vector<FrameSlot*> order;
  for (FrameSlot& slot : slots_) {
    Type* stored = storedType(slot.variable->getAllocatedType());
    uint64_t elements = 1;
    if (slot.variable->isArrayAllocation()) elements = cast<ConstantInt>(slot.variable->getArraySize())->getZExtValue();
    slot.sizeBytes = alignTo(layout.getTypeAllocSize(stored) * elements, slot.variable->getAlign());
    order.push_back(&slot);
  }
  std::stable_sort(order.begin(), order.end(), [](const FrameSlot* a, const FrameSlot* b) {
    return a->variable->getAlign() > b->variable->getAlign();
  });
  for (FrameSlot* slot : order) {
    slot->offset = frameBytes_;
    frameBytes_ += slot->sizeBytes;
  }
  frameBytes_ = alignTo(frameBytes_, 64);
}

// A copy of the kernel as a function from its begin to its end, with a region's parameters.
Function* RegionCutter::copyFor(unsigned site, ValueToValueMapTy& map) {
  LLVMContext& context = kernel_.getContext();
  SmallVector<Type*, 12> types(kernel_.getFunctionType()->params());
  types.push_back(PointerType::getUnqual(context));
  types.push_back(Type::getInt32Ty(context));
  for (const FrameSlot* slot : uniforms(site)) types.push_back(storedType(slot->variable->getAllocatedType()));
  auto* type = FunctionType::get(Type::getInt32Ty(context), types, false);
  Function* made = Function::Create(type, GlobalValue::InternalLinkage, "region", kernel_.getParent());
  for (size_t i = 0; i < kernel_.arg_size(); ++i) map[kernel_.getArg(i)] = made->getArg(i);
  SmallVector<ReturnInst*, 8> returns;
  CloneFunctionInto(made, &kernel_, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  for (ReturnInst* end : returns)
    ReplaceInstWithInst(end, ReturnInst::Create(context, ConstantInt::get(type->getReturnType(), 0)));
  made->removeFnAttr(Attribute::NoInline);
  made->removeFnAttr(Attribute::OptimizeNone);
  made->addFnAttr(Attribute::AlwaysInline);
  return made;
}

// Where the region ends: at the meetings that a thread can reach from `begin`.
std::vector<RegionCutter::End> RegionCutter::endAtMeetings(Function& region, ValueToValueMapTy& map) {
  std::vector<End> ends;
  for (unsigned next = 1; next <= meetings_.size(); ++next) {
    auto* call = cast<CallInst>(&*map[meetings_[next - 1].call]);
    auto* number = ConstantInt::get(region.getReturnType(), next);
    ReplaceInstWithInst(call->getParent()->getTerminator(), ReturnInst::Create(region.getContext(), number));
    ends.push_back({call, next});
  }
  SmallPtrSet<BasicBlock*, 32> reachable;
  for (BasicBlock* block : depth_first(&region.getEntryBlock())) reachable.insert(block);
  std::erase_if(ends, [&](const End& end) { return !reachable.contains(end.call->getParent()); });
  removeUnreachableBlocks(region);
  return ends;
}

Function* RegionCutter::cut(unsigned site) {
  LLVMContext& context = kernel_.getContext();
  ValueToValueMapTy map;
  Function* made = copyFor(site, map);
  auto variableOf = [&](AllocaInst* original) { return cast<AllocaInst>(&*map[original]); };
  BasicBlock* begin = &made->getEntryBlock();
  BasicBlock* resume = BasicBlock::Create(context, "resume", made, begin);
  for (FrameSlot& slot : slots_) variableOf(slot.variable)->moveBefore(*resume, resume->end());
  AllocaInst* result = variableOf(result_);
  result->moveBefore(*resume, resume->end());
  if (site != 0) begin = cast<BasicBlock>(&*map[meetings_[site - 1].after]);
  BranchInst* enter = BranchInst::Create(begin, resume);
  std::vector<End> ends = endAtMeetings(*made, map);
  then_[site] = onlyEnd(*made);
  IRBuilder<> builder(enter);
  RegionFrame frame(builder, *made, kernel_);
  for (FrameSlot& slot : slots_) {
    if (slot.inMemory) putIntoFrame(frame, slot, *variableOf(slot.variable));
  }
  DenseMap<unsigned, StoreInst*> reads;
  auto* given = made->arg_begin() + kernel_.arg_size() + 2;
  for (unsigned number : site == 0 ? std::vector<unsigned>() : meetings_[site - 1].live) {
    const FrameSlot& slot = slots_[number];
    AllocaInst* variable = variableOf(slot.variable);
    Argument* parameter = slot.isUniform ? &*given++ : nullptr;
    if (!isLoaded(*variable) && !isStoredTo(*variable, nullptr)) continue;
    Value* value = parameter ? parameter : readSlot(frame, slot, variable);
    Type* own = variable->getAllocatedType();
    reads[number] = builder.CreateStore(storedType(own) == own ? value : builder.CreateTrunc(value, own), variable);
  }
  if (site != 0 && isLoaded(*result)) {
    Value* place = frame.element(offsetof(uw::RegionCall, results));
    builder.CreateStore(builder.CreateAlignedLoad(builder.getInt64Ty(), place, Align(8)), result);
  }
  for (const End& end : ends) {
    builder.SetInsertPoint(end.call);
    writeFields(frame, *end.call);
    for (unsigned number : meetings_[end.site - 1].live) {
      AllocaInst* variable = variableOf(slots_[number].variable);
      if (isStoredTo(*variable, reads.lookup(number))) writeSlot(frame, slots_[number], variable);
    }
    end.call->eraseFromParent();
  }
  return made;
}

}  // namespace unwarp::simt
