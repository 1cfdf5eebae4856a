// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cache entry: what the compiler library returns and the disk cache keeps. Either the shared part of a device module
// (its variables, the functions whose address is taken, and a record of every kernel) or one specialised kernel. The
// code is an ELF relocatable object of this CPU, so that a cached kernel loads without LLVM (toolkit/runtime/loader).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/abi/line_table.h"

namespace unwarp::abi {

struct KernelParameter {
  uint64_t offset = 0;  // in the argument buffer
  uint64_t sizeBytes = 0;
};

/// What is known of a kernel without compiling it.
struct KernelRecord {
  std::string name;  // mangled
  std::vector<KernelParameter> parameters;
  uint64_t argumentBytes = 0;
  uint64_t staticSharedBytes = 0;
  uint64_t maxThreads = 0;  // from __launch_bounds__; 0: no bound
  uint64_t minBlocks = 0;
  bool synchronises = false;  // its threads meet
  bool needsFibers = false;   // and not only where the kernel itself can be cut into regions (T1)
  bool gridSync = false;
};

struct VariableRecord {
  std::string name;
  uint64_t sizeBytes = 0;
  bool constant = false;  // __constant__
};

struct KernelObject {
  std::vector<KernelRecord> kernels;      // module part only
  std::vector<VariableRecord> variables;  // module part only
  uint64_t compileMicroseconds = 0;
  std::string object;  // ELF64 ET_REL; empty when nothing needed code
  LineTable lines;     // empty without line information
};

std::string encode(const KernelObject& entry);
/// Nothing for a torn, foreign or older entry.
std::optional<KernelObject> decode(std::string_view bytes);

}  // namespace unwarp::abi
