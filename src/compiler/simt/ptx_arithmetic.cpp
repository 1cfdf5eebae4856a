// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX arithmetic on integers and floating-point numbers. Rounding to nearest is the host's own; other roundings are
// asked of the runtime, which sets the processor's rounding mode. Approximate functions are computed exactly: their
// bounds are then kept on every input.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include <cfloat>

#include "compiler/simt/ptx_emission.h"

namespace unwarp::simt::ptx {

using namespace llvm;

Value* flushed(Emission& e, const Instruction& i, Value* value) {
  if (!i.has("ftz") || !value->getType()->isFloatTy()) return value;
  IRBuilder<>& b = e.builder;
  Value* magnitude = b.CreateUnaryIntrinsic(Intrinsic::fabs, value);
  Value* tiny = b.CreateFCmpOLT(magnitude, ConstantFP::get(value->getType(), FLT_MIN));
  Value* zero = b.CreateBinaryIntrinsic(Intrinsic::copysign, ConstantFP::get(value->getType(), 0.0), value);
  return e.select(tiny, zero, value);
}

Value* narrowedToOdd(Emission& e, Value* value) {
  IRBuilder<>& b = e.builder;
  llvm::Type* narrow = b.getFloatTy();
  llvm::Type* flat = b.getInt32Ty();
  if (auto* vector = dyn_cast<FixedVectorType>(value->getType())) {
    narrow = FixedVectorType::get(narrow, vector->getNumElements());
    flat = FixedVectorType::get(flat, vector->getNumElements());
  }
  Value* nearest = b.CreateFPTrunc(value, narrow);
  Value* back = b.CreateFPExt(nearest, value->getType());
  Value* raw = b.CreateBitCast(nearest, flat);
  Value* past =
      b.CreateFCmpOGT(b.CreateUnaryIntrinsic(Intrinsic::fabs, back), b.CreateUnaryIntrinsic(Intrinsic::fabs, value));
  Value* one = ConstantInt::get(flat, 1);
  Value* odd = b.CreateOr(e.select(past, b.CreateSub(raw, one), raw), one);
  return b.CreateBitCast(e.select(b.CreateFCmpONE(back, value), odd, raw), narrow);
}

Value* saturated(Emission& e, Value* value) {
  IRBuilder<>& b = e.builder;
  llvm::Type* type = value->getType();
  value = b.CreateBinaryIntrinsic(Intrinsic::maximumnum, value, ConstantFP::get(type, 0.0));
  return b.CreateBinaryIntrinsic(Intrinsic::minimumnum, value, ConstantFP::get(type, 1.0));
}

int directedMode(const Instruction& i) {
  if (i.has("rz")) return 0;
  if (i.has("rm")) return 1;
  if (i.has("rp")) return 2;
  return -1;
}

Value* directed(Emission& e, Directed operation, int mode, ArrayRef<Value*> values) {
  IRBuilder<>& b = e.builder;
  bool isDouble = values[0]->getType()->isDoubleTy();
  SmallVector<Value*, 6> arguments{b.getInt32(static_cast<uint32_t>(operation)), b.getInt32(mode),
                                   b.getInt32(isDouble ? 64 : 32)};
  for (Value* value : values) {
    Value* raw = b.CreateBitCast(value, e.integer(isDouble ? 64 : 32));
    arguments.push_back(b.CreateZExt(raw, b.getInt64Ty()));
  }
  while (arguments.size() < 6) arguments.push_back(b.getInt64(0));
  Value* result = b.CreateTrunc(e.call("__uw_directed", b.getInt64Ty(), arguments), e.integer(isDouble ? 64 : 32));
  return b.CreateBitCast(result, values[0]->getType());
}

namespace {

Value* overflowing(Emission& e, Intrinsic::ID id, Value* left, Value* right, Value*& flag) {
  Value* both = e.builder.CreateBinaryIntrinsic(id, left, right);
  flag = e.builder.CreateExtractValue(both, 1);
  return e.builder.CreateExtractValue(both, 0);
}

// left + right + flag or left - right - flag; `flag` becomes carry or borrow out.
Value* withCarry(Emission& e, bool subtract, Value* left, Value* right, Value*& flag) {
  Intrinsic::ID id = subtract ? Intrinsic::usub_with_overflow : Intrinsic::uadd_with_overflow;
  Value* first = nullptr;
  Value* value = overflowing(e, id, left, right, first);
  if (!flag) {
    flag = first;
    return value;
  }
  Value* second = nullptr;
  value = overflowing(e, id, value, e.builder.CreateZExt(flag, left->getType()), second);
  flag = e.builder.CreateOr(first, second);
  return value;
}

Value* finished(Emission& e, const Instruction& i, Value* value) {
  IRBuilder<>& b = e.builder;
  if (i.has("relu")) value = b.CreateBinaryIntrinsic(Intrinsic::maximum, value, ConstantFP::get(value->getType(), 0.0));
  value = flushed(e, i, value);
  return i.has("sat") ? saturated(e, value) : value;
}

Value* readFlushed(Emission& e, const Instruction& i, size_t operand, const Type& type) {
  return flushed(e, i, e.read(i.operands[operand], type));
}

bool isOneNumber(const Instruction& i) {
  return i.types.size() == 1 && !i.types[0].isPredicate();
}

Value* lowOrHigh(Emission& e, const Instruction& i, Value* left, Value* right, bool isSigned) {
  IRBuilder<>& b = e.builder;
  unsigned bits = left->getType()->getIntegerBitWidth();
  llvm::Type* wide = e.integer(bits * 2);
  auto extend = [&](Value* value) { return isSigned ? b.CreateSExt(value, wide) : b.CreateZExt(value, wide); };
  if (i.has("lo")) return b.CreateMul(left, right);
  Value* product = b.CreateMul(extend(left), extend(right));
  if (i.has("wide")) return product;
  return b.CreateTrunc(b.CreateLShr(product, bits), left->getType());
}

// The low or high 32 bits of a 48-bit product of 24-bit numbers.
Value* product24(Emission& e, const Instruction& i, const Type& type) {
  IRBuilder<>& b = e.builder;
  Value* values[2];
  for (int k = 0; k < 2; ++k) {
    Value* low = b.CreateTrunc(e.bits(i.operands[k + 1], 32), e.integer(24));
    values[k] = type.isSigned() ? b.CreateSExt(low, b.getInt64Ty()) : b.CreateZExt(low, b.getInt64Ty());
  }
  Value* product = b.CreateMul(values[0], values[1]);
  return b.CreateTrunc(i.has("hi") ? b.CreateLShr(product, 16) : product, b.getInt32Ty());
}

bool isIntegerProduct(const Instruction& i, const Type& type) {
  return type.isInteger() && type.lanes == 1 && (i.has("lo") || i.has("hi") || i.has("wide"));
}

Type widened(const Instruction& i, Type type) {
  if (i.has("wide")) type.bits *= 2;
  return type;
}

Value* fused(Emission& e, const Instruction& i, const Type& type, ArrayRef<Value*> values) {
  IRBuilder<>& b = e.builder;
  if (int mode = directedMode(i); mode >= 0) return directed(e, Directed::fma, mode, values);
  if (type.bits != 16) return b.CreateIntrinsic(Intrinsic::fma, {values[0]->getType()}, values);
  // In double: the product is exact, and only the sum is rounded before the last rounding.
  llvm::Type* wide = b.getDoubleTy();
  if (type.lanes > 1) wide = FixedVectorType::get(wide, type.lanes);
  Value* product = b.CreateFMul(b.CreateFPExt(values[0], wide), b.CreateFPExt(values[1], wide));
  Value* sum = narrowedToOdd(e, b.CreateFAdd(product, b.CreateFPExt(values[2], wide)));
  return type.kind == Type::Kind::brain ? sum : b.CreateFPTrunc(sum, values[0]->getType());
}

// Division by zero and the one signed overflow stop an x86 thread; a GPU gives some number.
Value* safeDivide(Emission& e, const Instruction& i, Value* left, Value* right, bool isSigned) {
  IRBuilder<>& b = e.builder;
  llvm::Type* type = left->getType();
  Value* zero = ConstantInt::get(type, 0);
  Value* minusOne = Constant::getAllOnesValue(type);
  Value* byZero = b.CreateICmpEQ(right, zero);
  bool remainder = i.base == "rem";
  if (!isSigned) {
    Value* safe = e.select(byZero, ConstantInt::get(type, 1), right);
    Value* value = remainder ? b.CreateURem(left, safe) : b.CreateUDiv(left, safe);
    return e.select(byZero, remainder ? left : minusOne, value);
  }
  Value* negates = b.CreateICmpEQ(right, minusOne);
  Value* safe = e.select(b.CreateOr(byZero, negates), ConstantInt::get(type, 1), right);
  Value* value = remainder ? b.CreateSRem(left, safe) : b.CreateSDiv(left, safe);
  value = e.select(negates, remainder ? zero : b.CreateNeg(left), value);
  return e.select(byZero, remainder ? left : minusOne, value);
}

}  // namespace

bool emitAddSub(Emission& e, const Instruction& i) {
  if (!isOneNumber(i)) return false;
  const Type& type = i.types[0];
  IRBuilder<>& b = e.builder;
  bool subtract = i.base[0] == 's';
  if (type.isFloat()) {
    Value* left = readFlushed(e, i, 1, type);
    Value* right = readFlushed(e, i, 2, type);
    int mode = directedMode(i);
    if (mode >= 0 && (type.bits == 16 || type.lanes > 1)) return false;
    if (mode >= 0 && subtract) right = b.CreateFNeg(right);
    Value* value = mode >= 0  ? directed(e, Directed::add, mode, {left, right})
                   : subtract ? b.CreateFSub(left, right)
                              : b.CreateFAdd(left, right);
    e.write(i.operands[0], finished(e, i, value), type);
    return true;
  }
  Value* left = e.read(i.operands[1], type);
  Value* right = e.read(i.operands[2], type);
  Value* value = nullptr;
  bool takesFlag = i.base.back() == 'c';
  if (takesFlag || i.has("cc")) {
    if (type.lanes > 1) return false;
    Value* flag = takesFlag ? e.carry() : nullptr;
    value = withCarry(e, subtract, left, right, flag);
    if (i.has("cc")) e.setCarry(flag);
  } else if (i.has("sat")) {
    value = b.CreateBinaryIntrinsic(subtract ? Intrinsic::ssub_sat : Intrinsic::sadd_sat, left, right);
  } else {
    value = subtract ? b.CreateSub(left, right) : b.CreateAdd(left, right);
  }
  e.write(i.operands[0], value, type);
  return true;
}

bool emitMultiply(Emission& e, const Instruction& i) {
  if (!isOneNumber(i)) return false;
  const Type& type = i.types[0];
  if (i.base == "mul24") {
    e.write(i.operands[0], product24(e, i, type), type);
    return true;
  }
  if (isIntegerProduct(i, type)) {
    Value* value = lowOrHigh(e, i, e.read(i.operands[1], type), e.read(i.operands[2], type), type.isSigned());
    e.write(i.operands[0], value, widened(i, type));
    return true;
  }
  if (!type.isFloat()) return false;
  Value* left = readFlushed(e, i, 1, type);
  Value* right = readFlushed(e, i, 2, type);
  int mode = directedMode(i);
  if (mode >= 0 && (type.bits == 16 || type.lanes > 1)) return false;
  Value* value = mode >= 0 ? directed(e, Directed::multiply, mode, {left, right}) : e.builder.CreateFMul(left, right);
  e.write(i.operands[0], finished(e, i, value), type);
  return true;
}

bool emitFma(Emission& e, const Instruction& i) {
  if (!isOneNumber(i)) return false;
  const Type& type = i.types[0];
  IRBuilder<>& b = e.builder;
  if (type.isFloat()) {
    if (i.base != "fma" && i.base != "mad") return false;
    if (directedMode(i) >= 0 && (type.bits == 16 || type.lanes > 1)) return false;
    Value* values[] = {readFlushed(e, i, 1, type), readFlushed(e, i, 2, type), readFlushed(e, i, 3, type)};
    e.write(i.operands[0], finished(e, i, fused(e, i, type, values)), type);
    return true;
  }
  if (!isIntegerProduct(i, type)) return false;
  Type result = widened(i, type);
  Value* product = i.base == "mad24"
                       ? product24(e, i, type)
                       : lowOrHigh(e, i, e.read(i.operands[1], type), e.read(i.operands[2], type), type.isSigned());
  Value* addend = e.read(i.operands[3], result);
  Value* value = nullptr;
  if (i.base == "madc" || i.has("cc")) {
    Value* flag = i.base == "madc" ? e.carry() : nullptr;
    value = withCarry(e, false, product, addend, flag);
    if (i.has("cc")) e.setCarry(flag);
  } else {
    value = i.has("sat") ? b.CreateBinaryIntrinsic(Intrinsic::sadd_sat, product, addend) : b.CreateAdd(product, addend);
  }
  e.write(i.operands[0], value, result);
  return true;
}

bool emitDivide(Emission& e, const Instruction& i) {
  if (!isOneNumber(i) || i.types[0].lanes > 1 || i.types[0].bits == 8) return false;
  const Type& type = i.types[0];
  if (!type.isFloat()) {
    Value* value = safeDivide(e, i, e.read(i.operands[1], type), e.read(i.operands[2], type), type.isSigned());
    e.write(i.operands[0], value, type);
    return true;
  }
  if (i.base == "rem" || type.bits == 16) return false;
  Value* left = readFlushed(e, i, 1, type);
  Value* right = readFlushed(e, i, 2, type);
  int mode = directedMode(i);
  Value* value = mode >= 0 ? directed(e, Directed::divide, mode, {left, right}) : e.builder.CreateFDiv(left, right);
  e.write(i.operands[0], finished(e, i, value), type);
  return true;
}

bool emitFunction(Emission& e, const Instruction& i) {
  if (!isOneNumber(i) || !i.types[0].isFloat()) return false;
  const Type& type = i.types[0];
  IRBuilder<>& b = e.builder;
  Value* value = readFlushed(e, i, 1, type);
  llvm::Type* own = value->getType();
  Value* one = ConstantFP::get(own, 1.0);
  int mode = directedMode(i);
  Intrinsic::ID id = StringSwitch<Intrinsic::ID>(i.base)
                         .Case("sin", Intrinsic::sin)
                         .Case("cos", Intrinsic::cos)
                         .Case("ex2", Intrinsic::exp2)
                         .Case("lg2", Intrinsic::log2)
                         .Case("tanh", Intrinsic::tanh)
                         .Case("sqrt", Intrinsic::sqrt)
                         .Default(Intrinsic::not_intrinsic);
  if (i.base == "rcp") {
    value = mode >= 0 ? directed(e, Directed::divide, mode, {one, value}) : b.CreateFDiv(one, value);
  } else if (i.base == "rsqrt" && own->isFloatTy()) {
    // Through double, which loses nothing that a float can show.
    Value* root = b.CreateUnaryIntrinsic(Intrinsic::sqrt, b.CreateFPExt(value, b.getDoubleTy()));
    value = b.CreateFPTrunc(b.CreateFDiv(ConstantFP::get(b.getDoubleTy(), 1.0), root), own);
  } else if (i.base == "rsqrt") {
    value = b.CreateFDiv(one, b.CreateUnaryIntrinsic(Intrinsic::sqrt, value));
  } else if (mode >= 0) {
    value = directed(e, Directed::squareRoot, mode, {value});
  } else {
    value = b.CreateUnaryIntrinsic(id, value);
  }
  e.write(i.operands[0], flushed(e, i, value), type);
  return true;
}

bool emitMinMax(Emission& e, const Instruction& i) {
  if (!isOneNumber(i)) return false;
  const Type& type = i.types[0];
  IRBuilder<>& b = e.builder;
  bool least = i.base == "min";
  if (!type.isFloat()) {
    Intrinsic::ID id =
        type.isSigned() ? (least ? Intrinsic::smin : Intrinsic::smax) : (least ? Intrinsic::umin : Intrinsic::umax);
    Value* value = b.CreateBinaryIntrinsic(id, e.read(i.operands[1], type), e.read(i.operands[2], type));
    if (i.has("relu"))
      value = b.CreateBinaryIntrinsic(Intrinsic::smax, value, Constant::getNullValue(value->getType()));
    e.write(i.operands[0], value, type);
    return true;
  }
  Value* left = readFlushed(e, i, 1, type);
  Value* right = readFlushed(e, i, 2, type);
  Value* sign = nullptr;
  if (i.has("xorsign")) {
    Value* raw = b.CreateXor(e.toBits(left, type), e.toBits(right, type));
    sign = e.fromBits(raw, type);
    left = b.CreateUnaryIntrinsic(Intrinsic::fabs, left);
    right = b.CreateUnaryIntrinsic(Intrinsic::fabs, right);
  }
  Intrinsic::ID id = i.has("NaN") ? (least ? Intrinsic::minimum : Intrinsic::maximum)
                                  : (least ? Intrinsic::minimumnum : Intrinsic::maximumnum);
  Value* value = b.CreateBinaryIntrinsic(id, left, right);
  if (sign) value = b.CreateBinaryIntrinsic(Intrinsic::copysign, value, sign);
  e.write(i.operands[0], finished(e, i, value), type);
  return true;
}

bool emitSign(Emission& e, const Instruction& i) {
  if (!isOneNumber(i)) return false;
  const Type& type = i.types[0];
  IRBuilder<>& b = e.builder;
  if (!type.isFloat()) {
    if (i.base == "copysign" || type.lanes > 1) return false;
    Value* value = e.read(i.operands[1], type);
    Value* negative = b.CreateNeg(value);
    bool absolute = i.base == "abs";
    Value* below = absolute ? b.CreateICmpSLT(value, ConstantInt::get(value->getType(), 0)) : nullptr;
    e.write(i.operands[0], absolute ? e.select(below, negative, value) : negative, type);
    return true;
  }
  Value* value = readFlushed(e, i, 1, type);
  if (i.base == "neg") {
    value = b.CreateFNeg(value);
  } else if (i.base == "abs") {
    value = b.CreateUnaryIntrinsic(Intrinsic::fabs, value);
  } else {
    // copysign d, a, b: the sign of a on the magnitude of b.
    value = b.CreateBinaryIntrinsic(Intrinsic::copysign, e.read(i.operands[2], type), value);
  }
  e.write(i.operands[0], value, type);
  return true;
}

}  // namespace unwarp::simt::ptx
