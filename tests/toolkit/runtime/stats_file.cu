// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 64
// tiers: auto
// env: UNWARP_STATS=json:/dev/stderr UNWARP_DEVICE=gfx90a
// stdout: only this
// stderr: {"width":64,"device":"gfx90a","launches":3,"kernels":[{"name":"_Z4markPi","tier":"T0","launches":3,
//
// Statistics go to the file that is named; standard output is the program's alone.
#include "check.h"
__global__ void mark(int* out) { *out = 1; }
int main() {
  int* out = nullptr;
  OK(cudaMalloc(&out, 4));
  for (int i = 0; i < 3; ++i) mark<<<1, 1>>>(out);
  OK(cudaDeviceSynchronize());
  std::printf("only this\n");
  return failures;
}
