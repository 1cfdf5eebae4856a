// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before a kernel is cut into regions (T1): loops around meetings with a few rounds known here, such as the halving
// steps of a reduction, are written out. Behind each meeting then comes a region of its own: straight code whose
// shifts, guards and next meeting are constants, where the loop's one region had to ask each thread every time.
#pragma once

#include <llvm/IR/Function.h>

#include "compiler/simt/lowering.h"

namespace unwarp::simt {

/// Meetings keep the numbers they have, so that copies of one are still one place to the runtime's rules (T3).
void writeOutMeetingLoops(const Lowering& lowering, llvm::Function& kernel);

}  // namespace unwarp::simt
