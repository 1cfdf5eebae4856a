// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the entries of all tiers are made of: reading a launch's arguments, a context in registers, loops over threads.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/lowering.h"

namespace unwarp::simt {

llvm::Function* newEntry(llvm::Module& module, llvm::StringRef name);

/// Whether a struct passed by value is only read: then all threads can read the launch's copy.
bool isOnlyRead(const llvm::Value& pointer);

/// What is passed for each parameter, read once, before any loop over threads. A struct passed by value stands here as
/// the address of the launch's copy.
llvm::SmallVector<llvm::Value*, 8> readArguments(llvm::IRBuilder<>& builder, llvm::Function& kernel,
                                                 const abi::KernelRecord& record, llvm::Value* buffer);

/// Makes a struct passed by value that the kernel writes to a local variable like any other.
void copyWrittenStructs(llvm::Function& kernel, const abi::KernelRecord& record);

void dropByVal(llvm::Function& kernel);

llvm::Value* fieldAddress(llvm::IRBuilder<>& builder, llvm::Value* context, size_t offset);

/// The block's extent along an axis: a constant when the launch asked for code of its shape.
llvm::Value* blockExtent(const Lowering& lowering, llvm::IRBuilder<>& builder, llvm::Value* context, size_t axis);

/// A context of the function's own with what all threads of the block have in common.
llvm::AllocaInst* copyBlockContext(const Lowering& lowering, llvm::IRBuilder<>& builder, llvm::Value* block);

/// One level of a loop nest over threads.
struct ThreadLoop {
  llvm::BasicBlock* header = nullptr;
  llvm::PHINode* index = nullptr;
  llvm::Value* bound = nullptr;
};

/// Begins a loop from 0 to `bound`, which is at least 1.
ThreadLoop openLoop(llvm::IRBuilder<>& builder, llvm::Value* bound);
llvm::BranchInst* closeLoop(llvm::IRBuilder<>& builder, const ThreadLoop& loop);

}  // namespace unwarp::simt
