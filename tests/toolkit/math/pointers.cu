// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -O1
// widths: 32
//
// Mathematical functions as values: through pointers, templates and lambdas, in relocatable device code.
#include <cmath>

#include "check.h"

using Function = float (*)(float);
__device__ Function table[] = {sinf, cosf, tanhf, rsqrtf, erfinvf};

template <float (*F)(float)>
__device__ float apply(float x) {
  return F(x);
}
template <class F>
__host__ __device__ double twice(F f, double x) {
  return f(f(x));
}
struct Normal {
  __host__ __device__ double operator()(double x) const { return normcdf(x) + std::sqrt(x); }
};

__global__ void all(float* f, double* d, float x) {
  if (threadIdx.x < 5) f[threadIdx.x] = table[threadIdx.x](x);
  if (threadIdx.x == 5) f[5] = apply<expf>(x);
  if (threadIdx.x == 6) d[0] = twice(Normal(), x);
  if (threadIdx.x == 7) d[1] = twice([](double v) { return rcbrt(v); }, x);
}

int main() {
  float* f = shared<float>(8);
  double* d = shared<double>(2);
  float x = 0.5f;
  all<<<1, 32>>>(f, d, x);
  cudaDeviceSynchronize();
  float wanted[] = {sinf(x), cosf(x), tanhf(x), rsqrtf(x), erfinvf(x), expf(x)};
  for (int i = 0; i < 6; ++i) expect("function", f[i], wanted[i], i);
  expect("functor", d[0], twice(Normal(), x));
  expect("lambda", d[1], twice([](double v) { return rcbrt(v); }, x));
  return finish();
}
