// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/simt/ptx_emission.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

namespace unwarp::simt::ptx {

using namespace llvm;

Emission::Emission(Function& function) : builder(function.getContext()), function_(function) {
  scopes_.emplace_back();
}

bool Emission::fail(std::string message) {
  if (error.empty()) error = std::move(message);
  return false;
}

void Emission::closeScope() {
  if (scopes_.size() > 1) {
    scopes_.pop_back();
  } else {
    fail("PTX closes a brace that it did not open");
  }
}

void Emission::declare(StringRef name, unsigned bits) {
  BasicBlock& entry = function_.getEntryBlock();
  IRBuilder<> top(&entry, entry.begin());
  scopes_.back()[name] = {top.CreateAlloca(integer(bits)), bits};
}

const Emission::Register* Emission::find(StringRef name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    auto found = scope->find(name);
    if (found != scope->end()) return &found->second;
  }
  return nullptr;
}

AllocaInst* Emission::slot(StringRef name) const {
  const Register* found = find(name);
  return found ? found->slot : nullptr;
}

Value* Emission::immediate(const Operand& operand, unsigned width) {
  if (operand.kind == Operand::Kind::integer) {
    return ConstantInt::get(builder.getContext(), APInt(64, operand.value).sextOrTrunc(width));
  }
  if (width == operand.floatBits) return ConstantInt::get(integer(width), operand.value);
  bool lost = false;
  APFloat value = operand.floatBits == 32 ? APFloat(APFloat::IEEEsingle(), APInt(32, operand.value))
                                          : APFloat(APFloat::IEEEdouble(), APInt(64, operand.value));
  const fltSemantics& wanted = width == 64   ? APFloat::IEEEdouble()
                               : width == 32 ? APFloat::IEEEsingle()
                                             : APFloat::IEEEhalf();
  if (width != 64 && width != 32 && width != 16)
    return fail("a floating immediate in a wrong place"), builder.getIntN(width, 0);
  value.convert(wanted, APFloat::rmNearestTiesToEven, &lost);
  return ConstantInt::get(builder.getContext(), value.bitcastToAPInt());
}

Value* Emission::load(const Register& source, unsigned width) {
  Value* value = builder.CreateLoad(integer(source.bits), source.slot);
  return builder.CreateZExtOrTrunc(value, integer(width));
}

Value* Emission::bits(const Operand& operand, unsigned width) {
  Value* nothing = builder.getIntN(width, 0);
  switch (operand.kind) {
    case Operand::Kind::integer:
    case Operand::Kind::floating:
      return immediate(operand, width);
    case Operand::Kind::name: {
      if (const Register* found = find(operand.name)) return load(*found, width);
      if (Value* value = specialRegister(*this, operand.name)) {
        return builder.CreateZExtOrTrunc(value, integer(width));
      }
      return fail("'" + shown(operand.name) + "' is no register that is known here"), nothing;
    }
    case Operand::Kind::vector: {
      unsigned count = static_cast<unsigned>(operand.elements.size());
      if (width % count != 0) break;
      unsigned part = width / count;
      Value* all = nothing;
      for (unsigned k = 0; k < count; ++k) {
        Value* one = builder.CreateZExt(bits(operand.elements[k], part), integer(width));
        all = builder.CreateOr(all, builder.CreateShl(one, k * part));
      }
      return all;
    }
    default:
      break;
  }
  return fail("an operand of a kind that the instruction does not take"), nothing;
}

llvm::Type* Emission::llvmType(const Type& type) {
  llvm::Type* element = integer(type.bits);
  if (type.kind == Type::Kind::brain) element = builder.getFloatTy();
  if (type.kind == Type::Kind::floating) {
    element = type.bits == 16 ? builder.getHalfTy() : type.bits == 32 ? builder.getFloatTy() : builder.getDoubleTy();
  }
  return type.lanes == 1 ? element : FixedVectorType::get(element, type.lanes);
}

