// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++20 -O1
// widths: 32
// tiers: auto
//
// Double functions on 1,500 drawn arguments each, judged by 128-bit values.
#define UW_MEASURE_DOUBLE
#include "measure.h"

int main() {
  return ulp::countAbove(ulp::measureDouble(1500));
}
