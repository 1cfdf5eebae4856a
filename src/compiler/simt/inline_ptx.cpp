// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX. An `asm` statement becomes IR before anything else looks at the module: operands become stack slots, the
// text is parsed (ptx_parser.cpp) and each instruction is emitted by the handler that the table names (ptx_table.cpp).
// An instruction that nobody can run here refuses the kernels that reach it and no other one: elsewhere its function
// becomes a trap. An assembly string without
// instructions stays a compiler fence. Since this runs before every optimisation, whether the statement is `volatile`
// plays no role: clocks and masks are read by calls that nothing merges.
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/lowering.h"
#include "compiler/simt/ptx_emission.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

void reach(const Function* function, SmallPtrSetImpl<const Function*>& found) {
  SmallVector<const Function*, 32> work{function};
  while (!work.empty()) {
    const Function* next = work.pop_back_val();
    if (!next || next->isDeclaration() || !found.insert(next).second) continue;
    for (const BasicBlock& block : *next) {
      for (const Instruction& instruction : block) {
        auto* call = dyn_cast<CallBase>(&instruction);
        if (call && call->getCalledFunction()) work.push_back(call->getCalledFunction());
      }
    }
  }
}

// What the requested part holds: the kernel, or for the shared part everything that pointers can call.
SmallPtrSet<const Function*, 32> wantedFunctions(const Lowering& lowering) {
  SmallPtrSet<const Function*, 32> found;
  if (!lowering.isSharedPart()) {
    reach(lowering.module->getFunction(lowering.request.kernel), found);
    return found;
  }
  for (const Function& function : *lowering.module) {
    if (function.hasAddressTaken(nullptr, false, true, true)) reach(&function, found);
  }
  return found;
}

struct AsmOperand {
  Value* input = nullptr;  // null for outputs
  bool isImmediate = false;
  int tiedTo = -1;
};

struct Statement {
  CallInst* call = nullptr;
  std::string text;  // the assembly string as it is in the IR
  SmallVector<Type*, 8> outputs;
  SmallVector<AsmOperand, 8> operands;  // outputs first, as $0, $1, ... count
  std::string unsupported;              // a constraint
};

Statement statementOf(CallInst& call) {
  auto* assembly = cast<InlineAsm>(call.getCalledOperand());
  Statement statement;
  statement.call = &call;
  statement.text = assembly->getAsmString().str();
  Type* result = call.getType();
  if (auto* many = dyn_cast<StructType>(result)) {
    statement.outputs.append(many->element_begin(), many->element_end());
  } else if (!result->isVoidTy()) {
    statement.outputs.push_back(result);
  }
  unsigned argument = 0;
  for (const InlineAsm::ConstraintInfo& constraint : assembly->ParseConstraints()) {
    if (constraint.Type == InlineAsm::isClobber) continue;
    AsmOperand operand;
    if (constraint.isIndirect || constraint.Type == InlineAsm::isLabel) {
      statement.unsupported = constraint.Codes.empty() ? "m" : constraint.Codes[0];
    }
    if (constraint.Type == InlineAsm::isInput) {
      operand.input = call.getArgOperand(argument++);
      operand.isImmediate = isa<ConstantInt>(operand.input) && !constraint.Codes.empty() &&
                            (constraint.Codes[0] == "n" || constraint.Codes[0] == "i");
      unsigned tied = 0;
      bool isNumber = !constraint.Codes.empty() && !StringRef(constraint.Codes[0]).getAsInteger(10, tied);
      if (isNumber) operand.tiedTo = static_cast<int>(tied);
    }
    statement.operands.push_back(operand);
  }
  return statement;
}

std::string operandName(unsigned number) {
  return ptx::kOperandMark + std::to_string(number);
}

std::string operandText(const Statement& statement, unsigned number) {
  if (number >= statement.operands.size()) return "$" + std::to_string(number);
  const AsmOperand& operand = statement.operands[number];
  if (!operand.isImmediate) return operandName(number);
  return toString(cast<ConstantInt>(operand.input)->getValue(), 10, /*Signed=*/true);
}

// `$0`, `${0:modifier}`, `${:uid}` and `$$`: how LLVM writes `%0`, `%=` and a dollar sign.
std::string substituted(const Statement& statement, unsigned serial) {
  std::string out;
  StringRef rest = statement.text;
  while (!rest.empty()) {
    if (rest[0] != '$' || rest.size() == 1) {
      out += rest[0];
      rest = rest.drop_front();
      continue;
    }
    rest = rest.drop_front();
    if (rest.consume_front("{")) {
      auto [inside, after] = rest.split('}');
      rest = after;
      unsigned number = 0;
      bool isNumber = !inside.split(':').first.getAsInteger(10, number);
      out += isNumber ? operandText(statement, number) : std::to_string(serial);
      continue;
    }
    unsigned number = 0;
    if (!rest.consumeInteger(10, number)) {
      out += operandText(statement, number);
      continue;
    }
    char c = rest[0];
    out += c == '(' ? '{' : c == ')' ? '}' : c;  // alternatives of assembly dialects, which PTX has not
    rest = rest.drop_front();
  }
  return out;
}

Type* slotType(LLVMContext& context, Type* type, const DataLayout& layout) {
  return IntegerType::get(context, static_cast<unsigned>(layout.getTypeSizeInBits(type)));
}

class Translation {
 public:
  explicit Translation(Function& function) : layout_(function.getParent()->getDataLayout()), emission_(function) {}

