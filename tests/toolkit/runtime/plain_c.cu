// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: {dir}/from_c.c {dir}/from_cpp.cc
// widths: 32
// tiers: auto
//
// The API from plain C and from C++ that is no CUDA.
#include "check.h"
extern "C" int fromC(void);
int fromCpp();
int main() {
  EXPECT(fromC() == 0);
  EXPECT(fromCpp() == 0);
  return failures;
}
