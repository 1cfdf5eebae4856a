// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SIMT code for one CPU: the passes in the order in which `jit.cpp` runs them. Input is clang's nvptx64 bitcode without
// LLVM optimisation, output one LLVM module for this CPU whose entries the runtime calls. Each pass is one function
// over a module; each refuses what it cannot lower by setting `error`, never by emitting something else.
#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/abi/abi.h"
#include "compiler/abi/kernel_object.h"

namespace unwarp::simt {

/// LLVM's address space of shared memory in nvptx code.
constexpr unsigned kSharedSpace = 3;

/// Local memory that CUDA allows each thread; stacks are made for that (toolkit/runtime/grid.h), and a larger frame
/// would overwrite the neighbour's.
constexpr uint64_t kMostLocalBytes = 512 * 1024;

struct Lowering {
  std::unique_ptr<llvm::Module> module;
  uw::JitRequest request{};
  abi::KernelObject result;
  /// Names of functions whose address the device code takes: compiled once, in the shared part, so that a pointer
  /// stored by one kernel can be called by another.
  std::vector<std::string> addressTaken;
  /// The kernel shares memory and never synchronises: it can only mean lanes that run together (set by `classify`).
  bool warpSynchronous = false;
  /// Names of `__managed__` variables, whose memory is the host's.
  std::set<std::string> managed;
  std::string error;

  bool failed() const { return !error.empty(); }
  void fail(std::string message) {
    if (error.empty()) error = std::move(message);
  }
  bool isSharedPart() const { return request.kernel == nullptr; }
  bool isManagedValues() const { return request.kernel && request.kernel == std::string(uw::kManagedValues); }
};

/// Parses and links the request's modules. Two strong definitions of one name can only be `static` variables of two
/// files that clang made visible: each keeps its own.
void loadModules(Lowering& lowering, llvm::LLVMContext& context);

/// Turns nvptx attributes, calling conventions, triple and layout into this CPU's. Fills `result.kernels` with names,
/// parameters and bounds.
void retarget(Lowering& lowering);

/// Gives shifts, divisions and conversions the meaning that GPUs give them where C++ has none.
void defineArithmetic(Lowering& lowering);

/// Replaces inline PTX by IR. Needs: nothing lowered yet. Gives: no inline assembly but empty compiler fences.
void translateInlinePtx(Lowering& lowering);

/// Replaces the nvptx intrinsics that clang's own built-ins become by `__uw_` calls; any other one is an error.
void translateNvvm(Lowering& lowering);

/// Drops what the request does not reach and promotes locals to registers, so that later passes see values instead of
/// stack slots. Fills `addressTaken`.
void normalise(Lowering& lowering);

/// Inlines the wrappers of meeting points, so that each meeting of the source has a site of its own. Needs: calls of
/// `__uw_` functions by name. Part of `normalise`.
void inlineMeetings(Lowering& lowering);

/// Says per kernel whether its threads meet (barriers, warp operations, waiting loops), so that loops over threads
/// would be wrong. Needs: calls of `__uw_` functions still by name.
void classify(Lowering& lowering);

/// T1 and T3: convergence around volatile stores and the like. T3 only: progress points in loops that observe other
/// threads, and, where lanes have no progress of their own, the meeting of a warp's lanes behind a loop that waits.
void insertProgress(Lowering& lowering);

/// Folds what threads read of each other into the context, so that progress points can tell waiting from working.
/// Needs: contexts. T3 only.
void recordObservations(Lowering& lowering);

/// Gives every device function the thread's context as last parameter, at definitions and at calls through pointers.
void threadContext(Lowering& lowering);

/// Lowers shared variables to offsets in the block's memory, device variables to symbols of the shared part.
void lowerStorage(Lowering& lowering);

/// Leaves nothing but the managed variables with their first values (abi.h: kManagedValues).
void keepManagedValues(Lowering& lowering);

/// Turns `__uw_` calls into loads of the context or calls of the runtime.
void lowerIntrinsics(Lowering& lowering);

/// Makes the entry points of abi.h for the requested kernel and drops what they do not reach.
void makeEntries(Lowering& lowering);

/// Optimises for this CPU and writes the object.
void emitObject(Lowering& lowering);

/// Fails because a function's local variables are larger than `kMostLocalBytes`.
void refuseLocalBytes(Lowering& lowering, uint64_t bytes, llvm::StringRef function);

/// The context parameter of a function after `threadContext`.
llvm::Value* contextOf(llvm::Function& function);

/// True for `__uw_` functions at which threads wait for each other.
bool isMeetingPoint(llvm::StringRef name);

/// True for those among them at which a kernel can be cut into regions (T1).
bool isRegionEnd(llvm::StringRef name);

/// T1 only: cuts the requested kernel at its meetings and makes its entry. Needs: everything lowered.
void makeRegionEntry(Lowering& lowering, llvm::Function& kernel, const abi::KernelRecord& record);

}  // namespace unwarp::simt
