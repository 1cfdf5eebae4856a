// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// half and bfloat16 from and to float, double and integers, in all rounding modes, on both sides, against integers.
// All 65,536 codes of each format become floats and integers. Of the floats, those whose low 16 bits are one of ten
// patterns (655,360 of them) go the other way; with the argument `all`, which ctest does not give, all 2^32 do.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <vector>

#include "reference.cuh"

using namespace reference;

struct Half {
  typedef __half type;
  __host__ __device__ static Format format() { return halfFormat(); }
  __host__ __device__ static unsigned code(__half x) { return __half_as_ushort(x); }
  __host__ __device__ static __half make(unsigned code) { return __ushort_as_half(static_cast<unsigned short>(code)); }
  __host__ __device__ static float widen(__half x) { return __half2float(x); }
  __host__ __device__ static __half from(float x) { return __float2half(x); }
  __host__ __device__ static __half from(double x) { return __double2half(x); }
  __host__ __device__ static __half from(float x, Mode mode) {
    return mode == nearest ? __float2half_rn(x)
           : mode == zero  ? __float2half_rz(x)
           : mode == up    ? __float2half_ru(x)
                           : __float2half_rd(x);
  }
#define INTEGER(NAME, TYPE)                                                   \
  __host__ __device__ static __half fromInteger(TYPE x, Mode mode) {          \
    return mode == nearest ? __##NAME##2half_rn(x)                            \
           : mode == zero  ? __##NAME##2half_rz(x)                            \
           : mode == up    ? __##NAME##2half_ru(x)                            \
                           : __##NAME##2half_rd(x);                           \
  }                                                                           \
  __host__ __device__ static void toInteger(__half x, Mode mode, TYPE& out) { \
    out = mode == nearest ? __half2##NAME##_rn(x)                             \
          : mode == zero  ? __half2##NAME##_rz(x)                             \
          : mode == up    ? __half2##NAME##_ru(x)                             \
                          : __half2##NAME##_rd(x);                            \
  }
  INTEGER(short, short)
  INTEGER(ushort, unsigned short)
  INTEGER(int, int)
  INTEGER(uint, unsigned)
  INTEGER(ll, long long)
  INTEGER(ull, unsigned long long)
#undef INTEGER
};

struct Bfloat {
  typedef __nv_bfloat16 type;
  __host__ __device__ static Format format() { return bfloatFormat(); }
  __host__ __device__ static unsigned code(type x) { return __bfloat16_as_ushort(x); }
  __host__ __device__ static type make(unsigned code) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(code));
  }
  __host__ __device__ static float widen(type x) { return __bfloat162float(x); }
  __host__ __device__ static type from(float x) { return __float2bfloat16(x); }
  __host__ __device__ static type from(double x) { return __double2bfloat16(x); }
  __host__ __device__ static type from(float x, Mode mode) {
    return mode == nearest ? __float2bfloat16_rn(x)
           : mode == zero  ? __float2bfloat16_rz(x)
           : mode == up    ? __float2bfloat16_ru(x)
                           : __float2bfloat16_rd(x);
  }
#define INTEGER(NAME, TYPE)                                                 \
  __host__ __device__ static type fromInteger(TYPE x, Mode mode) {          \
    return mode == nearest ? __##NAME##2bfloat16_rn(x)                      \
           : mode == zero  ? __##NAME##2bfloat16_rz(x)                      \
           : mode == up    ? __##NAME##2bfloat16_ru(x)                      \
                           : __##NAME##2bfloat16_rd(x);                     \
  }                                                                         \
  __host__ __device__ static void toInteger(type x, Mode mode, TYPE& out) { \
    out = mode == nearest ? __bfloat162##NAME##_rn(x)                       \
          : mode == zero  ? __bfloat162##NAME##_rz(x)                       \
          : mode == up    ? __bfloat162##NAME##_ru(x)                       \
                          : __bfloat162##NAME##_rd(x);                      \
  }
  INTEGER(short, short)
  INTEGER(ushort, unsigned short)
  INTEGER(int, int)
  INTEGER(uint, unsigned)
  INTEGER(ll, long long)
  INTEGER(ull, unsigned long long)
#undef INTEGER
};

__host__ __device__ float asFloat(unsigned bits) {
  float x;
  __builtin_memcpy(&x, &bits, 4);
  return x;
}
__host__ __device__ unsigned asBits(float x) {
  unsigned bits;
  __builtin_memcpy(&bits, &x, 4);
  return bits;
}

template <class F>
__host__ __device__ int wrongFrom(unsigned bits) {
  float x = asFloat(bits);
  Number exact = decode(singleFormat(), bits);
  int wrong = F::code(F::from(x)) != encode(F::format(), exact, nearest);
  for (Mode mode : {nearest, zero, down, up}) wrong += F::code(F::from(x, mode)) != encode(F::format(), exact, mode);
  return wrong;
}

