// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In `for (k...) sum += a[row * n + k] * b[k * n + column]` a thread walks down a column: as the inner of two loops
// that is one element of each cache line and one addition after the other. With the loop over threads inside,
// neighbours read neighbouring elements and LLVM's vectoriser, which looks at innermost loops only, makes vectors of
// threads. Threads that never meet allow any order between them; within each thread the order stays.
//
// Values of a thread that live from one of the three parts to another get a row of memory, one element for each thread,
// or are computed again when they follow from the thread's number. Blocks are moved, not copied:
//   before: header .. entrance            loop over threads: first values of the inner loop's variables to their rows
//   middle: inner loop { loop over threads: rows to values, body, values to rows }
//   after:  the inner loop's exit .. latch   loop over threads: rows to values
#include "compiler/simt/thread_nests.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <optional>

namespace unwarp::simt {
namespace {

using namespace llvm;

constexpr unsigned kFewestThreads = 8;         // fewer make no vector
constexpr unsigned kMostThreads = 1024;        // of a block
constexpr uint64_t kMostRowBytes = 32 * 1024;  // about a first-level cache

bool isPure(const Instruction& instruction) {
  return !isa<PHINode>(instruction) && !isa<AllocaInst>(instruction) && !isa<CallBase>(instruction) &&
         !instruction.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&instruction);
}

// Bytes between what neighbouring threads see of a value; a guess that decides about profit only.
std::optional<int64_t> stride(const SCEV* value, const Loop& loop, ScalarEvolution& evolution) {
  if (evolution.isLoopInvariant(value, &loop)) return 0;
  if (auto* growing = dyn_cast<SCEVAddRecExpr>(value)) {
    if (growing->getLoop() != &loop) return stride(growing->getStart(), loop, evolution);
    auto* step = dyn_cast<SCEVConstant>(growing->getStepRecurrence(evolution));
    return step ? std::optional(step->getAPInt().getSExtValue()) : std::nullopt;
  }
  if (auto* cast = dyn_cast<SCEVCastExpr>(value)) return stride(cast->getOperand(), loop, evolution);
  int64_t total = 0;
  if (auto* sum = dyn_cast<SCEVAddExpr>(value)) {
    for (const SCEV* operand : sum->operands()) {
      std::optional<int64_t> part = stride(operand, loop, evolution);
      if (!part) return std::nullopt;
      total += *part;
    }
    return total;
  }
  auto* product = dyn_cast<SCEVMulExpr>(value);
  auto* factor = product && product->getNumOperands() == 2 ? dyn_cast<SCEVConstant>(product->getOperand(0)) : nullptr;
  if (!factor) return std::nullopt;
  std::optional<int64_t> part = stride(product->getOperand(1), loop, evolution);
  return part ? std::optional(*part * factor->getAPInt().getSExtValue()) : std::nullopt;
}

// The two loops, and what of the inner one is the same for all threads.
class Nest {
 public:
  Nest(Loop& threads, Loop& inner, DominatorTree& dominators, ScalarEvolution& evolution)
      : threads(threads), inner(inner), dominators_(dominators), evolution_(evolution) {}

  bool canChange() {
    index = dyn_cast<PHINode>(&threads.getHeader()->front());
    if (!index || isa<PHINode>(index->getNextNode()) || !threads.isLoopSimplifyForm()) return false;
    most = evolution_.getSmallConstantMaxTripCount(&threads);
    most = most == 0 ? kMostThreads : std::min(most, kMostThreads);
    const SCEV* last = evolution_.getBackedgeTakenCount(&threads);
    Instruction* before = threads.getLoopPreheader()->getTerminator();
    SCEVExpander expander(evolution_, "threads");
    if (most < kFewestThreads || isa<SCEVCouldNotCompute>(last) || !expander.isSafeToExpandAt(last, before))
      return false;
    if (!startsAtZero() || !isRegular() || !everyThreadEnters()) return false;
    findUniform();
    auto* branch = dyn_cast<BranchInst>(inner.getLoopLatch()->getTerminator());
    return branch && branch->isConditional() && isUniform(branch->getCondition()) && isWorthIt() &&
           rowBytes() <= kMostRowBytes;
  }

