// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IR for the PTX of one function. A PTX register is a stack slot that holds its bits as an integer (LLVM makes values
// of them later), so guards and branches are plain control flow and nothing needs phi nodes. The carry flag is a field
// of the thread's context: chains of `add.cc` and `addc` run over many asm statements and many small functions.
//
// An address in the shared window is an offset from the block's shared memory, as `__cvta_generic_to_shared` gives it;
// in every other window it is the generic address.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/IRBuilder.h>

#include <string>
#include <vector>

#include "compiler/simt/ptx_parser.h"

namespace unwarp::simt::ptx {

enum class Space : uint8_t { generic, shared };

class Emission {
 public:
  explicit Emission(llvm::Function& function);

  llvm::IRBuilder<> builder;
  std::string error;

  /// Sets the first error; gives false, for handlers to return.
  bool fail(std::string message);

  // A brace may close in a later asm statement of the function than it opens in.
  // ---- registers ---------------------------------------------------------------------------------------------------
  void openScope() { scopes_.emplace_back(); }
  void closeScope();
  void declare(llvm::StringRef name, unsigned bits);
  /// The stack slot of a register, for what stands outside the assembly.
  llvm::AllocaInst* slot(llvm::StringRef name) const;

  // ---- operands ----------------------------------------------------------------------------------------------------
  /// An operand's low `width` bits. Sets `error` and gives zero for what is no register, immediate or special register.
  llvm::Value* bits(const Operand& operand, unsigned width);
  /// The operand as its LLVM type; bf16 as float, packed types as vectors.
  llvm::Value* read(const Operand& operand, const Type& type);
  llvm::Value* predicate(const Operand& operand);
  /// Writes a value of `read`'s type; registers wider than the type are filled by sign or with zeros.
  void write(const Operand& operand, llvm::Value* value, const Type& type);
  void writeBits(const Operand& operand, llvm::Value* value, bool isSigned = false);
  /// Destination `d|p` or `d`: the second value goes to p.
  void writePair(const Operand& operand, llvm::Value* value, llvm::Value* second);

  llvm::Value* fromBits(llvm::Value* bits, const Type& type);
  llvm::Value* toBits(llvm::Value* value, const Type& type);
  llvm::Type* llvmType(const Type& type);
  llvm::IntegerType* integer(unsigned bits) { return builder.getIntNTy(bits); }
  bool isConstant(const Operand& operand) const { return operand.kind == Operand::Kind::integer; }

  // ---- control -----------------------------------------------------------------------------------------------------
  void openGuard(const Instruction& instruction);
  void closeGuard();
  void label(llvm::StringRef name);
  void branch(llvm::StringRef name);
  /// Code after this point is not reached.
  void endBlock();
  /// Ends one asm statement: its labels do not outlive it, its open braces do. False when a branch has no target.
  bool finishStatement();

  // ---- the machine -------------------------------------------------------------------------------------------------
  llvm::Value* call(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments);
  llvm::Value* call32(llvm::StringRef name) { return call(name, builder.getInt32Ty(), {}); }
  llvm::Value* call64(llvm::StringRef name) { return call(name, builder.getInt64Ty(), {}); }
  llvm::Value* lane();
  llvm::Value* sharedBase();
  llvm::Value* pointer(const Operand& address, Space space);
  llvm::Value* carry();
  void setCarry(llvm::Value* flag);
  llvm::Value* select(llvm::Value* condition, llvm::Value* yes, llvm::Value* no) {
    return builder.CreateSelect(condition, yes, no);
  }

 private:
  struct Register {
    llvm::AllocaInst* slot = nullptr;
    unsigned bits = 0;
  };
  const Register* find(llvm::StringRef name) const;
  llvm::Value* immediate(const Operand& operand, unsigned width);
  llvm::Value* load(const Register& source, unsigned width);

