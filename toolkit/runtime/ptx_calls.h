// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the runtime that inline PTX needs (src/compiler/simt/ptx_*.cpp): roundings other than to nearest, the
// end of a thread in the middle of a function, and questions about the machine.
#pragma once

#include <cstdint>

#include "compiler/abi/abi.h"

namespace uw {

/// One operation on floats or doubles (`bits` says which, as their bits) in a rounding mode: 0 to zero, 1 down, 2 up.
/// Operations are those of `Directed` in src/compiler/simt/ptx_emission.h.
uint64_t ptxDirected(ThreadContext* context, uint32_t site, uint32_t operation, uint32_t mode, uint32_t bits,
                     uint64_t a, uint64_t b, uint64_t c);
void ptxExit(ThreadContext* context, uint32_t site);
void ptxBarrierArrive(ThreadContext* context, uint32_t site, uint32_t id, uint32_t threads);
/// Blocks are dealt to as many multiprocessors as the device properties name.
uint32_t ptxSmid(ThreadContext* context, uint32_t site);
uint32_t ptxNsmid(ThreadContext* context, uint32_t site);
uint32_t ptxIsLocal(ThreadContext* context, uint32_t site, const void* address);

}  // namespace uw