  // How many threads there are, in the type of their index.
  Value* count() const {
    SCEVExpander expander(evolution_, "threads");
    const SCEV* last = evolution_.getTruncateOrZeroExtend(evolution_.getBackedgeTakenCount(&threads), index->getType());
    const SCEV* all = evolution_.getAddExpr(last, evolution_.getOne(index->getType()));
    return expander.expandCodeFor(all, index->getType(), threads.getLoopPreheader()->getTerminator());
  }

  bool isUniform(Value* value) const {
    auto* instruction = dyn_cast<Instruction>(value);
    return threads.isLoopInvariant(value) || (instruction && uniform.count(instruction));
  }
  bool isAfter(const BasicBlock* block) const {
    return threads.contains(block) && dominators_.dominates(inner.getExitBlock(), block);
  }
  bool isBefore(const BasicBlock* block) const {
    return threads.contains(block) && !inner.contains(block) && !isAfter(block);
  }

  // A value from before the inner loop that is cheaper to compute again than to keep: it follows from the thread's
  // number and what all threads share.
  bool canRepeat(Value* value, unsigned depth = 0) const {
    if (value == index || threads.isLoopInvariant(value)) return true;
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || !isPure(*instruction) || !isBefore(instruction->getParent()) || depth > 12) return false;
    return all_of(instruction->operands(), [&](Value* operand) { return canRepeat(operand, depth + 1); });
  }

  Loop& threads;
  Loop& inner;
  PHINode* index = nullptr;
  unsigned most = 0;  // threads that there can be
  SmallPtrSet<Instruction*, 16> uniform;

 private:
  bool startsAtZero() const {
    auto* growing = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(index));
    return growing && growing->getLoop() == &threads && growing->getStart()->isZero() &&
           growing->getStepRecurrence(evolution_)->isOne();
  }

  bool isRegular() const {
    BasicBlock* exit = inner.getExitBlock();
    return inner.isLoopSimplifyForm() && inner.getExitingBlock() == inner.getLoopLatch() && exit &&
           exit->getSinglePredecessor() && threads.isLoopSimplifyForm() &&
           threads.getExitingBlock() == threads.getLoopLatch() && threads.contains(exit);
  }

  bool everyThreadEnters() const {
    if (!dominators_.dominates(inner.getHeader(), threads.getLoopLatch())) return false;
    return none_of(threads, [&](const Loop* other) { return other != &inner && isBefore(other->getHeader()); });
  }

  // Variables of the inner loop that begin with one value for all threads and change by one rule for all: assumed of
  // all, then taken back until it holds.
  void findUniform() {
    for (PHINode& variable : inner.getHeader()->phis()) {
      if (threads.isLoopInvariant(variable.getIncomingValueForBlock(inner.getLoopPreheader())))
        uniform.insert(&variable);
    }
    SmallPtrSet<Instruction*, 16> variables = uniform;
    for (bool holds = false; !holds;) {
      uniform = variables;
      for (BasicBlock* block : inner.blocks()) {
        for (Instruction& instruction : *block) {
          bool shared = isPure(instruction) && !instruction.isTerminator() &&
                        all_of(instruction.operands(), [&](Value* operand) { return isUniform(operand); });
          if (shared) uniform.insert(&instruction);
        }
      }
      holds = true;
      for (PHINode& variable : inner.getHeader()->phis()) {
        if (!variables.count(&variable) || isUniform(variable.getIncomingValueForBlock(inner.getLoopLatch()))) continue;
        variables.erase(&variable);
        holds = false;
      }
    }
  }

  // Memory for the values of all threads that live from one part to another.
  uint64_t rowBytes() const {
    uint64_t bytes = 0;
    for (BasicBlock* block : threads.blocks()) {
      for (Instruction& value : *block) {
        if (value.getType()->isVoidTy() || uniform.count(&value) || canRepeat(&value)) continue;
        bool leaves = any_of(value.users(),
                             [&](const User* user) { return livesOn(block, cast<Instruction>(user)->getParent()); });
        if (!leaves && !(isa<PHINode>(value) && block == inner.getHeader())) continue;
        bytes += most * value.getDataLayout().getTypeAllocSize(value.getType()).getFixedValue();
      }
    }
    return bytes;
  }
  bool livesOn(const BasicBlock* made, const BasicBlock* used) const {
    return isBefore(made) ? !isBefore(used) : inner.contains(made) && isAfter(used);
  }

  // What LLVM would make vectors of: no access but to one place for all threads or to neighbouring ones, and something
  // that differs between threads.
  bool isWorthIt() const {
    bool differs = any_of(inner.getHeader()->phis(), [&](PHINode& variable) { return !uniform.count(&variable); });
    for (BasicBlock* block : inner.blocks()) {
      for (Instruction& instruction : *block) {
        if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction)) return false;
        if (!instruction.mayReadOrWriteMemory()) continue;
        Value* pointer = getLoadStorePointerOperand(&instruction);
        if (!pointer || instruction.isVolatile() || instruction.isAtomic()) return false;
        uint64_t size = instruction.getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction));
        // Scalar evolution does not know a variable that trails another by a round (`k = j++`).
        std::optional<int64_t> bytes =
            isUniform(pointer) ? 0 : stride(evolution_.getSCEV(pointer), threads, evolution_);
        if (!bytes || (*bytes != 0 && static_cast<uint64_t>(std::abs(*bytes)) != size)) return false;
        differs |= *bytes != 0;
      }
    }
    return differs;
  }

  DominatorTree& dominators_;
  ScalarEvolution& evolution_;
};