Value* Emission::fromBits(Value* bits, const Type& type) {
  if (type.lanes == 1 && !type.isFloat()) return bits;
  if (type.kind != Type::Kind::brain) return builder.CreateBitCast(bits, llvmType(type));
  llvm::Type* wide = builder.getInt32Ty();
  if (type.lanes > 1) {
    bits = builder.CreateBitCast(bits, FixedVectorType::get(builder.getInt16Ty(), type.lanes));
    wide = FixedVectorType::get(wide, type.lanes);
  }
  // bf16 is the upper half of a float.
  Value* extended = builder.CreateShl(builder.CreateZExt(bits, wide), ConstantInt::get(wide, 16));
  return builder.CreateBitCast(extended, llvmType(type));
}

Value* Emission::toBits(Value* value, const Type& type) {
  llvm::Type* flat = integer(type.registerBits());
  if (type.kind != Type::Kind::brain) return builder.CreateBitCast(value, flat);
  llvm::Type* wide = builder.getInt32Ty();
  llvm::Type* narrow = builder.getInt16Ty();
  if (type.lanes > 1) {
    wide = FixedVectorType::get(wide, type.lanes);
    narrow = FixedVectorType::get(narrow, type.lanes);
  }
  auto constant = [&](uint64_t number) { return ConstantInt::get(wide, number); };
  // To nearest, ties to even, in integers: the C library of old systems has no function for it.
  Value* raw = builder.CreateBitCast(value, wide);
  Value* odd = builder.CreateAnd(builder.CreateLShr(raw, constant(16)), constant(1));
  Value* rounded = builder.CreateLShr(builder.CreateAdd(builder.CreateAdd(raw, constant(0x7fff)), odd), constant(16));
  Value* nan = builder.CreateFCmpUNO(value, value);
  rounded = select(nan, constant(0x7fff), rounded);
  return builder.CreateBitCast(builder.CreateTrunc(rounded, narrow), flat);
}

Value* Emission::read(const Operand& operand, const Type& type) {
  if (type.isPredicate()) return predicate(operand);
  return fromBits(bits(operand, type.registerBits()), type);
}

Value* Emission::predicate(const Operand& operand) {
  Value* value = nullptr;
  if (operand.kind == Operand::Kind::integer) {
    value = builder.getInt1(operand.value != 0);
  } else {
    const Register* found = operand.kind == Operand::Kind::name ? find(operand.name) : nullptr;
    if (!found || found->bits != 1) {
      fail("'" + shown(operand.name) + "' is no predicate");
      return builder.getFalse();
    }
    value = load(*found, 1);
  }
  return operand.negated ? builder.CreateNot(value) : value;
}

void Emission::write(const Operand& operand, Value* value, const Type& type) {
  writeBits(operand, type.isPredicate() ? value : toBits(value, type), type.isSigned());
}

void Emission::writeBits(const Operand& operand, Value* value, bool isSigned) {
  if (operand.kind == Operand::Kind::sink) return;
  if (operand.kind == Operand::Kind::vector) {
    unsigned width = value->getType()->getIntegerBitWidth();
    unsigned count = static_cast<unsigned>(operand.elements.size());
    for (unsigned k = 0; k < count; ++k) {
      Value* part = builder.CreateTrunc(builder.CreateLShr(value, k * (width / count)), integer(width / count));
      writeBits(operand.elements[k], part);
    }
    return;
  }
  const Register* found = operand.kind == Operand::Kind::name ? find(operand.name) : nullptr;
  if (!found) {
    fail("destination '" + shown(operand.name) + "' is no register");
    return;
  }
  Value* fitted = isSigned ? builder.CreateSExtOrTrunc(value, integer(found->bits))
                           : builder.CreateZExtOrTrunc(value, integer(found->bits));
  builder.CreateStore(fitted, found->slot);
}

void Emission::writePair(const Operand& operand, Value* value, Value* second) {
  if (operand.kind != Operand::Kind::pair) return writeBits(operand, value);
  writeBits(operand.elements[0], value);
  writeBits(operand.elements[1], second);
}

