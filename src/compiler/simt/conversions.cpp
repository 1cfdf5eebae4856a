// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of floating point to integers as a GPU does them (PTX ISA, `cvt`). clang already emits the saturating
// intrinsics for device code (-fno-strict-float-cast-overflow); two rules are left. There is no conversion to 8 bits: a
// value saturates to 16 and is then cut, so that 256 becomes 0 and not 255. A NaN becomes 0 from a float to at most 32
// bits, and the sign bit alone otherwise.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/simt/lowering.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

bool convertsToInteger(const IntrinsicInst& call) {
  return call.getIntrinsicID() == Intrinsic::fptosi_sat || call.getIntrinsicID() == Intrinsic::fptoui_sat;
}

// Only scalars: clang vectorises nothing here.
void convertAsCvt(IntrinsicInst& call) {
  auto* type = dyn_cast<IntegerType>(call.getType());
  Value* value = call.getArgOperand(0);
  if (!type || type->getBitWidth() == 1) return;
  IRBuilder<> builder(&call);
  unsigned bits = type->getBitWidth();
  Value* result = nullptr;
  if (bits < 16) {
    Type* wide = builder.getInt16Ty();
    Value* saturated = builder.CreateIntrinsic(call.getIntrinsicID(), {wide, value->getType()}, {value});
    result = builder.CreateTrunc(saturated, type);
  } else if (bits == 64 || value->getType()->isDoubleTy()) {
    Value* saturated = builder.CreateIntrinsic(call.getIntrinsicID(), {type, value->getType()}, {value});
    Constant* signBit = ConstantInt::get(type, APInt::getSignMask(bits));
    result = builder.CreateSelect(builder.CreateFCmpUNO(value, value), signBit, saturated);
  } else {
    return;
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

}  // namespace

void convertToIntegers(Lowering& lowering) {
  SmallVector<IntrinsicInst*, 32> calls;
  for (Function& function : *lowering.module) {
    for (BasicBlock& block : function) {
      for (Instruction& instruction : block) {
        auto* call = dyn_cast<IntrinsicInst>(&instruction);
        if (call && convertsToInteger(*call)) calls.push_back(call);
      }
    }
  }
  for (IntrinsicInst* call : calls) convertAsCvt(*call);
}

}  // namespace unwarp::simt