// One of the new loops over threads, around blocks that are there.
struct Part {
  BasicBlock* header = nullptr;
  PHINode* index = nullptr;
  DenseMap<Value*, Value*> values;  // of the thread at hand: what this part uses of earlier ones
};

class Exchange {
 public:
  Exchange(Nest& nest, void (*mark)(BranchInst&))
      : nest_(nest),
        mark_(mark),
        header_(nest.inner.getHeader()),
        latch_(nest.inner.getLoopLatch()),
        entrance_(nest.inner.getLoopPreheader()),
        exit_(nest.inner.getExitBlock()),
        last_(nest.threads.getLoopLatch()),
        next_(nest.threads.getExitBlock()),
        count_(nest.count()) {
    for (BasicBlock* block : nest.threads.blocks()) {
      (nest.inner.contains(block) ? middleBlocks_
       : nest.isAfter(block)      ? afterBlocks_
                                  : beforeBlocks_)
          .push_back(block);
    }
    for (PHINode& variable : header_->phis()) {
      (nest.uniform.count(&variable) ? shared_ : own_).push_back(&variable);
    }
  }

  void run() {
    BasicBlock* around = BasicBlock::Create(header_->getContext(), "around", header_->getParent(), header_);
    BasicBlock* aroundLatch = BasicBlock::Create(header_->getContext(), "around.latch", header_->getParent(), exit_);
    Part middle = newPart("threads.middle", around, header_);
    Part after = newPart("threads.after", aroundLatch, exit_);
    BasicBlock* afterBegin = after.header;
    endBefore(around);
    moveShared(around, aroundLatch);
    keepResults(after);
    loadVariables(middle);
    redirect(middleBlocks_, middle);
    redirect(afterBlocks_, after);
    endMiddle(middle, aroundLatch, afterBegin, around);
    endAfter(after);
    BranchInst::Create(middle.header, around);
  }

