// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions of half and bfloat16 for all 65,536 codes of each, on both sides: roundings, square root and
// reciprocal are the nearest numbers, the others are within one place of what the C library's double function gives.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>

struct Half {
  typedef __half type;
  typedef __half2 pair;
  __host__ __device__ static type make(unsigned code) { return __ushort_as_half(static_cast<unsigned short>(code)); }
  __host__ __device__ static unsigned code(type x) { return __half_as_ushort(x); }
  __host__ __device__ static double widen(type x) { return __half2float(x); }
  __host__ __device__ static type from(double x) { return __double2half(x); }
};
struct Bfloat {
  typedef __nv_bfloat16 type;
  typedef __nv_bfloat162 pair;
  __host__ __device__ static type make(unsigned code) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(code));
  }
  __host__ __device__ static unsigned code(type x) { return __bfloat16_as_ushort(x); }
  __host__ __device__ static double widen(type x) { return __bfloat162float(x); }
  __host__ __device__ static type from(double x) { return __double2bfloat16(x); }
};

#define FUNCTIONS(ONE)                                                                                                 \
  ONE(ceil, 0)                                                                                                         \
  ONE(floor, 0)                                                                                                        \
  ONE(rint, 0) ONE(trunc, 0) ONE(sqrt, 0) ONE(rcp, 0) ONE(rsqrt, 0) ONE(exp, 1) ONE(exp2, 1) ONE(exp10, 1) ONE(log, 1) \
      ONE(log2, 1) ONE(log10, 1) ONE(sin, 1) ONE(cos, 1) ONE(tanh, 1) ONE(tanh_approx, 1)

double rcp(double x) {
  return 1 / x;
}
double rsqrtOf(double x) {
  return 1 / std::sqrt(x);
}
double exp10Of(double x) {
  return std::pow(10.0, x);
}
#define rsqrt rsqrtOf
#define exp10 exp10Of
#define tanh_approx tanh
double (*const exactFunctions[])(double) = {ceil,  floor, rint, trunc, sqrt, rcp, rsqrt, exp,        exp2,
                                            exp10, log,   log2, log10, sin,  cos, tanh,  tanh_approx};
#undef rsqrt
#undef exp10
#undef tanh_approx
#define NAME(name, places) #name,
const char* const names[] = {FUNCTIONS(NAME)};
#define PLACES(name, places) places,
const int allowed[] = {FUNCTIONS(PLACES)};
const int kFunctions = sizeof allowed / sizeof allowed[0];

// All functions of one code; the pair form must agree with the single one.
template <class F>
__host__ __device__ bool results(unsigned code, unsigned short* out) {
  typename F::type x = F::make(code);
  typename F::pair both(x, x);
  bool pairsAgree = true;
  int i = 0;
#define RESULT(name, places)                                                                \
  out[i] = static_cast<unsigned short>(F::code(h##name(x)));                                \
  pairsAgree &= F::code(h2##name(both).x) == out[i] && F::code(h2##name(both).y) == out[i]; \
  ++i;
  FUNCTIONS(RESULT)
  return pairsAgree;
}

template <class F>
__global__ void compute(unsigned short* out, unsigned* disagree) {
  unsigned code = blockIdx.x * blockDim.x + threadIdx.x;
  if (!results<F>(code, out + code * kFunctions)) atomicAdd(disagree, 1u);
}

int line(unsigned code) {
  return code & 0x8000 ? -static_cast<int>(code & 0x7fff) : static_cast<int>(code);
}

template <class F>
int compare(const char* format) {
  unsigned short* out;
  unsigned* disagree;
  cudaMallocManaged(&out, 65536 * kFunctions * sizeof *out);
  cudaMallocManaged(&disagree, 4);
  *disagree = 0;
  compute<F><<<512, 128>>>(out, disagree);
  cudaDeviceSynchronize();
  cudaError_t error = cudaGetLastError();
  int wrong = 0;
  for (unsigned code = 0; code < 65536; ++code) {
    unsigned short host[kFunctions];
    bool checkHost = code % 5 == 0;
    if (checkHost && !results<F>(code, host)) ++wrong;
    for (int i = 0; i < kFunctions; ++i) {
      double exact = exactFunctions[i](F::widen(F::make(code)));
      unsigned wanted = F::code(F::from(exact));
      for (unsigned got :
           {static_cast<unsigned>(out[code * kFunctions + i]), static_cast<unsigned>(checkHost ? host[i] : wanted)}) {
        bool good = std::isnan(exact) ? got == 0x7fff : std::abs(line(got) - line(wanted)) <= allowed[i];
        if (good) continue;
        if (++wrong < 10) printf("%s h%s(%04x) is %04x, not %04x\n", format, names[i], code, got, wanted);
      }
    }
  }
  printf("%s: %d wrong, %u pairs disagree (%s)\n", format, wrong, *disagree, cudaGetErrorString(error));
  return error || wrong || *disagree;
}

int main() {
  return compare<Half>("half") | compare<Bfloat>("bfloat16");
}
