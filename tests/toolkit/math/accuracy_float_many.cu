// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++20 -O1
// widths: 32
// tiers: auto
//
// Float functions of several arguments on 4,000 drawn ones each.
#define UW_MEASURE_FLOAT_MANY
#include "measure.h"

int main() {
  return ulp::countAbove(ulp::measureFloatMany(4000));
}
