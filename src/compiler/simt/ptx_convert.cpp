// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX moves, conversions, comparisons and selections. Conversions from floating point to integers clamp; not-a-number
// becomes 0, or the integer with only its highest bit where one of the types has 64 bits. Narrowing with a directed
// rounding takes the nearest number and steps back when that went past the value.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include <limits>

#include "compiler/simt/ptx_emission.h"

namespace unwarp::simt::ptx {

using namespace llvm;

namespace {

struct Comparison {
  std::string_view name;
  CmpInst::Predicate isSigned;
  CmpInst::Predicate isUnsigned;
  CmpInst::Predicate floating;
};

const Comparison kComparisons[] = {
    {"eq", CmpInst::ICMP_EQ, CmpInst::ICMP_EQ, CmpInst::FCMP_OEQ},
    {"ne", CmpInst::ICMP_NE, CmpInst::ICMP_NE, CmpInst::FCMP_ONE},
    {"lt", CmpInst::ICMP_SLT, CmpInst::ICMP_ULT, CmpInst::FCMP_OLT},
    {"le", CmpInst::ICMP_SLE, CmpInst::ICMP_ULE, CmpInst::FCMP_OLE},
    {"gt", CmpInst::ICMP_SGT, CmpInst::ICMP_UGT, CmpInst::FCMP_OGT},
    {"ge", CmpInst::ICMP_SGE, CmpInst::ICMP_UGE, CmpInst::FCMP_OGE},
    {"lo", CmpInst::ICMP_ULT, CmpInst::ICMP_ULT, CmpInst::FCMP_FALSE},
    {"ls", CmpInst::ICMP_ULE, CmpInst::ICMP_ULE, CmpInst::FCMP_FALSE},
    {"hi", CmpInst::ICMP_UGT, CmpInst::ICMP_UGT, CmpInst::FCMP_FALSE},
    {"hs", CmpInst::ICMP_UGE, CmpInst::ICMP_UGE, CmpInst::FCMP_FALSE},
    {"equ", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_UEQ},
    {"neu", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_UNE},
    {"ltu", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_ULT},
    {"leu", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_ULE},
    {"gtu", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_UGT},
    {"geu", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_UGE},
    {"num", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_ORD},
    {"nan", CmpInst::BAD_ICMP_PREDICATE, CmpInst::BAD_ICMP_PREDICATE, CmpInst::FCMP_UNO},
};

Value* compare(Emission& e, const Instruction& i, const Type& type) {
  const Comparison* found = nullptr;
  for (const Comparison& one : kComparisons) {
    if (!i.modifiers.empty() && one.name == i.modifiers[0]) found = &one;
  }
  if (!found) return nullptr;
  Value* left = flushed(e, i, e.read(i.operands[1], type));
  Value* right = flushed(e, i, e.read(i.operands[2], type));
  if (type.isFloat()) return e.builder.CreateFCmp(found->floating, left, right);
  CmpInst::Predicate predicate = type.isSigned() ? found->isSigned : found->isUnsigned;
  if (predicate == CmpInst::BAD_ICMP_PREDICATE) return nullptr;
  return e.builder.CreateICmp(predicate, left, right);
}

// `.and`, `.or`, `.xor` with a third source predicate.
Value* combined(Emission& e, const Instruction& i, Value* value) {
  if (i.count() < 4) return value;
  Value* other = e.predicate(i.operands[3]);
  if (i.has("and")) return e.builder.CreateAnd(value, other);
  if (i.has("or")) return e.builder.CreateOr(value, other);
  return e.builder.CreateXor(value, other);
}

Value* roundedToInteger(Emission& e, const Instruction& i, Value* value) {
  IRBuilder<>& b = e.builder;
  if (i.has("rni") || i.has("rn")) return b.CreateUnaryIntrinsic(Intrinsic::roundeven, value);
  if (i.has("rmi") || i.has("rm")) return b.CreateUnaryIntrinsic(Intrinsic::floor, value);
  if (i.has("rpi") || i.has("rp")) return b.CreateUnaryIntrinsic(Intrinsic::ceil, value);
  return b.CreateUnaryIntrinsic(Intrinsic::trunc, value);
}

Value* floatToInteger(Emission& e, const Instruction& i, Value* value, const Type& from, const Type& to) {
  IRBuilder<>& b = e.builder;
  if (value->getType()->isHalfTy()) value = b.CreateFPExt(value, b.getFloatTy());
  Value* whole = roundedToInteger(e, i, flushed(e, i, value));
  Intrinsic::ID id = to.isSigned() ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  Value* result = b.CreateIntrinsic(id, {e.integer(to.bits), whole->getType()}, {whole});
  if (from.bits != 64 && to.bits != 64) return result;
  Value* odd = ConstantInt::get(b.getContext(), APInt::getSignMask(to.bits));
  return e.select(b.CreateFCmpUNO(value, value), odd, result);
}

Value* integerToFloat(Emission& e, const Instruction& i, Value* value, const Type& from, const Type& to) {
  IRBuilder<>& b = e.builder;
  llvm::Type* wanted = e.llvmType(to);
  int mode = directedMode(i);
  bool exact = from.bits < 32 || (from.bits == 32 && to.bits == 64);
  if (mode >= 0 && !exact) {
    if (to.bits == 16) return nullptr;
    Value* wide = from.isSigned() ? b.CreateSExt(value, b.getInt64Ty()) : b.CreateZExt(value, b.getInt64Ty());
    Directed operation = from.isSigned() ? Directed::fromSigned : Directed::fromUnsigned;
    Value* raw = e.call("__uw_directed", b.getInt64Ty(),
                        {b.getInt32(static_cast<uint32_t>(operation)), b.getInt32(mode), b.getInt32(to.bits), wide,
                         b.getInt64(0), b.getInt64(0)});
    return b.CreateBitCast(b.CreateTrunc(raw, e.integer(to.bits)), wanted);
  }
  return from.isSigned() ? b.CreateSIToFP(value, wanted) : b.CreateUIToFP(value, wanted);
}

// The next number towards zero or away from it, by the bits: they are ordered as the magnitudes are.
Value* steppedBack(Emission& e, Value* source, Value* nearest, int mode) {
  IRBuilder<>& b = e.builder;
  Value* back = b.CreateFPExt(nearest, source->getType());
  unsigned bits = nearest->getType()->getScalarSizeInBits();
  Value* raw = b.CreateBitCast(nearest, e.integer(bits));
  Value* zero = ConstantFP::get(source->getType(), 0.0);
  Value* one = ConstantInt::get(raw->getType(), 1);
  Value* isZero = b.CreateFCmpOEQ(back, zero);
  Value* negative = b.CreateFCmpOLT(source, zero);
  Value* smaller = b.CreateSub(raw, one);
  Value* larger = b.CreateAdd(raw, one);
  Value* past = nullptr;
  Value* fixed = nullptr;
  if (mode == 0) {
    past = e.select(negative, b.CreateFCmpOLT(back, source), b.CreateFCmpOGT(back, source));
    fixed = smaller;
  } else {
    bool down = mode == 1;
    past = down ? b.CreateFCmpOGT(back, source) : b.CreateFCmpOLT(back, source);
    Value* away = down ? negative : b.CreateNot(negative);
    fixed = e.select(away, larger, smaller);
    // From a zero of either sign the step goes to the smallest number of the wanted sign.
    Value* least = ConstantInt::get(raw->getType(), down ? (uint64_t{1} << (bits - 1)) + 1 : 1);
    fixed = e.select(isZero, least, fixed);
  }
  return b.CreateBitCast(e.select(past, fixed, raw), nearest->getType());
}

// Scalar floats of any two types; bf16 values are floats that `write` will round to nearest.
Value* floatToFloat(Emission& e, const Instruction& i, Value* value, const Type& from, const Type& to) {
  IRBuilder<>& b = e.builder;
  value = flushed(e, i, value);
  bool integral = i.has("rni") || i.has("rzi") || i.has("rmi") || i.has("rpi");
  if (integral) value = roundedToInteger(e, i, value);
  int mode = directedMode(i);
  if (to.kind == Type::Kind::brain) {
    if (mode == 1 || mode == 2) return nullptr;
    value = from.bits == 64                ? narrowedToOdd(e, value)
            : value->getType()->isHalfTy() ? b.CreateFPExt(value, b.getFloatTy())
                                           : value;
    if (mode != 0) return value;
    Value* cut = b.CreateAnd(b.CreateBitCast(value, b.getInt32Ty()), 0xffff0000);
    return e.select(b.CreateFCmpUNO(value, value), value, b.CreateBitCast(cut, b.getFloatTy()));
  }
  unsigned source = value->getType()->getScalarSizeInBits();
  llvm::Type* wanted = e.llvmType(to);
  if (source == to.bits) return value;
  if (source < to.bits) return b.CreateFPExt(value, wanted);
  Value* nearest = b.CreateFPTrunc(source == 64 && to.bits == 16 ? narrowedToOdd(e, value) : value, wanted);
  return mode >= 0 ? steppedBack(e, value, nearest, mode) : nearest;
}

Value* integerToInteger(Emission& e, const Instruction& i, Value* value, const Type& from, const Type& to) {
  IRBuilder<>& b = e.builder;
  if (i.has("sat")) {
    constexpr unsigned kWide = 128;
    value = from.isSigned() ? b.CreateSExt(value, e.integer(kWide)) : b.CreateZExt(value, e.integer(kWide));
    APInt most = (to.isSigned() ? APInt::getSignedMaxValue(to.bits) : APInt::getMaxValue(to.bits)).zext(kWide);
    APInt least = to.isSigned() ? APInt::getSignedMinValue(to.bits).sext(kWide) : APInt(kWide, 0);
    value = b.CreateBinaryIntrinsic(Intrinsic::smin, value, ConstantInt::get(b.getContext(), most));
    value = b.CreateBinaryIntrinsic(Intrinsic::smax, value, ConstantInt::get(b.getContext(), least));
  }
  llvm::Type* wanted = e.integer(to.bits);
  return from.isSigned() ? b.CreateSExtOrTrunc(value, wanted) : b.CreateZExtOrTrunc(value, wanted);
}

// cvt.rna.tf32.f32: 10 bits of fraction, ties away from zero.
bool convertToTf32(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  if (i.types.size() != 1 || !i.types[0].is(Type::Kind::floating, 32) || directedMode(i) > 0) return false;
  Value* raw = e.bits(i.operands[1], 32);
  Value* rounded = raw;
  if (i.has("rna")) rounded = b.CreateAdd(raw, b.getInt32(0x1000));
  if (i.has("rn")) {
    Value* odd = b.CreateAnd(b.CreateLShr(raw, 13), 1);
    rounded = b.CreateAdd(b.CreateAdd(raw, b.getInt32(0xfff)), odd);
  }
  Value* special = b.CreateICmpEQ(b.CreateAnd(raw, 0x7f800000), b.getInt32(0x7f800000));
  e.writeBits(i.operands[0], e.select(special, raw, b.CreateAnd(rounded, 0xffffe000)));
  return true;
}

// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half.
bool convertPair(Emission& e, const Instruction& i, const Type& from, const Type& to) {
  IRBuilder<>& b = e.builder;
  if (!from.is(Type::Kind::floating, 32) || to.bits != 16 || !to.isFloat() || i.count() != 3) return false;
  Type half = to;
  half.lanes = 1;
  Value* parts[2];
  for (int k = 0; k < 2; ++k) {
    Value* value = floatToFloat(e, i, e.read(i.operands[2 - k], from), from, half);
    if (!value) return false;
    if (i.has("relu"))
      value = b.CreateBinaryIntrinsic(Intrinsic::maximum, value, ConstantFP::get(value->getType(), 0.0));
    parts[k] = b.CreateZExt(e.toBits(value, half), b.getInt32Ty());
  }
  e.writeBits(i.operands[0], b.CreateOr(parts[0], b.CreateShl(parts[1], 16)));
  return true;
}

}  // namespace

bool emitMove(Emission& e, const Instruction& i) {
  if (i.types.size() != 1 || i.types[0].lanes > 1) return false;
  const Type& type = i.types[0];
  Value* value = type.isPredicate() ? e.predicate(i.operands[1]) : e.bits(i.operands[1], type.bits);
  e.writeBits(i.operands[0], value, type.isSigned());
  return true;
}

bool emitConvert(Emission& e, const Instruction& i) {
  if (i.has("tf32")) return convertToTf32(e, i);
  if (i.types.size() != 2) return false;
  const Type& to = i.types[0];
  const Type& from = i.types[1];
  if (to.isPredicate() || from.isPredicate() || i.has("satfinite")) return false;
  if (to.lanes > 1) return convertPair(e, i, from, to);
  if (i.count() != 2 || i.has("rna") || from.lanes > 1) return false;
  Value* value = e.read(i.operands[1], from);
  if (from.isFloat()) {
    value = to.isFloat() ? floatToFloat(e, i, value, from, to) : floatToInteger(e, i, value, from, to);
  } else {
    value = to.isFloat() ? integerToFloat(e, i, value, from, to) : integerToInteger(e, i, value, from, to);
  }
  if (!value) return false;
  if (to.isFloat()) {
    if (i.has("relu")) {
      value = e.builder.CreateBinaryIntrinsic(Intrinsic::maximum, value, ConstantFP::get(value->getType(), 0.0));
    }
    value = flushed(e, i, value);
    if (i.has("sat")) value = saturated(e, value);
  }
  e.write(i.operands[0], value, to);
  return true;
}

bool emitCompare(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  bool isSet = i.base == "set";
  if (i.types.size() != (isSet ? 2u : 1u) || i.types.back().lanes > 1) return false;
  Value* value = compare(e, i, i.types.back());
  if (!value) return false;
  if (!isSet) {
    Value* opposite = b.CreateNot(value);
    e.writePair(i.operands[0], combined(e, i, value), combined(e, i, opposite));
    return true;
  }
  const Type& to = i.types[0];
  value = combined(e, i, value);
  if (to.isFloat()) {
    e.write(i.operands[0], b.CreateUIToFP(value, e.llvmType(to)), to);
  } else {
    e.writeBits(i.operands[0], b.CreateSExt(value, e.integer(to.bits)));
  }
  return true;
}

bool emitSelect(Emission& e, const Instruction& i) {
  if (i.types.empty() || i.types[0].isPredicate()) return false;
  IRBuilder<>& b = e.builder;
  unsigned width = i.types[0].registerBits();
  Value* yes = e.bits(i.operands[1], width);
  Value* no = e.bits(i.operands[2], width);
  Value* condition = nullptr;
  if (i.base == "selp") {
    condition = e.predicate(i.operands[3]);
  } else {
    if (i.types.size() != 2) return false;
    Value* by = e.read(i.operands[3], i.types[1]);
    condition = i.types[1].isFloat() ? b.CreateFCmpOGE(flushed(e, i, by), ConstantFP::get(by->getType(), 0.0))
                                     : b.CreateICmpSGE(by, ConstantInt::get(by->getType(), 0));
  }
  e.writeBits(i.operands[0], e.select(condition, yes, no));
  return true;
}

bool emitTest(Emission& e, const Instruction& i) {
  if (i.types.size() != 1 || !i.types[0].isFloat() || i.modifiers.size() != 2) return false;
  uint32_t classes = StringSwitch<uint32_t>(i.modifiers[0])
                         .Case("finite", fcFinite)
                         .Case("infinite", fcInf)
                         .Case("number", ~uint32_t{fcNan} & fcAllFlags)
                         .Case("notanumber", fcNan)
                         .Case("normal", fcNormal | fcZero)
                         .Default(fcSubnormal);
  IRBuilder<>& b = e.builder;
  Value* value = e.read(i.operands[1], i.types[0]);
  e.writeBits(i.operands[0],
              b.CreateIntrinsic(Intrinsic::is_fpclass, {value->getType()}, {value, b.getInt32(classes)}));
  return true;
}

}  // namespace unwarp::simt::ptx
