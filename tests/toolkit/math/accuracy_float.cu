// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++20 -O1
// widths: 32
// tiers: auto
//
// Float functions of one argument on every 262,147th bit pattern: none is further from the correctly rounded result
// than CUDA publishes. bench/math_ulp.cu tries all of them.
#define UW_MEASURE_FLOAT_ONE
#include "measure.h"

int main() {
  return ulp::countAbove(ulp::measureFloatOne(262147));
}
