// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled kernels on disk. Entries are written whole to a file of their own and renamed into place, so that processes
// which share the folder, or die while they write, never see a torn one; `decode` checks a sum besides.
#pragma once

#include <optional>
#include <string>

#include "compiler/abi/abi.h"
#include "compiler/abi/kernel_object.h"

namespace uw {

struct CompiledEntry {
  unwarp::abi::KernelObject object;
  bool cached = false;        // came from disk
  uint64_t microseconds = 0;  // spent here: loading or compiling
};

/// From the cache, else from the compiler library. `identity` names the device code (a hash of its bytes).
/// Nothing with `error` set when it cannot be compiled.
std::optional<CompiledEntry> compiledEntry(JitRequest request, const std::string& identity, std::string& error);

}  // namespace uw
