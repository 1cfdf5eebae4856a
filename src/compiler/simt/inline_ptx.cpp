// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX. An assembly string without instructions is a compiler fence and stays; every other one is an error that
// names it.
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/lowering.h"

namespace unwarp::simt {

using namespace llvm;

void translateInlinePtx(Lowering& lowering) {
  for (Function& function : *lowering.module) {
    for (BasicBlock& block : function) {
      for (Instruction& instruction : block) {
        auto* call = dyn_cast<CallInst>(&instruction);
        if (!call || !call->isInlineAsm()) continue;
        StringRef text = cast<InlineAsm>(call->getCalledOperand())->getAsmString();
        if (!text.trim().empty()) return lowering.fail("inline PTX is not translated yet: " + text.trim().str());
      }
    }
  }
}

}  // namespace unwarp::simt
