// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing, linking of relocatable device code, and the change of target. clang's bitcode says nvptx64 in its triple,
// its layout, its calling convention for kernels and its function attributes; all of that must go before any LLVM pass
// runs, and before the nvptx ideas "a warp has 32 lanes" or "constants cannot be written" are folded in.
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include "compiler/simt/lowering.h"
#include "compiler/simt/source_lines.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

// Names that two relocatable modules both define strongly: `static` device variables, made external by clang so that
// the host can find them. The later module's becomes its own.
void separateStatics(Module& into, Module& from) {
  for (GlobalVariable& variable : from.globals()) {
    GlobalVariable* other = into.getNamedGlobal(variable.getName());
    bool bothStrong = other && !other->isDeclaration() && !variable.isDeclaration() && !other->isWeakForLinker() &&
                      !variable.isWeakForLinker() && !variable.hasLocalLinkage() && !variable.hasAppendingLinkage();
    if (bothStrong) variable.setLinkage(GlobalValue::InternalLinkage);
  }
}

// In relocatable code clang gives a static variable that the host uses a name of its own ("x__static__..."), but what
// it emitted before the host's use still refers to the plain name. Both mean the variable of this module.
void joinStatics(Module& module) {
  SmallVector<GlobalVariable*, 4> renamed;
  for (GlobalVariable& variable : module.globals()) {
    if (variable.getName().contains("__static__")) renamed.push_back(&variable);
  }
  for (GlobalVariable* variable : renamed) {
    StringRef plain = variable->getName().split("__static__").first;
    GlobalVariable* other = module.getNamedGlobal(plain);
    if (!other || !other->isDeclaration() || other->getType() != variable->getType()) continue;
    other->replaceAllUsesWith(variable);
    other->eraseFromParent();
  }
}

uint64_t boundOf(const Function& function, StringRef attribute) {
  Attribute value = function.getFnAttribute(attribute);
  uint64_t product = 1;
  if (!value.isStringAttribute()) return 0;
  SmallVector<StringRef, 3> parts;
  value.getValueAsString().split(parts, ',');
  for (StringRef part : parts) {
    uint64_t number = 0;
    if (part.trim().getAsInteger(10, number)) return 0;
    product *= number;
  }
  return product;
}

abi::KernelRecord recordOf(const Function& kernel) {
  const DataLayout& layout = kernel.getParent()->getDataLayout();
  abi::KernelRecord record;
  record.name = kernel.getName().str();
  uint64_t offset = 0;
  for (const Argument& argument : kernel.args()) {
    Type* type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    uint64_t size = layout.getTypeAllocSize(type);
    Align alignment = argument.getParamAlign().value_or(layout.getABITypeAlign(type));
    offset = alignTo(offset, alignment);
    record.parameters.push_back({offset, size});
    offset += size;
  }
  record.argumentBytes = offset;
  record.maxThreads = boundOf(kernel, "nvvm.maxntid");
  record.minBlocks = boundOf(kernel, "nvvm.minctasm");
  return record;
}

// `__managed__` in our headers is an annotation; clang lists those as {variable, text, file, line, arguments}.
void collectManaged(Lowering& lowering) {
  GlobalVariable* list = lowering.module->getNamedGlobal("llvm.global.annotations");
  if (!list || !list->hasInitializer()) return;
  for (const Use& entry : list->getInitializer()->operands()) {
    auto* fields = dyn_cast<ConstantStruct>(entry.get());
    if (!fields || fields->getNumOperands() < 2) continue;
    auto* text = dyn_cast<GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    auto* bytes = text && text->hasInitializer() ? dyn_cast<ConstantDataSequential>(text->getInitializer()) : nullptr;
    if (!bytes || !bytes->isCString() || bytes->getAsCString() != uw::kManagedAnnotation) continue;
    if (auto* variable = dyn_cast<GlobalVariable>(fields->getOperand(0)->stripPointerCasts())) {
      lowering.managed.insert(variable->getName().str());
    }
  }
}

void stripFunction(Function& function) {
  for (StringRef name : {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "stack-protector-buffer-size",
                         "uniform-work-group-size", "nvvm.maxntid", "nvvm.minctasm"}) {
    function.removeFnAttr(name);
  }
  function.setCallingConv(CallingConv::C);
  // A kernel or a function may be asked for debugging without optimisation; the lowering needs registers, not slots.
  function.removeFnAttr(Attribute::OptimizeNone);
  if (!function.isDeclaration() && !function.isIntrinsic()) function.setDSOLocal(true);
}

}  // namespace

void loadModules(Lowering& lowering, LLVMContext& context) {
  for (size_t i = 0; i < lowering.request.moduleCount; ++i) {
    const uw::JitModule& input = lowering.request.modules[i];
    MemoryBufferRef buffer(StringRef(input.bitcode, input.size), "device code");
    Expected<std::unique_ptr<Module>> parsed = parseBitcodeFile(buffer, context);
    if (!parsed) return lowering.fail("device code cannot be read: " + toString(parsed.takeError()));
    joinStatics(**parsed);
    keepLinesOnly(**parsed);
    if (!lowering.module) {
      lowering.module = std::move(*parsed);
      continue;
    }
    separateStatics(*lowering.module, **parsed);
    if (Linker::linkModules(*lowering.module, std::move(*parsed))) return lowering.fail("device code cannot be linked");
  }
  if (!lowering.module) lowering.fail("no device code");
}

void retarget(Lowering& lowering) {
  Module& module = *lowering.module;
  for (Function& function : module) {
    if (function.getCallingConv() == CallingConv::PTX_Kernel && !function.isDeclaration()) {
      lowering.result.kernels.push_back(recordOf(function));
    }
  }
  for (Function& function : module) {
    stripFunction(function);
    for (BasicBlock& block : function) {
      for (Instruction& instruction : block) {
        if (auto* call = dyn_cast<CallBase>(&instruction)) call->setCallingConv(CallingConv::C);
      }
    }
  }
  collectManaged(lowering);
  for (StringRef name : {"llvm.used", "llvm.compiler.used", "llvm.global.annotations"}) {
    if (GlobalVariable* list = module.getNamedGlobal(name)) list->eraseFromParent();
  }
  if (NamedMDNode* annotations = module.getNamedMetadata("nvvm.annotations")) annotations->eraseFromParent();
  module.setTargetTriple(Triple(sys::getProcessTriple()));
  // The layout itself is set by emitObject's target machine; both agree on sizes and alignments of all types that
  // device code can hold (long double is 8 bytes in nvptx and already a double here).
}

Value* contextOf(Function& function) {
  return function.getArg(function.arg_size() - 1);
}

}  // namespace unwarp::simt
