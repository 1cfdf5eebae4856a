// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in memory, as PTX's mbarrier: a phase ends when all expected arrivals and all expected bytes have come. CUDA
// leaves the 64 bits opaque; here, from the lowest: 20 bits expected arrivals, 20 bits that are still to come, 22 bits
// of bytes to come (signed: they may arrive before they are expected), one unused, one for the phase.
#pragma once

#include <cstdint>

#include "compiler/abi/abi.h"

namespace uw {

void mbarrierInit(ThreadContext* context, uint32_t site, uint64_t* barrier, uint32_t count);
/// Gives the state before; its highest bit names the phase that the arrival belongs to.
uint64_t mbarrierArrive(ThreadContext* context, uint32_t site, uint64_t* barrier, uint32_t count, int32_t bytes,
                        uint32_t drop);
/// Whether the phase with this parity has ended. Gives way to other threads when it has not, since programs call it in
/// loops.
uint32_t mbarrierTest(ThreadContext* context, uint32_t site, uint64_t* barrier, uint32_t phase);
uint32_t mbarrierPending(ThreadContext* context, uint32_t site, uint64_t state);

}  // namespace uw
