// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels begin with `if (i < n) return;`, and in all blocks but the last every thread passes. LLVM would vectorise
// such a loop with a mask on each access, reads that are the same for all threads as gathers of one address, and inner
// loops not at all. A guard compares what grows evenly with the thread's number to something that all threads share, so
// its first and its last thread tell for all of them, unless the value wraps in between, which is looked at too.
#include "compiler/simt/thread_guards.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/simt/thread_loops.h"

namespace unwarp::simt {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

// A branch of the loop that is to be decided before it.
struct Guard {
  BranchInst* branch = nullptr;
  bool passes = false;  // the condition's value for threads that go on
};

// Whether a block does nothing but go on to the loop's next iteration.
bool onlyLeads(const BasicBlock* block, const BasicBlock* latch) {
  for (unsigned steps = 0; steps < 4; ++steps) {
    for (const Instruction& instruction : *block) {
      if (instruction.mayReadOrWriteMemory()) return false;
    }
    if (block == latch) return true;
    block = block->getSingleSuccessor();
    if (!block) return false;
  }
  return false;
}

// Whether an inner loop stands behind this edge alone.
bool leadsToLoop(const Loop& loop, const DominatorTree& dominators, const BasicBlock* successor) {
  for (const Loop* inner : loop) {
    if (successor->getSinglePredecessor() && dominators.dominates(successor, inner->getHeader())) return true;
  }
  return false;
}

SmallVector<Guard, 4> guardsOf(const Loop& loop, const LoopInfo& loops, const DominatorTree& dominators) {
  SmallVector<Guard, 4> guards;
  const BasicBlock* latch = loop.getLoopLatch();
  for (BasicBlock* block : loop.blocks()) {
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || branch->isUnconditional() || block == latch || loops.getLoopFor(block) != &loop) continue;
    BasicBlock* yes = branch->getSuccessor(0);
    BasicBlock* no = branch->getSuccessor(1);
    bool yesSkips = onlyLeads(yes, latch) || leadsToLoop(loop, dominators, no);
    bool noSkips = onlyLeads(no, latch) || leadsToLoop(loop, dominators, yes);
    if (yesSkips != noSkips) guards.push_back({branch, noSkips});
  }
  return guards;
}

class Prediction {
 public:
  Prediction(Loop& loop, ScalarEvolution& evolution)
      : loop_(loop),
        evolution_(evolution),
        last_(evolution.getBackedgeTakenCount(&loop)),
        expander_(evolution, "guard") {}

  /// Whether the number of the loop's last thread is known before it.
  bool canTell() { return !isa<SCEVCouldNotCompute>(last_) && isKnownBefore(last_); }

  /// A value before the loop that is true only if the condition has this value in every iteration; null if there is
  /// none.
  Value* always(Value* condition, bool value) {
    if (loop_.isLoopInvariant(condition)) return value ? condition : builder().CreateNot(condition);
    Value *a = nullptr, *b = nullptr;
    bool both = value ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                      : match(condition, m_LogicalOr(m_Value(a), m_Value(b)));
    if (both) {
      Value* first = always(a, value);
      Value* second = first ? always(b, value) : nullptr;
      return second ? builder().CreateAnd(first, second) : nullptr;
    }
    if (match(condition, m_Not(m_Value(a)))) return always(a, !value);
    auto* compare = dyn_cast<ICmpInst>(condition);
    return compare ? alwaysCompares(*compare, value) : nullptr;
  }

 private:
  bool isKnownBefore(const SCEV* value) {
    return evolution_.isLoopInvariant(value, &loop_) && expander_.isSafeToExpandAt(value, end());
  }
  Instruction* end() { return loop_.getLoopPreheader()->getTerminator(); }
  IRBuilder<> builder() { return IRBuilder<>(end()); }