  // Empty, or what is not supported.
  std::string translate(const Statement& statement, unsigned serial) {
    if (!statement.unsupported.empty()) return "asm constraint '" + statement.unsupported + "' is not supported";
    ptx::Parsed parsed = ptx::parse(substituted(statement, serial));
    if (!parsed.error.empty()) return parsed.error;
    CallInst& call = *statement.call;
    BasicBlock* before = call.getParent();
    BasicBlock* after = before->splitBasicBlock(call.getIterator(), "ptx.after");
    before->getTerminator()->eraseFromParent();
    emission_.builder.SetInsertPoint(before);
    storeOperands(statement);
    if (parsed.statements.empty() && call.mayHaveSideEffects()) fence();
    for (const ptx::Statement& one : parsed.statements) emitOne(one);
    emission_.builder.CreateBr(after);
    emission_.finishStatement();
    emission_.builder.SetInsertPoint(&call);
    replaceResult(statement);
    return emission_.error;
  }

 private:
  void storeOperands(const Statement& statement) {
    IRBuilder<>& b = emission_.builder;
    LLVMContext& context = b.getContext();
    for (unsigned k = 0; k < statement.operands.size(); ++k) {
      const AsmOperand& operand = statement.operands[k];
      Type* type = operand.input ? operand.input->getType() : statement.outputs[k];
      Type* flat = slotType(context, type, layout_);
      int place = operand.tiedTo >= 0 ? operand.tiedTo : static_cast<int>(k);
      if (operand.tiedTo < 0) emission_.declare(operandName(k), flat->getIntegerBitWidth());
      if (!operand.input) continue;
      Value* value = operand.input->getType()->isPointerTy() ? b.CreatePtrToInt(operand.input, flat)
                                                             : b.CreateBitCast(operand.input, flat);
      AllocaInst* slot = emission_.slot(operandName(static_cast<unsigned>(place)));
      b.CreateStore(b.CreateZExtOrTrunc(value, slot->getAllocatedType()), slot);
    }
  }

  void fence() {
    IRBuilder<>& b = emission_.builder;
    FunctionType* type = FunctionType::get(b.getVoidTy(), false);
    b.CreateCall(InlineAsm::get(type, "", "~{memory}", /*hasSideEffects=*/true), {});
  }

  void emitOne(const ptx::Statement& one) {
    if (!emission_.error.empty()) return;
    switch (one.kind) {
      case ptx::Statement::Kind::instruction:
        ptx::emit(emission_, one.instruction);
        return;
      case ptx::Statement::Kind::label:
        emission_.label(one.label);
        return;
      case ptx::Statement::Kind::open:
        emission_.openScope();
        return;
      case ptx::Statement::Kind::close:
        emission_.closeScope();
        return;
      case ptx::Statement::Kind::declare:
        for (const ptx::Declaration& declared : one.registers) emission_.declare(declared.name, declared.bits);
        return;
    }
  }

  Value* resultOf(unsigned number, Type* type) {
    IRBuilder<>& b = emission_.builder;
    AllocaInst* slot = emission_.slot(operandName(number));
    Value* raw = b.CreateLoad(slot->getAllocatedType(), slot);
    return type->isPointerTy() ? b.CreateIntToPtr(raw, type) : b.CreateBitCast(raw, type);
  }

  void replaceResult(const Statement& statement) {
    CallInst& call = *statement.call;
    Value* result = nullptr;
    if (auto* many = dyn_cast<StructType>(call.getType())) {
      result = PoisonValue::get(many);
      for (unsigned k = 0; k < many->getNumElements(); ++k) {
        result = emission_.builder.CreateInsertValue(result, resultOf(k, many->getElementType(k)), k);
      }
    } else if (!call.getType()->isVoidTy()) {
      result = resultOf(0, call.getType());
    }
    if (result) call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }

  const DataLayout& layout_;
  ptx::Emission emission_;
};

SmallVector<CallInst*, 32> assemblyOf(Function& function) {
  SmallVector<CallInst*, 32> calls;
  for (BasicBlock& block : function) {
    for (Instruction& instruction : block) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (call && call->isInlineAsm()) calls.push_back(call);
    }
  }
  return calls;
}

// Nobody who was asked for reaches it.
void replaceBodyByTrap(Function& function) {
  GlobalValue::LinkageTypes linkage = function.getLinkage();
  function.deleteBody();
  function.setLinkage(linkage);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "entry", &function));
  builder.CreateCall(function.getParent()->getOrInsertFunction("__uw_trap", builder.getVoidTy()));
  builder.CreateUnreachable();
}

std::string translateFunction(Function& function, ArrayRef<CallInst*> calls, unsigned& serial) {
  Translation translation(function);
  for (CallInst* call : calls) {
    std::string problem = translation.translate(statementOf(*call), ++serial);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace

void translateInlinePtx(Lowering& lowering) {
  SmallPtrSet<const Function*, 32> wanted = wantedFunctions(lowering);
  unsigned serial = 0;
  for (Function& function : *lowering.module) {
    SmallVector<CallInst*, 32> calls = assemblyOf(function);
    if (calls.empty()) continue;
    bool isWanted = wanted.contains(&function);
    // The shared part also says of every kernel whether its threads meet, so it needs them all.
    std::string problem = isWanted || lowering.isSharedPart() ? translateFunction(function, calls, serial) : "unused";
    if (problem.empty()) continue;
    if (isWanted) return lowering.fail(problem + ", in inline PTX of " + demangle(function.getName().str()));
    replaceBodyByTrap(function);
  }
}

}  // namespace unwarp::simt