 private:
  // A row of one element for each thread.
  Value* row(Type* type) {
    IRBuilder<> top(&*header_->getParent()->getEntryBlock().getFirstInsertionPt());
    return top.CreateAlloca(ArrayType::get(type, nest_.most));
  }
  Value* element(IRBuilder<>& builder, Value* of, Value* thread) {
    return builder.CreateInBoundsGEP(cast<AllocaInst>(of)->getAllocatedType(), of, {builder.getInt64(0), thread});
  }
  Value* load(IRBuilder<>& builder, Value* of, const Part& part) {
    Type* type = cast<ArrayType>(cast<AllocaInst>(of)->getAllocatedType())->getElementType();
    return builder.CreateLoad(type, element(builder, of, part.index));
  }

  Part newPart(const char* name, BasicBlock* from, BasicBlock* body) {
    Part part;
    part.header = BasicBlock::Create(body->getContext(), name, body->getParent(), body);
    part.index = PHINode::Create(nest_.index->getType(), 2, "thread", part.header);
    part.index->addIncoming(ConstantInt::get(nest_.index->getType(), 0), from);
    BranchInst::Create(body, part.header);
    part.values[nest_.index] = part.index;
    return part;
  }

  // Closes a loop over threads whose last block is `block`.
  void close(BasicBlock* block, BasicBlock* header, PHINode* index, BasicBlock* next) {
    IRBuilder<> builder(block);
    Value* following =
        builder.CreateAdd(index, ConstantInt::get(index->getType(), 1), "", /*HasNUW=*/true, /*HasNSW=*/true);
    Value* more = builder.CreateICmpULT(following, count_);
    mark_(*builder.CreateCondBr(more, header, next));
    index->addIncoming(following, block);
  }

  // The first part ends with the first values of the inner loop's own variables.
  void endBefore(BasicBlock* around) {
    IRBuilder<> builder(entrance_->getTerminator());
    for (PHINode* variable : own_) {
      rows_[variable] = row(variable->getType());
      builder.CreateStore(variable->getIncomingValueForBlock(entrance_),
                          element(builder, rows_[variable], nest_.index));
    }
    entrance_->getTerminator()->eraseFromParent();
    nest_.index->removeIncomingValue(last_);
    close(entrance_, nest_.threads.getHeader(), nest_.index, around);
  }

  // What is the same for all threads stands in front of the loop over them.
  void moveShared(BasicBlock* around, BasicBlock* aroundLatch) {
    for (PHINode* variable : shared_) {
      variable->moveBefore(*around, around->end());
      variable->replaceIncomingBlockWith(latch_, aroundLatch);
    }
    for (BasicBlock* block : middleBlocks_) {
      for (Instruction& instruction : make_early_inc_range(*block)) {
        if (nest_.uniform.count(&instruction) && !isa<PHINode>(instruction))
          instruction.moveBefore(*around, around->end());
      }
    }
  }

  // Values of the inner loop that are used behind it: the last ones of its variables are in their rows.
  void keepResults(Part& after) {
    for (PHINode& result : make_early_inc_range(exit_->phis())) {
      Value* value = result.getIncomingValue(0);
      result.replaceAllUsesWith(value);
      result.eraseFromParent();
    }
    for (BasicBlock* block : middleBlocks_) {
      for (Instruction& instruction : *block) {
        if (!isUsedIn(instruction, afterBlocks_)) continue;
        Value* kept = nullptr;
        for (PHINode* variable : own_) {
          if (variable->getIncomingValueForBlock(latch_) == &instruction) kept = rows_[variable];
        }
        if (!kept) {
          kept = row(instruction.getType());
          results_.push_back({&instruction, kept});
        }
        IRBuilder<> builder(after.header->getTerminator());
        after.values[&instruction] = load(builder, kept, after);
      }
    }
  }