void Emission::openGuard(const Instruction& instruction) {
  if (instruction.guard.empty()) return;
  Operand guard;
  guard.kind = Operand::Kind::name;
  guard.name = instruction.guard;
  guard.negated = instruction.guardNegated;
  Value* condition = predicate(guard);
  BasicBlock* body = BasicBlock::Create(builder.getContext(), "ptx.guarded", &function_);
  afterGuard_ = BasicBlock::Create(builder.getContext(), "ptx.next", &function_);
  builder.CreateCondBr(condition, body, afterGuard_);
  builder.SetInsertPoint(body);
}

void Emission::closeGuard() {
  if (!afterGuard_) return;
  builder.CreateBr(afterGuard_);
  builder.SetInsertPoint(afterGuard_);
  afterGuard_ = nullptr;
}

Emission::Label& Emission::labelNamed(StringRef name) {
  Label& label = labels_[name];
  if (!label.block) label.block = BasicBlock::Create(builder.getContext(), "ptx.label", &function_);
  return label;
}

void Emission::label(StringRef name) {
  Label& label = labelNamed(name);
  if (label.isPlaced) {
    fail("PTX label '" + name.str() + "' stands twice");
    return;
  }
  label.isPlaced = true;
  builder.CreateBr(label.block);
  builder.SetInsertPoint(label.block);
}

void Emission::branch(StringRef name) {
  builder.CreateBr(labelNamed(name).block);
  builder.SetInsertPoint(BasicBlock::Create(builder.getContext(), "ptx.next", &function_));
}

void Emission::endBlock() {
  builder.CreateUnreachable();
  builder.SetInsertPoint(BasicBlock::Create(builder.getContext(), "ptx.next", &function_));
}

bool Emission::finishStatement() {
  for (auto& entry : labels_) {
    if (entry.second.isPlaced) continue;
    fail("PTX branches to '" + entry.first().str() + "', which the same asm does not define");
    IRBuilder<>(entry.second.block).CreateUnreachable();
  }
  labels_.clear();
  return error.empty();
}

Value* Emission::call(StringRef name, llvm::Type* result, ArrayRef<Value*> arguments) {
  SmallVector<llvm::Type*, 8> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  FunctionCallee callee = function_.getParent()->getOrInsertFunction(name, FunctionType::get(result, types, false));
  cast<Function>(callee.getCallee())->addFnAttr(Attribute::Convergent);
  return builder.CreateCall(callee, arguments);
}

Value* Emission::lane() {
  return builder.CreateURem(call32("__uw_linear"), call32("__uw_width"));
}

Value* Emission::sharedBase() {
  return call("__uw_shared_base", builder.getPtrTy(), {});
}

Value* Emission::pointer(const Operand& address, Space space) {
  llvm::Type* wide = builder.getInt64Ty();
  Value* offset = builder.getInt64(address.value);
  if (!address.name.empty()) {
    const Register* found = find(address.name);
    if (!found || found->bits < 32) {
      fail("'" + shown(address.name) + "' is no register that can hold an address");
      return ConstantPointerNull::get(builder.getPtrTy());
    }
    offset = builder.CreateAdd(builder.CreateZExtOrTrunc(load(*found, found->bits), wide), offset);
  }
  if (address.kind != Operand::Kind::address) fail("an address in brackets is expected");
  if (space == Space::shared) return builder.CreateGEP(builder.getInt8Ty(), sharedBase(), offset);
  return builder.CreateIntToPtr(offset, builder.getPtrTy());
}

Value* Emission::carry() {
  return builder.CreateTrunc(call32("__uw_carry"), builder.getInt1Ty());
}

void Emission::setCarry(Value* flag) {
  call("__uw_set_carry", builder.getVoidTy(), {builder.CreateZExt(flag, builder.getInt32Ty())});
}

}  // namespace unwarp::simt::ptx
