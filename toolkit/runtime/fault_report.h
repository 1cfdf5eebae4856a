// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names a fault in device code: kernel, block, thread, and the source line where the code was compiled with line
// information. Lines come from the cache entry's own table (compiler/abi/line_table.h), without LLVM.
//
// A loop over threads keeps no note of which thread it is at: that would keep it from being vectorised. So after a
// fault a copy of this process (fork) runs the block once more with a fiber per thread and says which one faults; what
// the copy prints or writes is lost with it.
#pragma once

#include <string>

#include "runtime/failure.h"
#include "runtime/grid.h"

namespace uw {

/// "a.cu:12", or empty.
std::string placeOfAddress(const KernelCode& code, const void* instruction);
std::string placeOfSite(const KernelCode& code, uint32_t site);

/// One line on stderr. Called when the kernel has been left, on the worker that ran it.
void reportFault(const GridLaunch& launch, Fault fault);

}  // namespace uw
