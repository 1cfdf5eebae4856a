// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX loads, stores, atomic operations, fences and asynchronous copies. Cache and eviction words change nothing;
// `.cg`, `.cv` and `.volatile` read again each time, because programs wait with them for what others write. Scopes are
// all the whole machine. An asynchronous copy is done at once: nothing could be observed between its start and its end.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/simt/ptx_emission.h"

namespace unwarp::simt::ptx {

using namespace llvm;

namespace {

Space spaceOf(const Instruction& i) {
  return i.has("shared") || i.has("shared::cta") || i.has("shared::cluster") ? Space::shared : Space::generic;
}

unsigned vectorLength(const Instruction& i) {
  return i.has("v8") ? 8 : i.has("v4") ? 4 : i.has("v2") ? 2 : 1;
}

bool isVolatile(const Instruction& i) {
  return i.has("volatile") || i.has("cg") || i.has("cv") || i.has("relaxed") || i.has("acquire") || i.has("release");
}

struct Access {
  Type type;
  unsigned length = 1;
  llvm::Type* memory = nullptr;
  Align align;
};

bool accessOf(Emission& e, const Instruction& i, Access& access) {
  if (i.types.size() != 1 || i.types[0].isPredicate()) return false;
  access.type = i.types[0];
  access.length = vectorLength(i);
  llvm::Type* element = e.integer(access.type.registerBits());
  access.memory = access.length > 1 ? FixedVectorType::get(element, access.length) : element;
  access.align = Align(access.type.registerBits() / 8 * access.length);
  return i.count() == 2 || i.has("L2::cache_hint");
}

// One hardware access, where the host has one: a number of up to 64 bits.
bool canBeAtomic(const Access& access) {
  return access.length == 1 && access.type.registerBits() <= 64;
}

AtomicRMWInst::BinOp operationOf(std::string_view name, const Type& type) {
  bool isSigned = type.isSigned();
  return StringSwitch<AtomicRMWInst::BinOp>(name)
      .Case("and", AtomicRMWInst::And)
      .Case("or", AtomicRMWInst::Or)
      .Case("xor", AtomicRMWInst::Xor)
      .Case("exch", AtomicRMWInst::Xchg)
      .Case("add", type.isFloat() ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
      .Case("inc", AtomicRMWInst::UIncWrap)
      .Case("dec", AtomicRMWInst::UDecWrap)
      .Case("min", isSigned ? AtomicRMWInst::Min : AtomicRMWInst::UMin)
      .Case("max", isSigned ? AtomicRMWInst::Max : AtomicRMWInst::UMax)
      .Default(AtomicRMWInst::BAD_BINOP);
}

std::string_view operationWord(const Instruction& i) {
  for (std::string_view word : {"and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max"}) {
    if (i.has(word)) return word;
  }
  return "";
}

AtomicOrdering orderOf(const Instruction& i) {
  if (i.has("acq_rel")) return AtomicOrdering::AcquireRelease;
  if (i.has("acquire")) return AtomicOrdering::Acquire;
  if (i.has("release")) return AtomicOrdering::Release;
  return i.has("sc") ? AtomicOrdering::SequentiallyConsistent : AtomicOrdering::Monotonic;
}

Value* combined(Emission& e, std::string_view word, Value* left, Value* right) {
  if (word == "add") return e.builder.CreateFAdd(left, right);
  Intrinsic::ID id = word == "min" ? Intrinsic::minimumnum : Intrinsic::maximumnum;
  return e.builder.CreateBinaryIntrinsic(id, left, right);
}

// Operations on 16-bit floats and pairs of them: a loop over compare-and-swap on the whole register.
Value* combineInLoop(Emission& e, std::string_view word, Value* address, const Operand& operand, const Type& type) {
  IRBuilder<>& b = e.builder;
  llvm::Type* flat = e.integer(type.registerBits());
  Value* given = e.read(operand, type);
  Align align(type.registerBits() / 8);
  LoadInst* first = b.CreateAlignedLoad(flat, address, align);
  first->setAtomic(AtomicOrdering::Monotonic);
  BasicBlock* before = b.GetInsertBlock();
  BasicBlock* loop = BasicBlock::Create(b.getContext(), "ptx.atom", before->getParent());
  BasicBlock* done = BasicBlock::Create(b.getContext(), "ptx.atom.done", before->getParent());
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  PHINode* old = b.CreatePHI(flat, 2);
  Value* wanted = e.toBits(combined(e, word, e.fromBits(old, type), given), type);
  Value* both =
      b.CreateAtomicCmpXchg(address, old, wanted, align, AtomicOrdering::AcquireRelease, AtomicOrdering::Monotonic);
  Value* seen = b.CreateExtractValue(both, 0);
  old->addIncoming(first, before);
  old->addIncoming(seen, b.GetInsertBlock());
  b.CreateCondBr(b.CreateExtractValue(both, 1), done, loop);
  b.SetInsertPoint(done);
  return seen;
}

// One operation that reads, changes and writes; gives the old bits, null when there is no such operation.
Value* atomicUpdate(Emission& e, const Instruction& i, Value* address, const Operand& operand) {
  IRBuilder<>& b = e.builder;
  const Type& type = i.types[0];
  std::string_view word = operationWord(i);
  bool floatingUpdate = word == "add" || word == "min" || word == "max";
  if (type.isFloat() && !floatingUpdate) return nullptr;
  if (type.isFloat() && (type.bits == 16 || word != "add")) return combineInLoop(e, word, address, operand, type);
  AtomicRMWInst::BinOp operation = operationOf(word, type);
  if (operation == AtomicRMWInst::BAD_BINOP || type.lanes > 1) return nullptr;
  unsigned width = type.registerBits();
  Value* value = type.isFloat() ? e.read(operand, type) : e.bits(operand, width);
  Value* old = b.CreateAtomicRMW(operation, address, value, Align(width / 8), orderOf(i));
  return b.CreateBitCast(old, e.integer(width));
}

// Elements of a vector are updated one by one: PTX promises no more.
bool updateVector(Emission& e, const Instruction& i, Value* address, size_t at) {
  IRBuilder<>& b = e.builder;
  const Operand& values = i.operands[at + 1];
  unsigned length = vectorLength(i);
  bool sized = values.kind == Operand::Kind::vector && values.elements.size() == length;
  bool target = at == 0 || (i.operands[0].kind == Operand::Kind::vector && i.operands[0].elements.size() == length) ||
                i.operands[0].kind == Operand::Kind::sink;
  if (!sized || !target) return false;
  for (unsigned k = 0; k < length; ++k) {
    Value* place = b.CreateConstGEP1_64(e.integer(i.types[0].registerBits()), address, k);
    Value* old = atomicUpdate(e, i, place, values.elements[k]);
    if (!old) return false;
    if (at == 1 && i.operands[0].kind == Operand::Kind::vector) e.writeBits(i.operands[0].elements[k], old);
  }
  return true;
}

bool isPredicateRegister(const Emission& e, const Operand& operand) {
  if (operand.kind != Operand::Kind::name) return false;
  AllocaInst* slot = e.slot(operand.name);
  return slot && slot->getAllocatedType()->isIntegerTy(1);
}

}  // namespace

bool emitLoad(Emission& e, const Instruction& i) {
  Access access;
  if (!accessOf(e, i, access)) return false;
  IRBuilder<>& b = e.builder;
  Value* address = e.pointer(i.operands[1], spaceOf(i));
  LoadInst* loaded = b.CreateAlignedLoad(access.memory, address, access.align, isVolatile(i));
  bool ordered = i.has("acquire") || i.has("relaxed") || i.has("sc");
  if (ordered && canBeAtomic(access)) {
    loaded->setAtomic(i.has("acquire") ? AtomicOrdering::Acquire : AtomicOrdering::Monotonic);
  } else if (i.has("acquire")) {
    b.CreateFence(AtomicOrdering::Acquire);
  }
  if (access.length == 1) {
    e.writeBits(i.operands[0], loaded, access.type.isSigned());
    return true;
  }
  const Operand& target = i.operands[0];
  if (target.kind != Operand::Kind::vector || target.elements.size() != access.length) return false;
  for (unsigned k = 0; k < access.length; ++k) {
    e.writeBits(target.elements[k], b.CreateExtractElement(loaded, k), access.type.isSigned());
  }
  return true;
}

bool emitStore(Emission& e, const Instruction& i) {
  Access access;
  if (!accessOf(e, i, access)) return false;
  IRBuilder<>& b = e.builder;
  Value* address = e.pointer(i.operands[0], spaceOf(i));
  const Operand& source = i.operands[1];
  unsigned width = access.type.registerBits();
  Value* value = nullptr;
  if (access.length == 1) {
    value = e.bits(source, width);
  } else {
    if (source.kind != Operand::Kind::vector || source.elements.size() != access.length) return false;
    value = PoisonValue::get(access.memory);
    for (unsigned k = 0; k < access.length; ++k) {
      value = b.CreateInsertElement(value, e.bits(source.elements[k], width), k);
    }
  }
  bool atomic = canBeAtomic(access) && (i.has("release") || i.has("relaxed"));
  if (i.has("release") && !atomic) b.CreateFence(AtomicOrdering::Release);
  StoreInst* stored = b.CreateAlignedStore(value, address, access.align, isVolatile(i));
  if (atomic) stored->setAtomic(i.has("release") ? AtomicOrdering::Release : AtomicOrdering::Monotonic);
  return true;
}

bool emitAtomic(Emission& e, const Instruction& i) {
  if (i.types.size() != 1) return false;
  const Type& type = i.types[0];
  IRBuilder<>& b = e.builder;
  size_t at = i.base == "atom" ? 1 : 0;
  std::string_view word = operationWord(i);
  size_t needed = at + (word == "cas" ? 3 : 2) + (i.has("L2::cache_hint") ? 1 : 0);
  if (i.count() != needed) return false;
  Value* address = e.pointer(i.operands[at], spaceOf(i));
  if (vectorLength(i) > 1) return updateVector(e, i, address, at);
  Value* old = nullptr;
  if (word == "cas") {
    AtomicOrdering order = orderOf(i);
    unsigned width = type.registerBits();
    Value* expected = e.bits(i.operands[at + 1], width);
    Value* wanted = e.bits(i.operands[at + 2], width);
    AtomicOrdering failed = AtomicCmpXchgInst::getStrongestFailureOrdering(order);
    Value* both = b.CreateAtomicCmpXchg(address, expected, wanted, Align(width / 8), order, failed);
    old = b.CreateExtractValue(both, 0);
  } else {
    old = atomicUpdate(e, i, address, i.operands[at + 1]);
  }
  if (!old) return false;
  if (at == 1) e.writeBits(i.operands[0], old, type.isSigned());
  return true;
}

bool emitFence(Emission& e, const Instruction&) {
  e.builder.CreateFence(AtomicOrdering::SequentiallyConsistent);
  return true;
}

bool emitAsyncCopy(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  if (!i.has("async")) return false;
  if (i.has("bulk")) return emitBulkCopy(e, i);
  if (i.has("mbarrier")) return emitCopyArrival(e, i);
  if (i.has("commit_group") || i.has("wait_group") || i.has("wait_all")) {
    b.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
    return true;
  }
  size_t count = i.count() - (i.has("L2::cache_hint") ? 1 : 0);
  if (!(i.has("ca") || i.has("cg")) || count < 3 || count > 4 || !e.isConstant(i.operands[2])) return false;
  Value* target = e.pointer(i.operands[0], Space::shared);
  Value* source = e.pointer(i.operands[1], Space::generic);
  uint64_t size = i.operands[2].value;
  if (size != 4 && size != 8 && size != 16) return false;
  if (count == 3) {
    b.CreateMemCpy(target, Align(size), source, Align(size), size);
    return true;
  }
  // Fewer bytes than the copy's size are read, the rest becomes zero; a predicate says that none are.
  Value* read = isPredicateRegister(e, i.operands[3])
                    ? e.select(e.predicate(i.operands[3]), b.getInt64(0), b.getInt64(size))
                    : b.CreateZExt(e.bits(i.operands[3], 32), b.getInt64Ty());
  read = b.CreateBinaryIntrinsic(Intrinsic::umin, read, b.getInt64(size));
  b.CreateMemSet(target, b.getInt8(0), size, Align(size));
  b.CreateMemCpy(target, Align(1), source, Align(1), read);
  return true;
}

bool emitAddressWindow(Emission& e, const Instruction& i) {
  if (i.types.size() != 1 || i.types[0].bits < 32) return false;
  IRBuilder<>& b = e.builder;
  bool isShared = spaceOf(i) == Space::shared;
  if (i.types[0].bits == 32 && !(isShared && i.has("to"))) return false;
  Value* value = e.bits(i.operands[1], 64);
  if (isShared) {
    Value* base = b.CreatePtrToInt(e.sharedBase(), b.getInt64Ty());
    value = i.has("to") ? b.CreateSub(value, base) : b.CreateAdd(value, base);
  }
  e.writeBits(i.operands[0], b.CreateZExtOrTrunc(value, e.integer(i.types[0].bits)));
  return true;
}

bool emitIsSpace(Emission& e, const Instruction& i) {
  IRBuilder<>& b = e.builder;
  Value* address = e.bits(i.operands[1], 64);
  Value* offset = b.CreateSub(address, b.CreatePtrToInt(e.sharedBase(), b.getInt64Ty()));
  Value* bytes = b.CreateZExt(e.call32("__uw_shared_bytes"), b.getInt64Ty());
  Value* isShared = b.CreateICmpULT(offset, bytes);
  if (spaceOf(i) == Space::shared) {
    e.writeBits(i.operands[0], isShared);
    return true;
  }
  if (!i.has("local") && !i.has("global")) return false;
  Value* local = e.call("__uw_is_local", b.getInt32Ty(), {b.CreateIntToPtr(address, b.getPtrTy())});
  Value* isLocal = b.CreateICmpNE(local, b.getInt32(0));
  e.writeBits(i.operands[0], i.has("local") ? isLocal : b.CreateNot(b.CreateOr(isShared, isLocal)));
  return true;
}

}  // namespace unwarp::simt::ptx
