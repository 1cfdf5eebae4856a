// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one launch: hands its blocks to the worker threads in ascending order and returns when all are done. Ascending
// hand-out is what makes programs right in which a block waits for an earlier one; blocks that only wait are set aside
// while others run, so that software barriers over the grid complete too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/abi/abi.h"
#include "runtime/device_module.h"

namespace uw {

/// CUDA allows 512 KB of local memory for each thread; what is not touched costs nothing.
constexpr uint64_t kFiberStackBytes = 640 * 1024;

struct Fault;

struct GridLaunch {
  const KernelCode* code = nullptr;
  const unwarp::abi::KernelRecord* kernel = nullptr;
  DeviceModule* module = nullptr;
  int device = 0;
  std::vector<char> arguments;
  uint32_t gridDim[3] = {1, 1, 1};
  uint32_t blockDim[3] = {1, 1, 1};
  uint32_t width = 32;
  uint64_t dynamicSharedBytes = 0;
  uint64_t stackBytes = kFiberStackBytes;
  std::optional<uint64_t> onlyBlock;  // runs this block alone, on the calling thread
  Fault* witness = nullptr;           // takes a fault in place of the report

  uint64_t blocks() const { return uint64_t{gridDim[0]} * gridDim[1] * gridDim[2]; }
};

/// Runs the grid to its end on the calling thread and the pool. Returns 0 or the cudaError of a fault in device code.
int runGrid(const GridLaunch& launch);

}  // namespace uw
