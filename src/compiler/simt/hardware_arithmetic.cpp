// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic that C++ leaves undefined and every GPU defines, so that LLVM does not make of it what it likes
// and this CPU does not trap. A shift by the word's width or more wraps, as AMD's hardware does it; a value out of
// range converts to the nearest integer there is and NaN to 0 (PTX: `cvt`); a division by zero gives all ones and
// leaves its dividend as remainder, the most negative number divided by -1 stays. Constants need nothing of this.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/simt/lowering.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

void wrapShift(BinaryOperator& shift) {
  Type* type = shift.getType();
  unsigned bits = type->getScalarSizeInBits();
  auto* constant = dyn_cast<ConstantInt>(shift.getOperand(1));
  if ((constant && constant->getValue().ult(bits)) || !isPowerOf2_32(bits)) return;
  IRBuilder<> builder(&shift);
  shift.setOperand(1, builder.CreateAnd(shift.getOperand(1), ConstantInt::get(type, bits - 1)));
}

// Hardware converts to 32 or 64 bits; narrower results are the low bits of that.
void saturate(CastInst& cast) {
  IRBuilder<> builder(&cast);
  Type* type = cast.getDestTy();
  if (type->isVectorTy()) return;
  Type* wide = type->getIntegerBitWidth() > 32 ? builder.getInt64Ty() : builder.getInt32Ty();
  Intrinsic::ID id = isa<FPToSIInst>(cast) ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  Value* value = builder.CreateIntrinsic(id, {wide, cast.getSrcTy()}, {cast.getOperand(0)});
  cast.replaceAllUsesWith(builder.CreateZExtOrTrunc(value, type));
  cast.eraseFromParent();
}

void divideWithoutTrap(BinaryOperator& division) {
  Type* type = division.getType();
  if (type->isVectorTy() || isa<Constant>(division.getOperand(1))) return;
  IRBuilder<> builder(&division);
  Value* dividend = division.getOperand(0);
  Value* divisor = division.getOperand(1);
  bool quotient = division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::UDiv;
  bool isSigned = division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  Value* byZero = builder.CreateIsNull(divisor);
  Value* unsafe = byZero;
  Value* negated = nullptr;
  if (isSigned) {
    // By -1 the quotient is the negated dividend and the remainder 0; the most negative number is its own negation.
    negated = builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type));
    unsafe = builder.CreateOr(byZero, negated);
  }
  Value* safe = builder.CreateSelect(unsafe, ConstantInt::get(type, 1), divisor);
  Value* result = builder.CreateBinOp(division.getOpcode(), dividend, safe);
  if (negated && quotient) result = builder.CreateSelect(negated, builder.CreateNeg(dividend), result);
  Value* instead = quotient ? Constant::getAllOnesValue(type) : dividend;
  division.replaceAllUsesWith(builder.CreateSelect(byZero, instead, result));
  division.eraseFromParent();
}

void define(Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return wrapShift(cast<BinaryOperator>(instruction));
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      return saturate(cast<CastInst>(instruction));
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem:
      return divideWithoutTrap(cast<BinaryOperator>(instruction));
    default:
      return;
  }
}

}  // namespace

void defineArithmetic(Lowering& lowering) {
  for (Function& function : *lowering.module) {
    for (BasicBlock& block : function) {
      for (Instruction& instruction : make_early_inc_range(block)) define(instruction);
    }
  }
}

}  // namespace unwarp::simt
