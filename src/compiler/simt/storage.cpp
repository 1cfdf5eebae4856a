// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where device variables live. A shared variable is an offset in the block's memory: those that functions called
// through pointers use come first, at the same place for all kernels of the module, then the kernel's own; a dynamic
// array starts behind them. A `__device__` or `__constant__` variable is defined once, in the shared part of the
// module, and is an external symbol for every kernel: specialised kernels must see one and the same variable. Constants
// that hold no code address stay where they are used, so that they fold.
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

#include "compiler/simt/lowering.h"

namespace unwarp::simt {
namespace {

using namespace llvm;

constexpr unsigned kConstantSpace = 4;
// Dynamic shared memory is aligned as CUDA documents for allocations that vector types may be read from.
constexpr uint64_t kDynamicAlignment = 16;

using FunctionSet = SmallPtrSet<const Function*, 16>;

FunctionSet usersOf(const GlobalVariable& variable) {
  FunctionSet found;
  for (const User* user : variable.users()) {
    if (auto* instruction = dyn_cast<Instruction>(user)) found.insert(instruction->getFunction());
  }
  return found;
}

void collectCallees(const Function& function, FunctionSet& into) {
  if (!into.insert(&function).second) return;
  for (const BasicBlock& block : function) {
    for (const Instruction& instruction : block) {
      auto* call = dyn_cast<CallBase>(&instruction);
      const Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isDeclaration()) collectCallees(*callee, into);
    }
  }
}

FunctionSet reachableFrom(const Module& module, const std::vector<std::string>& roots) {
  FunctionSet found;
  for (const std::string& name : roots) {
    if (const Function* function = module.getFunction(name)) collectCallees(*function, found);
  }
  return found;
}

bool intersects(const FunctionSet& left, const FunctionSet& right) {
  for (const Function* function : left) {
    if (right.contains(function)) return true;
  }
  return false;
}

// Hands out offsets; a variable without extent (`extern __shared__ T name[]`) is the dynamic array.
class SharedLayout {
 public:
  explicit SharedLayout(const DataLayout& layout) : layout_(layout) {}

  void place(const GlobalVariable& variable) {
    if (offsets_.count(&variable) || isDynamic(variable)) return;
    Align alignment = std::max(variable.getAlign().valueOrOne(), Align(4));
    sizeBytes_ = alignTo(sizeBytes_, alignment);
    offsets_[&variable] = sizeBytes_;
    sizeBytes_ += layout_.getTypeAllocSize(variable.getValueType());
  }
  bool isDynamic(const GlobalVariable& variable) const {
    return variable.isDeclaration() || layout_.getTypeAllocSize(variable.getValueType()) == 0;
  }
  std::optional<uint64_t> offset(const GlobalVariable& variable) const {
    if (isDynamic(variable)) return dynamicOffset();
    auto found = offsets_.find(&variable);
    if (found == offsets_.end()) return std::nullopt;
    return found->second;
  }
  uint64_t dynamicOffset() const { return alignTo(sizeBytes_, kDynamicAlignment); }
  uint64_t sizeBytes() const { return sizeBytes_; }

 private:
  const DataLayout& layout_;
  DenseMap<const GlobalVariable*, uint64_t> offsets_;
  uint64_t sizeBytes_ = 0;
};

std::vector<GlobalVariable*> sharedVariables(Module& module) {
  std::vector<GlobalVariable*> found;
  for (GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() == kSharedSpace) found.push_back(&variable);
  }
  SmallVector<Constant*, 16> constants(found.begin(), found.end());
  convertUsersOfConstantsToInstructions(constants);
  return found;
}

void placeReachable(SharedLayout& layout, const std::vector<GlobalVariable*>& variables, const FunctionSet& functions) {
  for (const GlobalVariable* variable : variables) {
    if (intersects(usersOf(*variable), functions)) layout.place(*variable);
  }
}

// A pointer into the block's shared memory, made in the entry block of each function that uses the variable.
void replaceShared(GlobalVariable& variable, uint64_t offset) {
  DenseMap<Function*, Value*> pointers;
  SmallVector<Use*, 16> uses;
  for (Use& use : variable.uses()) uses.push_back(&use);
  for (Use* use : uses) {
    auto* user = cast<Instruction>(use->getUser());
    Function* function = user->getFunction();
    Value*& pointer = pointers[function];
    if (!pointer) {
      IRBuilder<> builder(&*function->getEntryBlock().getFirstInsertionPt());
      Value* field = builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), contextOf(*function),
                                                        offsetof(uw::ThreadContext, shared));
      Value* base = builder.CreateAlignedLoad(builder.getPtrTy(), field, Align(8));
      pointer = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
    }
    auto* cast = dyn_cast<AddrSpaceCastInst>(user);
    if (cast && cast->getDestAddressSpace() == 0) {
      cast->replaceAllUsesWith(pointer);
      continue;
    }
    IRBuilder<> builder(user);
    use->set(builder.CreateAddrSpaceCast(pointer, variable.getType()));
  }
  for (User* user : make_early_inc_range(variable.users())) {
    auto* instruction = dyn_cast<Instruction>(user);
    if (instruction && instruction->use_empty()) instruction->eraseFromParent();
  }
}

