// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++20 -O1
// widths: 32
//
// Rounded arithmetic against its definition: the result towards -infinity is the largest number that is not above the
// exact value, and so on. 128-bit arithmetic is exact enough to decide, since operands have at most 53 bits and a bounded
// spread of exponents. Overflow, subnormals and __frsqrt_rn on a part of the significands of two binades come on top.
#include <cmath>
#include <limits>

#include "check.h"

using Wide = __float128;
extern "C" Wide sqrtf128(Wide) noexcept;

constexpr int kOperations = 6, kModes = 4, kCount = 4000;

#define MODE(type, letter, fused, mode, slot)                                                         \
  out[(0 * kModes + slot) * kCount + i] = __##letter##add_##mode(a, b);                               \
  out[(1 * kModes + slot) * kCount + i] = __##letter##sub_##mode(a, b);                               \
  out[(2 * kModes + slot) * kCount + i] = __##letter##mul_##mode(a, b);                               \
  out[(3 * kModes + slot) * kCount + i] = __##letter##div_##mode(a, b);                               \
  out[(4 * kModes + slot) * kCount + i] = __##letter##sqrt_##mode(b < 0 ? -b : b);                    \
  out[(5 * kModes + slot) * kCount + i] = fused##_##mode(a, b, c);

__global__ void floats(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kCount) return;
  float a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  MODE(float, f, __fmaf, rn, 0) MODE(float, f, __fmaf, rd, 1) MODE(float, f, __fmaf, ru, 2) MODE(float, f, __fmaf, rz, 3)
}
__global__ void doubles(const double* in, double* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kCount) return;
  double a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  MODE(double, d, __fma, rn, 0) MODE(double, d, __fma, rd, 1) MODE(double, d, __fma, ru, 2) MODE(double, d, __fma, rz, 3)
}
__global__ void reciprocalRoots(float* out, int first, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = __frsqrt_rn(__int_as_float(first + i));
}

template <class T>
T next(T x, bool up) {
  return std::nextafter(x, up ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity());
}
template <class T>
bool isRight(T got, Wide exact, int mode) {
  if (mode == 3) mode = exact < 0 ? 2 : 1;
  Wide value = got;
  if (mode == 1) return value <= exact && (value == exact || Wide(next(got, true)) > exact);
  if (mode == 2) return value >= exact && (value == exact || Wide(next(got, false)) < exact);
  Wide gap = value > exact ? value - exact : exact - value;
  for (bool up : {false, true}) {
    Wide other = next(got, up);
    if ((other > exact ? other - exact : exact - other) < gap) return false;
  }
  return true;
}

template <class T, class Kernel>
void check(Kernel kernel, int spread, bool narrow) {
  T* in = shared<T>(3 * kCount);
  T* out = shared<T>(size_t(kOperations) * kModes * kCount);
  uint64_t state = 1;
  for (int i = 0; i < 3 * kCount; ++i) {
    T value = T(int64_t(draw(state)) >> 11) * T(0x1p-53);
    if (narrow || draw(state) % 4 == 0) value = T(float(int(value * 4096)) / 16);
    if (value == 0) value = 1;
    in[i] = std::ldexp(value, int(draw(state) % spread) - spread / 2);
  }
  kernel<<<(kCount + 255) / 256, 256>>>(in, out);
  cudaDeviceSynchronize();
  static const char* const names[] = {"add", "sub", "mul", "div", "sqrt", "fma"};
  for (int op = 0; op < kOperations; ++op) {
    for (int mode = 0; mode < kModes; ++mode) {
      for (int i = 0; i < kCount; ++i) {
        Wide a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
        Wide exact = op == 0 ? a + b : op == 1 ? a - b : op == 2 ? a * b : op == 3 ? a / b : op == 4 ? sqrtf128(b < 0 ? -b : b) : a * b + c;
        T got = out[(op * kModes + mode) * kCount + i];
        if (!isRight(got, exact, mode)) expect(names[op], int(mode), -1, in[3 * i], in[3 * i + 1], double(got));
      }
    }
  }
  cudaFree(in);
  cudaFree(out);
}

__global__ void edges(float* f, double* d) {
  float big = 3e38f, small = 1e-45f;
  f[0] = __fadd_rz(big, big), f[1] = __fadd_ru(big, big), f[2] = __fadd_rd(big, big), f[3] = __fmul_rd(-big, big);
  f[4] = __fmul_ru(small, small), f[5] = __fmul_rd(small, small), f[6] = __fmul_rd(-small, small), f[7] = __fdiv_ru(small, big);
  f[8] = __frcp_rn(3.0f), f[9] = __frcp_ru(3.0f), f[10] = __fadd_rd(1.0f, -1.0f), f[11] = __fmaf_ieee_ru(small, small, 0.0f);
  d[0] = __dadd_rz(1e308, 1e308), d[1] = __dmul_ru(1e-300, 1e-300), d[2] = __drcp_rd(3.0), d[3] = __dsqrt_ru(2.0);
}

void checkEdges() {
  float* f = shared<float>(16);
  double* d = shared<double>(8);
  edges<<<1, 1>>>(f, d);
  cudaDeviceSynchronize();
  float infinity = INFINITY, most = 3.40282347e38f, least = 1e-45f;
  float wanted[] = {most, infinity, most, -infinity, least, 0.0f, -least, least, 1.0f / 3, next(1.0f / 3, false) > 1.0f / 3 ? 0 : 1.0f / 3, -0.0f, least};
  if (Wide(1.0f / 3) * 3 < 1) wanted[9] = next(1.0f / 3, true);
  for (int i = 0; i < 12; ++i) expect("edge", f[i], wanted[i], i);
  expect("edge", d[0], 1.7976931348623157e308);
  expect("edge", d[1], 4.9406564584124654e-324);
  expect("edge", d[2], Wide(1.0 / 3) * 3 > 1 ? next(1.0 / 3, false) : 1.0 / 3);
  expect("edge", d[3], Wide(std::sqrt(2.0)) * std::sqrt(2.0) < 2 ? next(std::sqrt(2.0), true) : std::sqrt(2.0));
}

// Whether 1/sqrt(x) rounds to y: y lies within half a step, squared and multiplied out so that nothing is rounded.
void checkReciprocalRoots() {
  constexpr int kPart = 1 << 20;
  float* out = shared<float>(kPart);
  int first = 0x3f800000;
  for (int part = 0; part < 16; part += 5) {
    reciprocalRoots<<<kPart / 256, 256>>>(out, first + part * kPart, kPart);
    cudaDeviceSynchronize();
    for (int i = 0; i < kPart; i += 7) {
      int bits = first + part * kPart + i;
      float x;
      std::memcpy(&x, &bits, 4);
      Wide y = out[i], below = (y + Wide(next(out[i], false))) / 2, above = (y + Wide(next(out[i], true))) / 2;
      if (below * below * x > 1 || above * above * x < 1) expect("__frsqrt_rn", 0, 1, x, out[i]);
    }
  }
}

int main() {
  check<float>(floats, 40, false);
  check<double>(doubles, 8, true);
  check<double>(doubles, 2, false);
  checkEdges();
  checkReciprocalRoots();
  return finish();
}
