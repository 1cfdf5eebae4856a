// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 32
// tiers: auto
// env: UNWARP_DEVICES=two
// status: 2
// stderr: UNWARP_DEVICES='two' is not known: use a number from 1 to 16
//
// A setting that is not understood ends the run before anything is computed.
#include "check.h"
int main() {
  cudaFree(0);
  return 0;
}
