// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives each meeting of the program a place of its own. Headers wrap the meeting points in small functions, so that
// before inlining all calls of `__activemask` share one `__uw_activemask`; lanes in the two branches of an `if` would
// then be taken for converged. Inlined, each call is a site, and sites are numbered in the order of the source, which
// is the order in which lanes that wait for no named others are let go. Functions that ask who is converged are inlined
// too, unless they say `__noinline__` or call themselves: then all their callers share the sites. To cut a kernel into
// regions (T1), everything that meets must be inlined.
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/simt/lowering.h"
#include "compiler/simt/waiting.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

enum class Meets : uint8_t { never, named, converged };

// An operation whose mask is absent or zero is one of whoever is converged.
Meets meetingOf(const CallInst& call) {
  StringRef name = call.getCalledFunction()->getName();
  if (!isMeetingPoint(name)) return Meets::never;
  if (name == "__uw_barrier" || name == "__uw_grid_sync") return Meets::named;
  if (name == "__uw_activemask") return Meets::converged;
  auto* mask = dyn_cast<ConstantInt>(call.getArgOperand(0));
  return mask && mask->isZero() ? Meets::converged : Meets::named;
}

// Stores around which lanes may have to come together later (progress.cpp).
bool mayNeedConvergence(const Instruction& instruction) {
  auto* store = dyn_cast<StoreInst>(&instruction);
  return store && (store->isVolatile() || sharedVariable(store->getPointerOperand()));
}

class Inliner {
 public:
  explicit Inliner(bool everything) : everything_(everything) {}

  void expand(Function& function) {
    if (!seen_.insert({&function, Meets::never}).second) return;
    open_.insert(&function);
    SmallVector<CallInst*, 32> calls;
    Meets meets = Meets::never;
    for (BasicBlock& block : function) {
      for (Instruction& instruction : block) {
        if (everything_ && mayNeedConvergence(instruction)) meets = std::max(meets, Meets::named);
        auto* call = dyn_cast<CallInst>(&instruction);
        Function* callee = call ? call->getCalledFunction() : nullptr;
        if (!callee) continue;
        if (callee->isDeclaration())
          meets = std::max(meets, meetingOf(*call));
        else
          calls.push_back(call);
      }
    }
    for (CallInst* call : calls) {
      Function& callee = *call->getCalledFunction();
      expand(callee);
      Meets inside = seen_.lookup(&callee);
      meets = std::max(meets, inside);
      if (inside == Meets::never || open_.contains(&callee)) continue;
      bool wanted = inside == Meets::converged || callee.hasFnAttribute(Attribute::AlwaysInline);
      if (!everything_ && (!wanted || callee.hasFnAttribute(Attribute::NoInline))) continue;
      InlineFunctionInfo information;
      InlineFunction(*call, information);
    }
    open_.erase(&function);
    seen_[&function] = meets;
  }

 private:
  bool everything_;
  DenseMap<const Function*, Meets> seen_;
  SmallPtrSet<const Function*, 16> open_;  // being expanded: callers of the function at hand
};

}  // namespace

void inlineMeetings(Lowering& lowering) {
  // A kernel is cut into regions only where all its meetings are its own.
  Inliner inliner(lowering.isSharedPart() || lowering.request.tier == uw::Tier::region);
  for (Function& function : *lowering.module) {
    if (!function.isDeclaration()) inliner.expand(function);
  }
}

}  // namespace unwarp::simt
