// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic and comparison of half and bfloat16, alone and in pairs: all pairs of 120 interesting values, with 12
// third operands for fused multiply-adds, on both sides, against exact integers rounded once.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "reference.cuh"

using namespace reference;

struct Half {
  typedef __half type;
  typedef __half2 pair;
  __host__ __device__ static Format format() { return halfFormat(); }
  __host__ __device__ static unsigned code(type x) { return __half_as_ushort(x); }
  __host__ __device__ static type make(unsigned code) { return __ushort_as_half(static_cast<unsigned short>(code)); }
  __host__ __device__ static type low(pair x) { return __low2half(x); }
  __host__ __device__ static type high(pair x) { return __high2half(x); }
  __host__ __device__ static pair join(type x, type y) { return __halves2half2(x, y); }
};
struct Bfloat {
  typedef __nv_bfloat16 type;
  typedef __nv_bfloat162 pair;
  __host__ __device__ static Format format() { return bfloatFormat(); }
  __host__ __device__ static unsigned code(type x) { return __bfloat16_as_ushort(x); }
  __host__ __device__ static type make(unsigned code) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(code));
  }
  __host__ __device__ static type low(pair x) { return __low2bfloat16(x); }
  __host__ __device__ static type high(pair x) { return __high2bfloat16(x); }
  __host__ __device__ static pair join(type x, type y) { return __halves2bfloat162(x, y); }
};

BOTH bool isNanCode(const Format& f, unsigned code) {
  return (code & 0x7fff) > static_cast<unsigned>(f.infinite);
}
// As a number on a line: codes in order of value, -0 just below +0.
BOTH int onLine(unsigned code) {
  return code & 0x8000 ? -1 - static_cast<int>(code & 0x7fff) : static_cast<int>(code);
}

BOTH unsigned saturated(const Format& f, unsigned code) {
  unsigned one = ((1u << (f.exponentBits - 1)) - 1) << f.fractionBits;
  return code & 0x8000 || isNanCode(f, code) ? 0 : code > one ? one : code;
}
BOTH unsigned rectified(const Format& f, unsigned code) {
  return !isNanCode(f, code) && code & 0x8000 ? 0 : code;
}

// Counts differences; the pair form must give the same in both places.
#define SAME(GOT, WANTED) wrong += F::code(GOT) != static_cast<unsigned>(WANTED)
#define SAME2(NAME, WANTED)                                                  \
  {                                                                          \
    typename F::pair both = NAME(join(a, b), join(b, a));                    \
    wrong += F::code(F::low(both)) != static_cast<unsigned>(WANTED(x, y)) || \
             F::code(F::high(both)) != static_cast<unsigned>(WANTED(y, x));  \
  }

template <class F>
__host__ __device__ int wrongArithmetic(unsigned x, unsigned y) {
  typedef typename F::type T;
  T a = F::make(x), b = F::make(y);
  Format f = F::format();
  auto join = [](T low, T high) { return F::join(low, high); };
  auto add = [&](unsigned p, unsigned q) { return encode(f, plus(decode(f, p), decode(f, q)), nearest); };
  auto sub = [&](unsigned p, unsigned q) { return encode(f, plus(decode(f, p), minus(decode(f, q))), nearest); };
  auto mul = [&](unsigned p, unsigned q) { return encode(f, times(decode(f, p), decode(f, q)), nearest); };
  auto div = [&](unsigned p, unsigned q) { return encode(f, dividedBy(decode(f, p), decode(f, q)), nearest); };
  int wrong = 0;
  SAME(__hadd(a, b), add(x, y));
  SAME(__hadd_rn(a, b), add(x, y));
  SAME(a + b, add(x, y));
  SAME(__hsub(a, b), sub(x, y));
  SAME(__hsub_rn(a, b), sub(x, y));
  SAME(a - b, sub(x, y));
  SAME(__hmul(a, b), mul(x, y));
  SAME(__hmul_rn(a, b), mul(x, y));
  SAME(a * b, mul(x, y));
  SAME(__hdiv(a, b), div(x, y));
  SAME(a / b, div(x, y));
  SAME(__hadd_sat(a, b), saturated(f, add(x, y)));
  SAME(__hsub_sat(a, b), saturated(f, sub(x, y)));
  SAME(__hmul_sat(a, b), saturated(f, mul(x, y)));
  SAME2(__hadd2, add)
  SAME2(__hadd2_rn, add)
  SAME2(__hsub2, sub)
  SAME2(__hsub2_rn, sub)
  SAME2(__hmul2, mul)
  SAME2(__hmul2_rn, mul)
  SAME2(__h2div, div)
  auto addSat = [&](unsigned p, unsigned q) { return saturated(f, add(p, q)); };
  auto subSat = [&](unsigned p, unsigned q) { return saturated(f, sub(p, q)); };
  auto mulSat = [&](unsigned p, unsigned q) { return saturated(f, mul(p, q)); };
  SAME2(__hadd2_sat, addSat)
  SAME2(__hsub2_sat, subSat)
  SAME2(__hmul2_sat, mulSat)
  return wrong;
}

