// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source lines through the lowering, for crash reports. Nothing here does anything for code compiled without -lineinfo,
// -g or -G: its modules carry no debug information.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/simt/lowering.h"

namespace unwarp::simt {

/// Keeps of clang's debug information what tells lines and drops the rest, which is DWARF 2 with address-space
/// operators that no x86 tool reads.
void keepLinesOnly(llvm::Module& module);

/// Notes the line of a call at which a thread may wait; `call` is about to be replaced.
void recordSite(Lowering& lowering, uint32_t site, const llvm::CallInst& call);

/// Gives an entry that calls `kernel` a scope of its own, so that the lines of inlined code stay valid, and the builder
/// the kernel's line.
void inheritLines(llvm::Function& entry, const llvm::Function& kernel, llvm::IRBuilder<>& builder);

/// After optimisation: code that was inlined from the toolkit's headers is the line of the user that called it.
void liftToUserLines(llvm::Module& module);

/// Whether the emitted object will have lines to extract.
bool hasLines(const llvm::Module& module);

/// Moves the line table of the ELF object in `lowering.result` into the entry's own and drops its debug sections.
void extractLines(Lowering& lowering);

}  // namespace unwarp::simt
