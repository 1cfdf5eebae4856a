// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules N06 and N07: number formats that a GPU lacks or has in a dialect of its own.
#pragma once

#include "audit/rules/detector.h"

namespace unwarp::audit {

void detectFp8Dialect(const scan::SourceFacts& facts, Hits& hits);
void detectReducedPrecision(const scan::SourceFacts& facts, Hits& hits);

}  // namespace unwarp::audit