template <class F>
__host__ __device__ int wrongExtremes(unsigned x, unsigned y) {
  typedef typename F::type T;
  T a = F::make(x), b = F::make(y);
  Format f = F::format();
  auto join = [](T low, T high) { return F::join(low, high); };
  auto max = [&](unsigned p, unsigned q) -> unsigned {
    if (isNanCode(f, p)) return isNanCode(f, q) ? 0x7fff : q;
    return isNanCode(f, q) || onLine(p) > onLine(q) ? p : q;
  };
  auto min = [&](unsigned p, unsigned q) -> unsigned {
    if (isNanCode(f, p)) return isNanCode(f, q) ? 0x7fff : q;
    return isNanCode(f, q) || onLine(p) < onLine(q) ? p : q;
  };
  auto maxNan = [&](unsigned p, unsigned q) { return isNanCode(f, p) || isNanCode(f, q) ? 0x7fff : max(p, q); };
  auto minNan = [&](unsigned p, unsigned q) { return isNanCode(f, p) || isNanCode(f, q) ? 0x7fff : min(p, q); };
  int wrong = 0;
  SAME(__hmax(a, b), max(x, y));
  SAME(__hmin(a, b), min(x, y));
  SAME(__hmax_nan(a, b), maxNan(x, y));
  SAME(__hmin_nan(a, b), minNan(x, y));
  SAME2(__hmax2, max)
  SAME2(__hmin2, min)
  SAME2(__hmax2_nan, maxNan)
  SAME2(__hmin2_nan, minNan)
  SAME(__habs(a), x & 0x7fff);
  SAME(__hneg(a), x ^ 0x8000);
  SAME(-a, x ^ 0x8000);
  SAME(+a, x);
  wrong +=
      F::code(F::high(__habs2(join(a, b)))) != (y & 0x7fff) || F::code(F::low(__hneg2(join(a, b)))) != (x ^ 0x8000);
  wrong += __hisnan(a) != isNanCode(f, x);
  int infinite = (x & 0x7fff) != static_cast<unsigned>(f.infinite) ? 0 : x & 0x8000 ? -1 : 1;
  wrong += __hisinf(a) != infinite;
  T one = F::make(((1u << (f.exponentBits - 1)) - 1) << f.fractionBits);
  wrong += F::code(F::low(__hisnan2(join(a, b)))) != (isNanCode(f, x) ? F::code(one) : 0);
  T up = a, down = a;
  wrong += F::code(up++) != x || F::code(up) != F::code(__hadd(a, one));
  wrong += F::code(--down) != F::code(__hsub(a, one));
  return wrong;
}