void lowerShared(Lowering& lowering) {
  Module& module = *lowering.module;
  std::vector<GlobalVariable*> variables = sharedVariables(module);
  FunctionSet common = reachableFrom(module, lowering.addressTaken);
  SharedLayout commonLayout(module.getDataLayout());
  placeReachable(commonLayout, variables, common);
  for (abi::KernelRecord& kernel : lowering.result.kernels) {
    SharedLayout layout = commonLayout;
    FunctionSet own = reachableFrom(module, {kernel.name});
    placeReachable(layout, variables, own);
    kernel.staticSharedBytes = layout.sizeBytes();
    bool wanted =
        lowering.isSharedPart() ? &kernel == &lowering.result.kernels.back() : kernel.name == lowering.request.kernel;
    if (!wanted) continue;
    for (GlobalVariable* variable : variables) {
      std::optional<uint64_t> offset = layout.offset(*variable);
      replaceShared(*variable, offset.value_or(0));  // a variable without an offset is used by other kernels only
    }
  }
}

bool holdsCode(const Constant& constant, SmallPtrSetImpl<const Constant*>& seen) {
  if (isa<Function>(constant)) return true;
  if (!seen.insert(&constant).second) return false;
  for (const Use& operand : constant.operands()) {
    if (auto* inner = dyn_cast<Constant>(operand.get()); inner && holdsCode(*inner, seen)) return true;
  }
  return false;
}

// True when every kernel may have its own copy: nobody writes it and it holds no address that must be unique.
bool mayBeCopied(const GlobalVariable& variable) {
  SmallPtrSet<const Constant*, 8> seen;
  return variable.isConstant() && variable.getAddressSpace() != kConstantSpace && variable.hasInitializer() &&
         !holdsCode(*variable.getInitializer(), seen);
}

GlobalVariable* flatten(GlobalVariable& old, bool defined) {
  Constant* initial = defined ? old.getInitializer() : nullptr;
  if (initial && isa<UndefValue>(initial)) initial = Constant::getNullValue(old.getValueType());
  auto* made = new GlobalVariable(*old.getParent(), old.getValueType(), /*isConstant=*/false,
                                  GlobalValue::ExternalLinkage, initial, "", &old);
  made->takeName(&old);
  made->setAlignment(old.getAlign());
  old.replaceAllUsesWith(ConstantExpr::getPointerBitCastOrAddrSpaceCast(made, old.getType()));
  old.eraseFromParent();
  return made;
}

void lowerVariables(Lowering& lowering) {
  Module& module = *lowering.module;
  const DataLayout& layout = module.getDataLayout();
  for (GlobalVariable& variable : make_early_inc_range(module.globals())) {
    if (variable.getAddressSpace() == kSharedSpace || variable.getName().starts_with("llvm.")) continue;
    if (variable.hasExternalWeakLinkage()) {  // threadIdx and its like: objects without memory
      variable.replaceAllUsesWith(ConstantPointerNull::get(variable.getType()));
      variable.eraseFromParent();
      continue;
    }
    if (mayBeCopied(variable)) {
      variable.setLinkage(GlobalValue::InternalLinkage);
      variable.setComdat(nullptr);
      continue;
    }
    bool visible = variable.getAddressSpace() != 0;
    if (visible) {
      lowering.result.variables.push_back({variable.getName().str(), layout.getTypeAllocSize(variable.getValueType()),
                                           variable.getAddressSpace() == kConstantSpace});
    }
    if (lowering.managed.count(variable.getName().str())) {
      flatten(variable, /*defined=*/false);  // the runtime binds it to the host's memory
      continue;
    }
    if (variable.isDeclaration() && lowering.isSharedPart()) {
      lowering.fail("device variable '" + variable.getName().str() +
                    "' is declared and nowhere defined (-rdc=true missing?)");
    }
    flatten(variable, lowering.isSharedPart() && !variable.isDeclaration());
  }
}

// True when a value is nothing but bytes.
bool isPlainData(const Constant& constant) {
  if (isa<GlobalValue>(constant)) return false;
  for (const Use& operand : constant.operands()) {
    if (auto* inner = dyn_cast<Constant>(operand.get()); inner && !isPlainData(*inner)) return false;
  }
  return true;
}

}  // namespace

void keepManagedValues(Lowering& lowering) {
  Module& module = *lowering.module;
  auto kept = std::make_unique<Module>("managed", module.getContext());
  for (const std::string& name : lowering.managed) {
    GlobalVariable* variable = module.getNamedGlobal(name);
    if (!variable || !variable->hasInitializer()) continue;
    Constant* initial = variable->getInitializer();
    if (isa<UndefValue>(initial)) initial = Constant::getNullValue(variable->getValueType());
    if (!isPlainData(*initial)) {
      return lowering.fail("managed variable '" + name + "' starts with an address, which is not supported");
    }
    auto* made = new GlobalVariable(*kept, variable->getValueType(), /*isConstant=*/false, GlobalValue::ExternalLinkage,
                                    initial, name);
    made->setAlignment(variable->getAlign());
    uint64_t size = module.getDataLayout().getTypeAllocSize(variable->getValueType());
    lowering.result.variables.push_back({name, size, /*constant=*/false});
  }
  kept->setTargetTriple(module.getTargetTriple());
  lowering.module = std::move(kept);
}

void lowerStorage(Lowering& lowering) {
  lowerShared(lowering);
  lowerVariables(lowering);
}

}  // namespace unwarp::simt
