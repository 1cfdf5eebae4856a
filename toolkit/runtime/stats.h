// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What UNWARP_STATS prints at the end of a run: launches, tiers, compile times, and every call that is not implemented.
#pragma once

#include <string>

#include "runtime/device_module.h"

namespace uw {

void recordLaunch(const std::string& kernel, const KernelCode& code);
/// Names a call once on stderr and counts it. Returns nothing: the caller returns its "not supported" code.
void recordUnimplemented(const char* name);

}  // namespace uw
