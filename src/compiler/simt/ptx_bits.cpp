// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX instructions on bits and bytes: logic, shifts, fields, permutation, dot products of bytes and the video
// instructions of whole words. Shift amounts beyond the width clamp as PTX says, which LLVM's own shifts do not.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/simt/ptx_emission.h"

namespace unwarp::simt::ptx {

using namespace llvm;

namespace {

bool isOneScalar(const Instruction& i) {
  return i.types.size() == 1 && i.types[0].lanes == 1;
}

bool isOneWord(const Instruction& i) {
  return isOneScalar(i) && i.types[0].is(Type::Kind::bits, 32);
}

Value* constantLike(Value* value, uint64_t number) {
  return ConstantInt::get(value->getType(), number);
}

// value << amount, zero when the amount is beyond the width.
Value* shiftLeft(Emission& e, Value* value, Value* amount) {
  unsigned bits = value->getType()->getIntegerBitWidth();
  Value* beyond = e.builder.CreateICmpUGE(amount, constantLike(amount, bits));
  Value* shifted = e.builder.CreateShl(value, e.builder.CreateZExtOrTrunc(amount, value->getType()));
  return e.select(beyond, constantLike(value, 0), shifted);
}

Value* shiftRight(Emission& e, Value* value, Value* amount, bool isSigned) {
  IRBuilder<>& b = e.builder;
  unsigned bits = value->getType()->getIntegerBitWidth();
  if (isSigned) {
    Value* clamped = b.CreateBinaryIntrinsic(Intrinsic::umin, amount, constantLike(amount, bits - 1));
    return b.CreateAShr(value, b.CreateZExtOrTrunc(clamped, value->getType()));
  }
  Value* beyond = b.CreateICmpUGE(amount, constantLike(amount, bits));
  Value* shifted = b.CreateLShr(value, b.CreateZExtOrTrunc(amount, value->getType()));
  return e.select(beyond, constantLike(value, 0), shifted);
}

// A mask of the `length` lowest bits.
Value* lowMask(Emission& e, llvm::Type* type, Value* length) {
  return e.builder.CreateNot(shiftLeft(e, Constant::getAllOnesValue(type), length));
}

Value* lowByte(Emission& e, const Operand& operand) {
  return e.builder.CreateAnd(e.bits(operand, 32), 0xff);
}

Value* extended(Emission& e, Value* value, unsigned bits, bool isSigned) {
  return isSigned ? e.builder.CreateSExt(value, e.integer(bits)) : e.builder.CreateZExt(value, e.integer(bits));
}

// Part `index` of `width` bits, extended to 64.
Value* part(Emission& e, Value* word, unsigned index, unsigned width, bool isSigned) {
  Value* low = e.builder.CreateTrunc(e.builder.CreateLShr(word, index * width), e.integer(width));
  return extended(e, low, 64, isSigned);
}

Value* clamped(Emission& e, Value* value, unsigned width, bool isSigned) {
  IRBuilder<>& b = e.builder;
  int64_t most = isSigned ? (int64_t{1} << (width - 1)) - 1 : (int64_t{1} << width) - 1;
  int64_t least = isSigned ? -(int64_t{1} << (width - 1)) : 0;
  value = b.CreateBinaryIntrinsic(Intrinsic::smin, value, b.getInt64(most));
  return b.CreateBinaryIntrinsic(Intrinsic::smax, value, b.getInt64(least));
}

}  // namespace

bool emitLogic(Emission& e, const Instruction& i) {
  if (!isOneScalar(i) || i.types[0].isFloat()) return false;
  const Type& type = i.types[0];
  IRBuilder<>& b = e.builder;
  Value* left = e.read(i.operands[1], type);
  Value* right = i.count() > 2 ? e.read(i.operands[2], type) : nullptr;
  Value* value = nullptr;
  if (i.base == "and") {
    value = b.CreateAnd(left, right);
  } else if (i.base == "or") {
    value = b.CreateOr(left, right);
  } else if (i.base == "xor") {
    value = b.CreateXor(left, right);
  } else if (i.base == "not") {
    value = b.CreateNot(left);
  } else {
    value = b.CreateZExt(b.CreateICmpEQ(left, constantLike(left, 0)), left->getType());
  }
  e.writeBits(i.operands[0], value);
  return true;
}

bool emitShift(Emission& e, const Instruction& i) {
  if (!isOneScalar(i) || !i.types[0].isInteger()) return false;
  const Type& type = i.types[0];
  Value* value = e.read(i.operands[1], type);
  Value* amount = e.bits(i.operands[2], 32);
  value = i.base == "shl" ? shiftLeft(e, value, amount) : shiftRight(e, value, amount, type.isSigned());
  e.write(i.operands[0], value, type);
  return true;
}

bool emitFunnelShift(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  bool left = i.has("l");
  if (!isOneWord(i) || left == i.has("r") || i.has("clamp") == i.has("wrap")) return false;
  Value* low = extended(e, e.bits(i.operands[1], 32), 64, false);
  Value* high = extended(e, e.bits(i.operands[2], 32), 64, false);
  Value* amount = e.bits(i.operands[3], 32);
  amount = i.has("wrap") ? b.CreateAnd(amount, 31) : b.CreateBinaryIntrinsic(Intrinsic::umin, amount, b.getInt32(32));
  Value* both = b.CreateOr(b.CreateShl(high, 32), low);
  Value* wide = extended(e, amount, 64, false);
  Value* value = left ? b.CreateLShr(b.CreateShl(both, wide), 32) : b.CreateLShr(both, wide);
  e.writeBits(i.operands[0], b.CreateTrunc(value, b.getInt32Ty()));
  return true;
}

bool emitCount(Emission& e, const Instruction& i) {
  if (!isOneScalar(i) || !i.types[0].isInteger()) return false;
  const Type& type = i.types[0];
  IRBuilder<>& b = e.builder;
  Value* value = e.read(i.operands[1], type);
  if (i.base == "brev") {
    e.writeBits(i.operands[0], b.CreateUnaryIntrinsic(Intrinsic::bitreverse, value));
    return true;
  }
  if (i.base == "popc") {
    value = b.CreateUnaryIntrinsic(Intrinsic::ctpop, value);
  } else {
    bool find = i.base == "bfind";
    // Of a negative number the highest bit that differs from the sign.
    if (find && type.isSigned()) value = b.CreateXor(value, b.CreateAShr(value, type.bits - 1));
    Value* leading = b.CreateBinaryIntrinsic(Intrinsic::ctlz, value, b.getFalse());
    if (find) {
      Value* none = b.CreateICmpEQ(value, constantLike(value, 0));
      Value* found = i.has("shiftamt") ? leading : b.CreateSub(constantLike(value, type.bits - 1), leading);
      leading = e.select(none, Constant::getAllOnesValue(value->getType()), found);
    }
    value = leading;
  }
  e.writeBits(i.operands[0], b.CreateZExtOrTrunc(value, b.getInt32Ty()));
  return true;
}

bool emitBitField(Emission& e, const Instruction& i) {
  if (!isOneScalar(i) || !i.types[0].isInteger()) return false;
  const Type& type = i.types[0];
  IRBuilder<>& b = e.builder;
  if (i.base == "bmsk") {
    Value* from = e.bits(i.operands[1], 32);
    Value* width = e.bits(i.operands[2], 32);
    if (i.has("wrap")) {
      from = b.CreateAnd(from, 31);
      width = b.CreateAnd(width, 31);
    }
    e.writeBits(i.operands[0], shiftLeft(e, lowMask(e, b.getInt32Ty(), width), from));
    return true;
  }
  Value* value = e.read(i.operands[1], type);
  if (i.base == "bfi") {
    Value* into = e.read(i.operands[2], type);
    Value* position = lowByte(e, i.operands[3]);
    Value* mask = shiftLeft(e, lowMask(e, value->getType(), lowByte(e, i.operands[4])), position);
    Value* field = b.CreateAnd(shiftLeft(e, value, position), mask);
    e.writeBits(i.operands[0], b.CreateOr(b.CreateAnd(into, b.CreateNot(mask)), field));
    return true;
  }
  Value* length = lowByte(e, i.operands[3]);
  Value* shifted = shiftRight(e, value, lowByte(e, i.operands[2]), type.isSigned());
  Value* mask = lowMask(e, value->getType(), length);
  Value* field = b.CreateAnd(shifted, mask);
  if (type.isSigned()) {
    // The sign is the field's highest bit, which the arithmetic shift has already taken from beyond the word.
    Value* top = b.CreateAnd(shifted, b.CreateXor(mask, b.CreateLShr(mask, 1)));
    Value* negative = b.CreateICmpNE(top, constantLike(top, 0));
    field = e.select(negative, b.CreateOr(field, b.CreateNot(mask)), field);
  }
  e.write(i.operands[0], field, type);
  return true;
}

bool emitLop3(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  if (!e.isConstant(i.operands[4]) || !isOneWord(i)) return false;
  uint64_t table = i.operands[4].value & 0xff;
  Value* inputs[3];
  for (int k = 0; k < 3; ++k) inputs[k] = e.bits(i.operands[k + 1], 32);
  Value* value = b.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (!(table >> row & 1)) continue;
    Value* term = b.getInt32(~0u);
    for (unsigned k = 0; k < 3; ++k) {
      bool set = row >> (2 - k) & 1;
      term = b.CreateAnd(term, set ? inputs[k] : b.CreateNot(inputs[k]));
    }
    value = b.CreateOr(value, term);
  }
  e.writeBits(i.operands[0], value);
  return true;
}