#define COMPARE(NAME, ORDERED)                                                                          \
  {                                                                                                     \
    bool ordered = !nan && (ORDERED), unordered = nan || (ORDERED);                                     \
    wrong += __h##NAME(a, b) != ordered || __h##NAME##u(a, b) != unordered;                             \
    wrong += __hb##NAME##2(join(a, a), join(b, b)) != ordered;                                          \
    wrong += __hb##NAME##u2(join(a, one), join(b, one)) != (unordered && __h##NAME##u(one, one));       \
    wrong += __h##NAME##2_mask(join(a, one), join(b, one)) !=                                           \
             ((ordered ? 0xffffu : 0u) | (__h##NAME(one, one) ? 0xffff0000u : 0u));                     \
    wrong += __h##NAME##u2_mask(join(one, a), join(one, b)) !=                                          \
             ((unordered ? 0xffff0000u : 0u) | (__h##NAME##u(one, one) ? 0xffffu : 0u));                \
    wrong += F::code(F::low(__h##NAME##2(join(a, a), join(b, b)))) != (ordered ? F::code(one) : 0);     \
    wrong += F::code(F::high(__h##NAME##u2(join(a, a), join(b, b)))) != (unordered ? F::code(one) : 0); \
  }

template <class F>
__host__ __device__ int wrongComparisons(unsigned x, unsigned y) {
  typedef typename F::type T;
  T a = F::make(x), b = F::make(y);
  Format f = F::format();
  T one = F::make(((1u << (f.exponentBits - 1)) - 1) << f.fractionBits);
  auto join = [](T low, T high) { return F::join(low, high); };
  bool nan = isNanCode(f, x) || isNanCode(f, y);
  bool zeros = ((x | y) & 0x7fff) == 0;
  int p = zeros ? 0 : onLine(x), q = zeros ? 0 : onLine(y);
  int wrong = 0;
  COMPARE(eq, p == q)
  COMPARE(ne, p != q)
  COMPARE(lt, p < q)
  COMPARE(le, p <= q)
  COMPARE(gt, p > q)
  COMPARE(ge, p >= q)
  wrong += (a == b) != (!nan && p == q) || (a != b) != (nan || p != q) || (a < b) != (!nan && p < q);
  wrong += (a <= b) != (!nan && p <= q) || (a > b) != (!nan && p > q) || (a >= b) != (!nan && p >= q);
  wrong += (join(a, one) == join(b, one)) != (!nan && p == q) || (join(one, a) <= join(one, b)) != (!nan && p <= q);
  return wrong;
}

template <class F>
__host__ __device__ int wrongFused(unsigned x, unsigned y, unsigned z) {
  typedef typename F::type T;
  Format f = F::format();
  T a = F::make(x), b = F::make(y), c = F::make(z);
  unsigned exact = encode(f, plus(times(decode(f, x), decode(f, y)), decode(f, z)), nearest);
  int wrong = 0;
  SAME(__hfma(a, b, c), exact);
  SAME(__hfma_sat(a, b, c), saturated(f, exact));
  SAME(__hfma_relu(a, b, c), rectified(f, exact));
  typename F::pair two = __hfma2(F::join(a, b), F::join(b, a), F::join(c, c));
  wrong += F::code(F::low(two)) != exact || F::code(F::high(two)) != exact;
  two = __hfma2_relu(F::join(a, b), F::join(b, a), F::join(c, c));
  wrong += F::code(F::low(two)) != rectified(f, exact) || F::code(F::high(two)) != rectified(f, exact);
  two = __hfma2_sat(F::join(a, b), F::join(b, a), F::join(c, c));
  wrong += F::code(F::low(two)) != saturated(f, exact) || F::code(F::high(two)) != saturated(f, exact);
  return wrong;
}

const int kValues = 120;

template <class F>
__host__ __device__ int wrongPair(const unsigned* values, int i, int j) {
  unsigned x = values[i], y = values[j];
  int wrong = wrongArithmetic<F>(x, y) + wrongExtremes<F>(x, y) + wrongComparisons<F>(x, y);
  for (int k = 0; k < 12; ++k) wrong += wrongFused<F>(x, y, values[(i * 7 + j * 13 + k * 31) % kValues]);
  return wrong;
}

template <class F>
__global__ void check(const unsigned* values, unsigned* wrong) {
  int found = wrongPair<F>(values, blockIdx.x, threadIdx.x);
  if (found) atomicAdd(wrong, static_cast<unsigned>(found));
}

template <class F>
__global__ void checkAll(unsigned* wrong) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, found = 0;
  Format f = F::format();
  Number a = decode(f, x);
  for (unsigned y = 0; y < 65536; ++y) {
    Number b = decode(f, y);
    found += F::code(__hadd(F::make(x), F::make(y))) != encode(f, plus(a, b), nearest);
    found += F::code(__hmul(F::make(x), F::make(y))) != encode(f, times(a, b), nearest);
    found += F::code(__hdiv(F::make(x), F::make(y))) != encode(f, dividedBy(a, b), nearest);
  }
  if (found) atomicAdd(wrong, found);
}

template <class F>
int compare(const char* name, bool all) {
  unsigned* values;
  cudaMallocManaged(&values, (kValues + 1) * sizeof(unsigned));
  int count = 0;
  interesting(F::format(), kValues, [&](int code) { values[count++] = code & 0xffff; });
  unsigned* wrong = values + kValues;
  *wrong = 0;
  check<F><<<kValues, kValues>>>(values, wrong);
  if (all) checkAll<F><<<512, 128>>>(wrong);
  cudaDeviceSynchronize();
  cudaError_t error = cudaGetLastError();
  int host = 0;
  for (int i = 0; i < kValues; ++i) {
    for (int j = i % 7; j < kValues; j += 7) host += wrongPair<F>(values, i, j);
  }
  printf("%s: %u wrong, on the host %d (%s)\n", name, *wrong, host, cudaGetErrorString(error));
  return error || *wrong || host;
}

int main(int argc, char**) {
  return compare<Half>("half", argc > 1) | compare<Bfloat>("bfloat16", argc > 1);
}