  void loadVariables(Part& middle) {
    IRBuilder<> builder(middle.header->getTerminator());
    for (PHINode* variable : own_) middle.values[variable] = load(builder, rows_[variable], middle);
  }

  // Makes a part's blocks use its own thread's number and values.
  void redirect(ArrayRef<BasicBlock*> blocks, Part& part) {
    for (BasicBlock* block : blocks) {
      for (Instruction& instruction : *block) {
        if (is_contained(own_, &instruction)) continue;
        for (Use& use : instruction.operands()) {
          if (Value* value = valueIn(part, use.get())) use.set(value);
        }
      }
    }
  }

  // Null for what can be used as it is.
  Value* valueIn(Part& part, Value* value) {
    if (auto found = part.values.find(value); found != part.values.end()) return found->second;
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || !is_contained(beforeBlocks_, instruction->getParent())) return nullptr;
    IRBuilder<> builder(part.header->getTerminator());
    if (!nest_.canRepeat(value)) return part.values[value] = load(builder, rowOf(*instruction), part);
    Instruction* repeated = instruction->clone();
    for (Use& operand : repeated->operands()) {
      if (Value* own = valueIn(part, operand.get())) operand.set(own);
    }
    repeated->insertBefore(part.header->getTerminator()->getIterator());
    return part.values[value] = repeated;
  }

  Value* rowOf(Instruction& instruction) {
    Value*& kept = rows_[&instruction];
    if (!kept) {
      kept = row(instruction.getType());
      IRBuilder<> builder(isa<PHINode>(instruction) ? &*instruction.getParent()->getFirstInsertionPt()
                                                    : instruction.getNextNode());
      builder.CreateStore(&instruction, element(builder, kept, nest_.index));
    }
    return kept;
  }

  void endMiddle(Part& middle, BasicBlock* aroundLatch, BasicBlock* afterBegin, BasicBlock* around) {
    auto* branch = cast<BranchInst>(latch_->getTerminator());
    Value* condition = branch->getCondition();
    bool again = branch->getSuccessor(0) == header_;
    branch->eraseFromParent();
    for (PHINode* variable : own_) results_.push_back({variable->getIncomingValueForBlock(latch_), rows_[variable]});
    IRBuilder<> builder(latch_);
    for (auto [value, kept] : results_) {
      Value* own = valueIn(middle, value);
      builder.CreateStore(own ? own : value, element(builder, kept, middle.index));
    }
    for (PHINode* variable : own_) variable->eraseFromParent();
    close(latch_, middle.header, middle.index, aroundLatch);
    BranchInst::Create(again ? around : afterBegin, again ? afterBegin : around, condition, aroundLatch);
  }

  void endAfter(Part& after) {
    last_->getTerminator()->eraseFromParent();
    close(last_, after.header, after.index, next_);
  }

  static bool isUsedIn(const Instruction& value, ArrayRef<BasicBlock*> blocks) {
    return any_of(value.users(),
                  [&](const User* user) { return is_contained(blocks, cast<Instruction>(user)->getParent()); });
  }

  Nest& nest_;
  void (*mark_)(BranchInst&);
  BasicBlock *header_, *latch_, *entrance_, *exit_, *last_, *next_;
  Value* count_;
  SmallVector<BasicBlock*, 8> beforeBlocks_, middleBlocks_, afterBlocks_;
  SmallVector<PHINode*, 4> shared_, own_;
  DenseMap<Value*, Value*> rows_;
  SmallVector<std::pair<Value*, Value*>, 4> results_;  // of a round of the inner loop, and their rows
};

}  // namespace

bool exchangeLoops(Loop& loop, DominatorTree& dominators, ScalarEvolution& evolution, void (*mark)(BranchInst&)) {
  for (Loop* inner : loop) {
    Nest nest(loop, *inner, dominators, evolution);
    if (!nest.canChange()) continue;
    Exchange(nest, mark).run();
    return true;
  }
  return false;
}

}  // namespace unwarp::simt