bool emitPermute(Emission& e, const Instruction& i) {
  struct Mode {
    const char* name;
    uint32_t selectors[4];
  };
  static const Mode modes[] = {{"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
                               {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
                               {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
  if (!isOneWord(i)) return false;
  IRBuilder<>& b = e.builder;
  Value* low = extended(e, e.bits(i.operands[1], 32), 64, false);
  Value* high = extended(e, e.bits(i.operands[2], 32), 64, false);
  Value* both = b.CreateOr(b.CreateShl(high, 32), low);
  Value* selector = e.bits(i.operands[3], 32);
  for (const Mode& mode : modes) {
    if (!i.has(mode.name)) continue;
    Value* which = b.CreateAnd(selector, 3);
    selector = b.getInt32(mode.selectors[0]);
    for (uint32_t k = 1; k < 4; ++k) {
      selector = e.select(b.CreateICmpEQ(which, b.getInt32(k)), b.getInt32(mode.selectors[k]), selector);
    }
  }
  Value* value = b.getInt32(0);
  for (unsigned k = 0; k < 4; ++k) {
    Value* nibble = b.CreateLShr(selector, 4 * k);
    Value* shift = b.CreateShl(b.CreateAnd(nibble, 7), 3);
    Value* byte = b.CreateTrunc(b.CreateLShr(both, extended(e, shift, 64, false)), b.getInt8Ty());
    Value* signOnly = b.CreateICmpNE(b.CreateAnd(nibble, 8), b.getInt32(0));
    byte = e.select(signOnly, b.CreateAShr(byte, 7), byte);
    value = b.CreateOr(value, b.CreateShl(b.CreateZExt(byte, b.getInt32Ty()), 8 * k));
  }
  e.writeBits(i.operands[0], value);
  return true;
}

bool emitDot(Emission& e, const Instruction& i) {
  if (i.types.size() != 2 || i.types[0].bits != 32 || i.types[1].bits != 32) return false;
  IRBuilder<>& b = e.builder;
  Value* left = e.bits(i.operands[1], 32);
  Value* right = e.bits(i.operands[2], 32);
  Value* sum = extended(e, e.bits(i.operands[3], 32), 64, true);
  bool quads = i.base == "dp4a";
  unsigned first = i.has("hi") ? 2 : 0;
  for (unsigned k = 0; k < (quads ? 4u : 2u); ++k) {
    Value* one = part(e, left, k, quads ? 8 : 16, i.types[0].isSigned());
    Value* other = part(e, right, first + k, 8, i.types[1].isSigned());
    sum = b.CreateAdd(sum, b.CreateMul(one, other));
  }
  e.writeBits(i.operands[0], b.CreateTrunc(sum, b.getInt32Ty()));
  return true;
}

bool emitSad(Emission& e, const Instruction& i) {
  if (!isOneScalar(i) || !i.types[0].isInteger()) return false;
  const Type& type = i.types[0];
  IRBuilder<>& b = e.builder;
  Value* left = e.read(i.operands[1], type);
  Value* right = e.read(i.operands[2], type);
  Value* below = type.isSigned() ? b.CreateICmpSLT(left, right) : b.CreateICmpULT(left, right);
  Value* difference = e.select(below, b.CreateSub(right, left), b.CreateSub(left, right));
  e.write(i.operands[0], b.CreateAdd(difference, e.read(i.operands[3], type)), type);
  return true;
}

namespace {

// An operand of a video instruction, of which `.b0` to `.b3`, `.h0` or `.h1` may select a part, in 64 bits.
Value* videoOperand(Emission& e, const Operand& operand, bool isSigned) {
  Operand whole = operand;
  size_t dot = operand.name.rfind('.');
  if (operand.kind != Operand::Kind::name || dot == std::string::npos || dot + 3 != operand.name.size()) {
    return extended(e, e.bits(operand, 32), 64, isSigned);
  }
  whole.name.resize(dot);
  unsigned width = operand.name[dot + 1] == 'b' ? 8 : 16;
  return part(e, e.bits(whole, 32), static_cast<unsigned>(operand.name[dot + 2] - '0'), width, isSigned);
}

Value* videoResult(Emission& e, const Instruction& i, std::string_view operation, Value* one, Value* other) {
  IRBuilder<>& b = e.builder;
  if (operation == "add") return b.CreateAdd(one, other);
  if (operation == "sub") return b.CreateSub(one, other);
  if (operation == "min") return b.CreateBinaryIntrinsic(Intrinsic::smin, one, other);
  if (operation == "max") return b.CreateBinaryIntrinsic(Intrinsic::smax, one, other);
  if (operation == "avrg") return b.CreateAShr(b.CreateAdd(b.CreateAdd(one, other), b.getInt64(1)), 1);
  if (operation == "shl" || operation == "shr") {
    Value* amount =
        i.has("wrap") ? b.CreateAnd(other, 31) : b.CreateBinaryIntrinsic(Intrinsic::umin, other, b.getInt64(32));
    return operation == "shl" ? b.CreateShl(one, amount) : b.CreateAShr(one, amount);
  }
  Value* difference = b.CreateSub(one, other);
  return e.select(b.CreateICmpSLT(difference, b.getInt64(0)), b.CreateNeg(difference), difference);
}

// The second operation of a whole-word instruction, with the third source in the type of the result.
Value* videoCombined(Emission& e, const Instruction& i, Value* word) {
  IRBuilder<>& b = e.builder;
  bool isSigned = i.types[0].isSigned();
  Value* third = e.bits(i.operands[3], 32);
  if (i.has("add")) return b.CreateAdd(word, third);
  bool least = i.has("min");
  Intrinsic::ID id =
      isSigned ? (least ? Intrinsic::smin : Intrinsic::smax) : (least ? Intrinsic::umin : Intrinsic::umax);
  return b.CreateBinaryIntrinsic(id, word, third);
}

bool emitWholeWord(Emission& e, const Instruction& i, std::string_view operation) {
  IRBuilder<>& b = e.builder;
  bool combines = i.has("add") || i.has("min") || i.has("max");
  if (combines != (i.count() == 4)) return false;
  Value* one = videoOperand(e, i.operands[1], i.types[1].isSigned());
  Value* other = videoOperand(e, i.operands[2], i.types[2].isSigned());
  Value* value = videoResult(e, i, operation, one, other);
  if (i.has("sat")) value = clamped(e, value, 32, i.types[0].isSigned());
  Value* word = b.CreateTrunc(value, b.getInt32Ty());
  e.writeBits(i.operands[0], combines ? videoCombined(e, i, word) : word);
  return true;
}

}  // namespace

// v<operation>, v<operation>2 and v<operation>4: types are those of d, a and b. The parallel forms add c to the sum
// (.add) or take it where a part is not selected, which plain opcodes never leave.
bool emitVideo(Emission& e, const Instruction& i) {
  if (i.types.size() != 3) return false;
  IRBuilder<>& b = e.builder;
  unsigned parts = i.base.back() == '2' ? 2 : i.base.back() == '4' ? 4 : 1;
  if (parts == 1) return emitWholeWord(e, i, std::string_view(i.base).substr(1));
  unsigned width = 32 / parts;
  std::string_view operation = std::string_view(i.base).substr(1, i.base.size() - 2);
  Value* left = e.bits(i.operands[1], 32);
  Value* right = e.bits(i.operands[2], 32);
  Value* word = b.getInt64(0);
  Value* sum = b.getInt64(0);
  for (unsigned k = 0; k < parts; ++k) {
    Value* one = part(e, left, k, width, i.types[1].isSigned());
    Value* other = part(e, right, k, width, i.types[2].isSigned());
    Value* value = videoResult(e, i, operation, one, other);
    if (i.has("sat")) value = clamped(e, value, width, i.types[0].isSigned());
    sum = b.CreateAdd(sum, value);
    word = b.CreateOr(word, b.CreateShl(b.CreateAnd(value, (1ull << width) - 1), k * width));
  }
  if (i.has("add")) word = b.CreateAdd(sum, extended(e, e.bits(i.operands[3], 32), 64, true));
  e.writeBits(i.operands[0], b.CreateTrunc(word, b.getInt32Ty()));
  return true;
}

}  // namespace unwarp::simt::ptx