  llvm::Function& function_;
  std::vector<llvm::StringMap<Register>> scopes_;
  struct Label {
    llvm::BasicBlock* block = nullptr;
    bool isPlaced = false;
  };
  Label& labelNamed(llvm::StringRef name);
  llvm::StringMap<Label> labels_;
  llvm::BasicBlock* afterGuard_ = nullptr;
};

/// Emits one instruction; false with `error` set when it is not known or has an unknown modifier.
bool emit(Emission& emission, const Instruction& instruction);

/// A special register's value in its own width; null when there is none of this name here.
llvm::Value* specialRegister(Emission& emission, llvm::StringRef name);

// The handlers that the table names. False without an error: this form is not supported.
bool emitAddSub(Emission& e, const Instruction& i);
bool emitMultiply(Emission& e, const Instruction& i);
bool emitFma(Emission& e, const Instruction& i);
bool emitDivide(Emission& e, const Instruction& i);
bool emitFunction(Emission& e, const Instruction& i);
bool emitMinMax(Emission& e, const Instruction& i);
bool emitSign(Emission& e, const Instruction& i);
bool emitLogic(Emission& e, const Instruction& i);
bool emitShift(Emission& e, const Instruction& i);
bool emitFunnelShift(Emission& e, const Instruction& i);
bool emitCount(Emission& e, const Instruction& i);
bool emitBitField(Emission& e, const Instruction& i);
bool emitLop3(Emission& e, const Instruction& i);
bool emitPermute(Emission& e, const Instruction& i);
bool emitDot(Emission& e, const Instruction& i);
bool emitSad(Emission& e, const Instruction& i);
bool emitVideo(Emission& e, const Instruction& i);
bool emitMove(Emission& e, const Instruction& i);
bool emitConvert(Emission& e, const Instruction& i);
bool emitCompare(Emission& e, const Instruction& i);
bool emitSelect(Emission& e, const Instruction& i);
bool emitTest(Emission& e, const Instruction& i);
bool emitLoad(Emission& e, const Instruction& i);
bool emitStore(Emission& e, const Instruction& i);
bool emitAtomic(Emission& e, const Instruction& i);
bool emitFence(Emission& e, const Instruction& i);
bool emitMemoryBarrier(Emission& e, const Instruction& i);
bool emitCopyArrival(Emission& e, const Instruction& i);
bool emitBulkCopy(Emission& e, const Instruction& i);
bool emitAsyncCopy(Emission& e, const Instruction& i);
bool emitAddressWindow(Emission& e, const Instruction& i);
bool emitIsSpace(Emission& e, const Instruction& i);
bool emitBarrier(Emission& e, const Instruction& i);
bool emitVote(Emission& e, const Instruction& i);
bool emitMatch(Emission& e, const Instruction& i);
bool emitShuffle(Emission& e, const Instruction& i);
bool emitReduce(Emission& e, const Instruction& i);
bool emitActiveMask(Emission& e, const Instruction& i);
bool emitElect(Emission& e, const Instruction& i);
bool emitCluster(Emission& e, const Instruction& i);
bool emitControl(Emission& e, const Instruction& i);
bool emitNothing(Emission& e, const Instruction& i);
bool emitPolicy(Emission& e, const Instruction& i);

/// `f32` results of `.ftz`: subnormal numbers become zero of their sign.
llvm::Value* flushed(Emission& e, const Instruction& i, llvm::Value* value);
/// A double as a float whose lowest bit remembers what was cut: a last rounding to 16 bits is then as from the double.
llvm::Value* narrowedToOdd(Emission& e, llvm::Value* value);
/// Clamps to [0, 1], not-a-number to 0.
llvm::Value* saturated(Emission& e, llvm::Value* value);

/// Operations of the runtime's `uw_directed`, for roundings other than to nearest.
enum class Directed : uint32_t { add, multiply, fma, divide, squareRoot, fromSigned, fromUnsigned };
/// -1: rounds to nearest.
int directedMode(const Instruction& i);
llvm::Value* directed(Emission& e, Directed operation, int mode, llvm::ArrayRef<llvm::Value*> values);

}  // namespace unwarp::simt::ptx