  Value* alwaysCompares(ICmpInst& compare, bool value) {
    auto* compared = dyn_cast<IntegerType>(compare.getOperand(0)->getType());
    if (!compare.isRelational() || !compared || compared->getBitWidth() < 32) return nullptr;
    CmpInst::Predicate predicate = value ? compare.getPredicate() : compare.getInversePredicate();
    const SCEV* left = evolution_.getSCEV(compare.getOperand(0));
    const SCEV* right = evolution_.getSCEV(compare.getOperand(1));
    if (evolution_.isLoopInvariant(left, &loop_)) {
      std::swap(left, right);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    auto* growing = dyn_cast<SCEVAddRecExpr>(left);
    auto* step = growing ? dyn_cast<SCEVConstant>(growing->getStepRecurrence(evolution_)) : nullptr;
    bool known = step && growing->isAffine() && growing->getLoop() == &loop_ && step->getAPInt().abs().ule(kMostStep) &&
                 isKnownBefore(right) && isKnownBefore(growing->getStart());
    if (!known) return nullptr;
    Type* type = growing->getType();
    Value* first = expander_.expandCodeFor(growing->getStart(), type, end());
    Value* bound = expander_.expandCodeFor(right, type, end());
    const SCEV* number = evolution_.getTruncateOrZeroExtend(last_, type);
    Value* way = expander_.expandCodeFor(evolution_.getMulExpr(step, number), type, end());
    IRBuilder<> code = builder();
    Value* last = code.CreateAdd(first, way);
    // Fewer than half of all values lie between the two, so a value that wraps shows in their order.
    bool isSigned = CmpInst::isSigned(predicate);
    bool grows = !step->getAPInt().isNegative();
    CmpInst::Predicate order =
        grows ? (isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE) : (isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE);
    Value* ends = code.CreateAnd(code.CreateICmp(predicate, first, bound), code.CreateICmp(predicate, last, bound));
    return code.CreateAnd(ends, code.CreateICmp(order, first, last));
  }

  static constexpr uint64_t kMostStep = 1 << 16;  // times at most 1,024 threads: far from half of 2^32
  Loop& loop_;
  ScalarEvolution& evolution_;
  const SCEV* last_;  // number of the last thread
  SCEVExpander expander_;
};

// The loop stays as it is in a copy; `allPass` chooses. Both lead to the same exit.
void version(Loop& loop, Value* allPass, LoopInfo& loops, DominatorTree& dominators) {
  BasicBlock* check = loop.getLoopPreheader();
  BasicBlock* before = SplitBlock(check, check->getTerminator(), &dominators, &loops, nullptr, "threads.all");
  ValueToValueMapTy copies;
  SmallVector<BasicBlock*, 16> blocks;
  Loop* guarded = cloneLoopWithPreheader(before, check, &loop, copies, ".guarded", &loops, &dominators, blocks);
  remapInstructionsInBlocks(blocks, copies);
  Instruction* old = check->getTerminator();
  IRBuilder<> builder(old);
  builder.CreateCondBr(builder.CreateFreeze(allPass), before, guarded->getLoopPreheader());
  old->eraseFromParent();
  markSettledLoop(*cast<BranchInst>(guarded->getLoopLatch()->getTerminator()));
}

// A branch that has been decided becomes a jump.
void decide(const Guard& guard) {
  BasicBlock* block = guard.branch->getParent();
  BasicBlock* on = guard.branch->getSuccessor(guard.passes ? 0 : 1);
  BasicBlock* off = guard.branch->getSuccessor(guard.passes ? 1 : 0);
  off->removePredecessor(block, /*KeepOneInputPHIs=*/true);
  IRBuilder<>(guard.branch).CreateBr(on);
  guard.branch->eraseFromParent();
}

}  // namespace

bool splitByGuards(Loop& loop, LoopInfo& loops, DominatorTree& dominators, ScalarEvolution& evolution) {
  bool regular = loop.isLoopSimplifyForm() && loop.getUniqueExitBlock() &&
                 loop.getExitingBlock() == loop.getLoopLatch() && !isa<PHINode>(loop.getUniqueExitBlock()->front());
  if (!regular) return false;
  Prediction prediction(loop, evolution);
  if (!prediction.canTell()) return false;
  SmallVector<Guard, 4> decided;
  Value* allPass = nullptr;
  for (const Guard& guard : guardsOf(loop, loops, dominators)) {
    Value* passes = prediction.always(guard.branch->getCondition(), guard.passes);
    if (!passes) continue;
    decided.push_back(guard);
    IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
    allPass = allPass ? builder.CreateAnd(allPass, passes) : passes;
  }
  if (decided.empty()) return false;
  version(loop, allPass, loops, dominators);
  for (const Guard& guard : decided) decide(guard);
  return true;
}

}  // namespace unwarp::simt
