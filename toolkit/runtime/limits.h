// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch may ask for on the device profile in use: CUDA Programming Guide, "Compute Capabilities", for sm
// targets, what HIP reports for gfx targets. Properties, attributes, launch checks and occupancy all read this one
// table.
#pragma once

#include <cstddef>
#include <cstdint>

namespace uw {

struct DeviceLimits {
  uint32_t blockThreads = 1024;
  uint32_t blockDim[3] = {1024, 1024, 64};
  uint32_t gridDim[3] = {0x7fffffff, 65535, 65535};
  size_t sharedBytes = 48 * 1024;       // per block without asking
  size_t sharedOptInBytes = 48 * 1024;  // per block with cudaFuncSetAttribute
  size_t sharedReservedBytes = 0;       // per block, taken by the system
  size_t processorSharedBytes = 0;
  uint32_t processorThreads = 2048;
  uint32_t processorBlocks = 32;
  uint32_t processors = 1;
};

const DeviceLimits& deviceLimits();

/// Blocks of this shape that a processor holds at once.
uint32_t residentBlocks(uint32_t threads, size_t sharedBytes);

}  // namespace uw
