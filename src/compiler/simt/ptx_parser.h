// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX as text, for what programs write inside `asm`: statements with guards, labels, register declarations in braces
// and operands. Knows the form of the language and nothing about instructions; those stand in ptx_table.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unwarp::simt::ptx {

struct Type {
  enum class Kind : uint8_t { bits, unsignedInteger, signedInteger, floating, brain, predicate };
  Kind kind = Kind::bits;
  uint16_t bits = 0;  // of one element
  uint8_t lanes = 1;  // 2: a packed pair in one register

  bool isFloat() const { return kind == Kind::floating || kind == Kind::brain; }
  bool isSigned() const { return kind == Kind::signedInteger; }
  bool isPredicate() const { return kind == Kind::predicate; }
  bool isInteger() const { return !isFloat() && !isPredicate(); }
  bool is(Kind wanted, uint16_t wantedBits) const { return kind == wanted && bits == wantedBits && lanes == 1; }
  unsigned registerBits() const { return unsigned{bits} * lanes; }
};

/// False when `name` (no dot) is no type that is known here.
bool typeNamed(std::string_view name, Type& type);

struct Operand {
  enum class Kind : uint8_t { name, integer, floating, address, vector, pair, sink };
  Kind kind = Kind::sink;
  std::string name;               // of a register, special register or label; base of an address
  uint64_t value = 0;             // of an immediate: its bits; of an address: the offset
  unsigned floatBits = 0;         // 32 or 64 for a floating immediate
  bool negated = false;           // !p
  std::vector<Operand> elements;  // of {a,b} and of p|q
};

struct Instruction {
  std::string text;  // the whole opcode, for messages
  std::string base;
  std::vector<std::string> modifiers;  // all that follow, types too
  std::vector<Type> types;             // in order
  std::vector<Operand> operands;
  std::string guard;
  bool guardNegated = false;
  std::string problem;  // an operand that is not understood; what the instruction is matters more

  bool has(std::string_view modifier) const;
  size_t count() const { return operands.size(); }
};

struct Declaration {
  std::string name;
  unsigned bits = 0;  // 1: a predicate
};

struct Statement {
  enum class Kind : uint8_t { instruction, label, open, close, declare };
  Kind kind = Kind::instruction;
  Instruction instruction;
  std::string label;
  std::vector<Declaration> registers;
};

struct Parsed {
  std::vector<Statement> statements;
  std::string error;
};

/// `text` is assembly after substitution of operands; an operand of the asm statement is a name that begins with
/// `kOperandMark`.
Parsed parse(std::string_view text);
constexpr char kOperandMark = '\x01';

/// A name as the programmer wrote it: `%0` for an operand of the asm statement.
std::string shown(std::string_view name);

}  // namespace unwarp::simt::ptx
