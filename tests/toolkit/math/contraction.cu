// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -O3 -fmad=true
//
// With contraction on, as is the default, `_rn` intrinsics stay single operations, alone or beside plain ones.
#include "check.h"

__global__ void all(const float* f, const double* d, float* rf, double* rd) {
  // a a = 1 + 2^-22 + 2^-46; the last term is lost when the product is rounded, and seen when it is fused.
  float a = f[threadIdx.x], b = f[threadIdx.x + 32];
  rf[3 * threadIdx.x] = __fmul_rn(a, a) - b;
  rf[3 * threadIdx.x + 1] = __fadd_rn(a * a, -b);
  rf[3 * threadIdx.x + 2] = __fsub_rn(__fmul_rn(a, a), b);
  double x = d[threadIdx.x], y = d[threadIdx.x + 32];
  rd[3 * threadIdx.x] = __dmul_rn(x, x) - y;
  rd[3 * threadIdx.x + 1] = __dadd_rn(x * x, -y);
  rd[3 * threadIdx.x + 2] = __dsub_rn(__dmul_rn(x, x), y);
}
__global__ void fused(const float* f, const double* d, float* rf, double* rd) {
  rf[threadIdx.x] = __fmaf_rn(f[0], f[0], -f[32]);
  rd[threadIdx.x] = __fma_rn(d[0], d[0], -d[32]);
}

int main() {
  float *f = shared<float>(64), *rf = shared<float>(96);
  double *d = shared<double>(64), *rd = shared<double>(96);
  for (int i = 0; i < 32; ++i) f[i] = 1 + 0x1p-23f, f[i + 32] = 1 + 0x1p-22f, d[i] = 1 + 0x1p-52, d[i + 32] = 1 + 0x1p-51;
  all<<<1, 32>>>(f, d, rf, rd);
  cudaDeviceSynchronize();
  for (int i = 0; i < 96; ++i) expect("float", rf[i], 0.0f, i), expect("double", rd[i], 0.0, i);
  fused<<<1, 32>>>(f, d, rf, rd);
  cudaDeviceSynchronize();
  expect("__fmaf_rn", rf[0], 0x1p-46f);
  expect("__fma_rn", rd[0], 0x1p-104);
  return finish();
}