// Doubles a hair beside what floats and ties are: rounding to float first would go wrong.
template <class F>
__host__ __device__ int wrongFromDouble(unsigned code) {
  int wrong = 0;
  Number here = decode(F::format(), code);
  if (here.kind != ordinary) return 0;
  double x = F::widen(F::make(code)), next = F::widen(F::make(code + 1));
  for (double part : {0.0, 0.25, 0.5, 0.75}) {
    double base = x + (next - x) * part;
    for (double relative : {0.0, 0x1p-52, -0x1p-53, 0x1p-26, -0x1p-26}) {
      double value = base * (1 + relative);
      wrong += F::code(F::from(value)) != encode(F::format(), fromDouble(value), nearest);
    }
  }
  return wrong;
}

template <class F, class T>
__host__ __device__ int wrongIntegers(unsigned code, unsigned long long mixed) {
  int wrong = 0;
  const int bits = static_cast<int>(sizeof(T) * 8);
  const bool isSigned = static_cast<T>(-1) < static_cast<T>(0);
  for (Mode mode : {nearest, zero, down, up}) {
    T got;
    F::toInteger(F::make(code), mode, got);
    wrong += got != static_cast<T>(toInteger(decode(F::format(), code), bits, isSigned, mode));
    T value = static_cast<T>(mixed);
    wrong +=
        F::code(F::fromInteger(value, mode)) != encode(F::format(), fromInteger(static_cast<__int128>(value)), mode);
  }
  return wrong;
}

template <class F>
__host__ __device__ int wrongCode(unsigned code) {
  Number exact = decode(F::format(), code);
  unsigned bits = asBits(F::widen(F::make(code)));
  unsigned wanted = encode(singleFormat(), exact, nearest);
  int wrong = exact.kind == notANumber ? (bits & 0x7fffffffu) <= 0x7f800000u : bits != wanted;
  wrong += wrongFromDouble<F>(code);
  // An integer whose digits end anywhere: a tie, or just beside one.
  unsigned long long mixed = (code * 0x9e3779b97f4a7c15ull) >> (code % 61);
  if (code & 1) mixed = (static_cast<unsigned long long>(code | 0x8000u) << (code % 40)) + (code >> 5) % 3 - 1;
  if (code & 2) mixed = 0 - mixed;
  wrong += wrongIntegers<F, short>(code, mixed) + wrongIntegers<F, unsigned short>(code, mixed);
  wrong += wrongIntegers<F, int>(code, mixed) + wrongIntegers<F, unsigned>(code, mixed);
  wrong += wrongIntegers<F, long long>(code, mixed) + wrongIntegers<F, unsigned long long>(code, mixed);
  return wrong;
}

// `low` patterns of the 16 low bits, or all of them.
template <class F>
__host__ __device__ int wrongHigh(unsigned high, const unsigned* low, unsigned count) {
  int wrong = 0;
  for (unsigned i = 0; i < count; ++i) wrong += wrongFrom<F>(high << 16 | (low ? low[i] : i));
  return wrong;
}

template <class F>
__global__ void checkCodes(unsigned* wrong) {
  unsigned code = blockIdx.x * blockDim.x + threadIdx.x;
  int found = wrongCode<F>(code);
  if (found) atomicAdd(wrong, static_cast<unsigned>(found));
}
template <class F>
__global__ void checkFloats(unsigned* wrong, const unsigned* low, unsigned count) {
  int found = wrongHigh<F>(blockIdx.x * blockDim.x + threadIdx.x, low, count);
  if (found) atomicAdd(wrong, static_cast<unsigned>(found));
}

template <class F>
int check(const char* name, const unsigned* low, unsigned count) {
  unsigned* wrong;
  cudaMallocManaged(&wrong, 8);
  wrong[0] = wrong[1] = 0;
  checkCodes<F><<<512, 128>>>(&wrong[0]);
  checkFloats<F><<<512, 128>>>(&wrong[1], low, count);
  cudaDeviceSynchronize();
  cudaError_t error = cudaGetLastError();
  int host[2] = {0, 0};
  for (unsigned code = 0; code < 65536; code += low ? 31 : 1) host[0] += wrongCode<F>(code);
  for (unsigned high = 0; high < 65536; high += low ? 31 : 16) host[1] += wrongHigh<F>(high, low, count);
  printf("%s: wrong codes %u, wrong floats %u; on the host %d, %d (%s)\n", name, wrong[0], wrong[1], host[0], host[1],
         cudaGetErrorString(error));
  return error || wrong[0] || wrong[1] || host[0] || host[1];
}

int main(int argc, char**) {
  const unsigned patterns[] = {0, 1, 0x0fff, 0x1000, 0x1001, 0x3000, 0x7fff, 0x8000, 0x8001, 0xffff};
  unsigned* low = nullptr;
  unsigned count = 65536;
  if (argc == 1) {
    count = 10;
    cudaMallocManaged(&low, sizeof patterns);
    memcpy(low, patterns, sizeof patterns);
  }
  return check<Half>("half", low, count) | check<Bfloat>("bfloat16", low, count);
}
