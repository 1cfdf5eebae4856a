// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fp8, fp6 and fp4: every code to half and float; floats, doubles, halves and bfloat16s to codes, on both sides,
// against integers. Of the floats, those whose low 16 bits are one of six patterns (393,216); with the argument `all`,
// which ctest does not give, all 2^32 go to e4m3 and e5m2. fp6 and fp4 in all rounding modes; e8m0 by its own
// definition.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include "reference.cuh"

using namespace reference;

BOTH float asFloat(unsigned bits) {
  float x;
  __builtin_memcpy(&x, &bits, 4);
  return x;
}
BOTH unsigned asBits(float x) {
  unsigned bits;
  __builtin_memcpy(&bits, &x, 4);
  return bits;
}
BOTH __half_raw halfRaw(unsigned code) {
  __half_raw raw;
  raw.x = static_cast<unsigned short>(code);
  return raw;
}
BOTH __nv_bfloat16_raw bfloatRaw(unsigned code) {
  __nv_bfloat16_raw raw;
  raw.x = static_cast<unsigned short>(code);
  return raw;
}
BOTH cudaRoundMode roundMode(Mode mode) {
  return mode == zero   ? cudaRoundZero
         : mode == up   ? cudaRoundPosInf
         : mode == down ? cudaRoundMinInf
                        : cudaRoundNearest;
}

// ---- fp8 ----

BOTH int wrongFp8(const Number& exact, unsigned strict4, unsigned finite4, unsigned strict5, unsigned finite5) {
  return (strict4 != encode(e4m3Format(), exact, nearest)) + (finite4 != encode(e4m3Format(), exact, nearest, true)) +
         (strict5 != encode(e5m2Format(), exact, nearest)) + (finite5 != encode(e5m2Format(), exact, nearest, true));
}
#define FP8(SOURCE, X)                                                                                            \
  __nv_cvt_##SOURCE##_to_fp8(X, __NV_NOSAT, __NV_E4M3), __nv_cvt_##SOURCE##_to_fp8(X, __NV_SATFINITE, __NV_E4M3), \
      __nv_cvt_##SOURCE##_to_fp8(X, __NV_NOSAT, __NV_E5M2), __nv_cvt_##SOURCE##_to_fp8(X, __NV_SATFINITE, __NV_E5M2)

BOTH int wrongFloatToFp8(unsigned bits) {
  float x = asFloat(bits);
  return wrongFp8(decode(singleFormat(), bits), FP8(float, x));
}

// ---- fp6, fp4, e8m0 ----

BOTH unsigned encodeScale(const Number& x, Mode mode, bool saturate) {
  if (x.kind == notANumber) return 0xff;
  if (x.kind == endless) return saturate ? 0xfe : 0xff;
  if (x.m == 0) return 0;
  int top = topBit(x.m);
  unsigned __int128 rest = x.m - (static_cast<unsigned __int128>(1) << top);
  int code = top + x.e + 127;
  if (code < 0) return 0;
  if (mode == up) code += rest != 0;
  if (mode == nearest) {
    unsigned __int128 twice = rest * 2, place = static_cast<unsigned __int128>(1) << top;
    code += twice > place || (twice == place && (code & 1));
  }
  return code <= 0xfe ? code : saturate ? 0xfe : 0xff;
}

// A sign and 3 bits of magnitude.
BOTH unsigned encodeInteger(Number x, Mode mode) {
  if (x.kind == notANumber) return 7;
  unsigned sign = x.negative ? 8 : 0;
  if (x.negative) mode = mode == up ? down : mode == down ? up : mode;
  x.negative = false;
  unsigned long long whole = toInteger(x, 32, false, mode);
  return sign | static_cast<unsigned>(whole < 7 ? whole : 7);
}

BOTH int wrongFloatToSmall(unsigned bits) {
  float x = asFloat(bits);
  Number exact = decode(singleFormat(), bits);
  int wrong = 0;
  for (Mode mode : {nearest, zero, down, up}) {
    cudaRoundMode rounding = roundMode(mode);
    wrong += __nv_cvt_float_to_fp6(x, __NV_E2M3, rounding) != encode(e2m3Format(), exact, mode, true);
    wrong += __nv_cvt_float_to_fp6(x, __NV_E3M2, rounding) != encode(e3m2Format(), exact, mode, true);
    wrong += __nv_cvt_float_to_fp4(x, __NV_E2M1, rounding) != encode(e2m1Format(), exact, mode, true);
    Number positive = exact;
    positive.negative = false;
    wrong += __nv_cvt_float_to_ue5m3(x, __NV_NOSAT, rounding) != encode(ue5m3Format(), positive, mode);
    wrong += __nv_cvt_double_to_ue5m3(x, __NV_SATFINITE, rounding) != encode(ue5m3Format(), positive, mode, true);
    wrong += __nv_cvt_float_to_fp4(x, __NV_E0M3, rounding) != encodeInteger(exact, mode);
    Mode inward = mode == down ? zero : mode;
    wrong += __nv_cvt_float_to_e8m0(x, __NV_NOSAT, rounding) != encodeScale(exact, inward, false);
    wrong += __nv_cvt_double_to_e8m0(x, __NV_SATFINITE, rounding) != encodeScale(exact, inward, true);
  }
  return wrong;
}

// A 16-bit code read as half and as bfloat16, and doubles that lie a hair beside what it is.
BOTH int wrongSixteen(unsigned code) {
  Number h = decode(halfFormat(), code), b = decode(bfloatFormat(), code);
  int wrong = wrongFp8(h, FP8(halfraw, halfRaw(code))) + wrongFp8(b, FP8(bfloat16raw, bfloatRaw(code)));
  wrong +=
      __nv_cvt_halfraw_to_fp6(halfRaw(code), __NV_E2M3, cudaRoundNearest) != encode(e2m3Format(), h, nearest, true);
  wrong +=
      __nv_cvt_bfloat16raw_to_fp6(bfloatRaw(code), __NV_E3M2, cudaRoundZero) != encode(e3m2Format(), b, zero, true);
  wrong +=
      __nv_cvt_halfraw_to_fp4(halfRaw(code), __NV_E2M1, cudaRoundNearest) != encode(e2m1Format(), h, nearest, true);
  wrong +=
      __nv_cvt_bfloat16raw_to_fp4(bfloatRaw(code), __NV_E2M1, cudaRoundPosInf) != encode(e2m1Format(), b, up, true);
  wrong += __nv_cvt_bfloat16raw_to_e8m0(bfloatRaw(code), __NV_SATFINITE, cudaRoundPosInf) != encodeScale(b, up, true);
  double base = static_cast<double>(__half2float(__half(halfRaw(code))));
  for (double relative : {0x1p-52, -0x1p-53, 0x1p-30, -0x1p-30}) {
    double value = base * (1 + relative);
    Number exact = fromDouble(value);
    wrong += wrongFp8(exact, FP8(double, value));
    wrong += __nv_cvt_double_to_fp6(value, __NV_E2M3, cudaRoundNearest) != encode(e2m3Format(), exact, nearest, true);
    wrong += __nv_cvt_double_to_fp4(value, __NV_E2M1, cudaRoundNearest) != encode(e2m1Format(), exact, nearest, true);
  }
  return wrong;
}

// A narrow code widened, by functions and by classes.
BOTH int wrongWide(const Format& format, unsigned code, unsigned half, float single) {
  Number exact = decode(format, code);
  unsigned wanted = encode(singleFormat(), exact, nearest);
  return (half != encode(halfFormat(), exact, nearest)) + (asBits(single) != wanted);
}
template <class T>
BOTH T stored(unsigned code) {
  T x;
  x.__x = static_cast<unsigned char>(code);
  return x;
}
BOTH int wrongByte(unsigned code) {
  int wrong =
      wrongWide(e4m3Format(), code, __nv_cvt_fp8_to_halfraw(code, __NV_E4M3).x, float(stored<__nv_fp8_e4m3>(code)));
  wrong +=
      wrongWide(e5m2Format(), code, __nv_cvt_fp8_to_halfraw(code, __NV_E5M2).x, float(stored<__nv_fp8_e5m2>(code)));
  unsigned six = code & 0x3f, four = code & 0xf;
  wrong += wrongWide(e2m3Format(), six, __nv_cvt_fp6_to_halfraw(six, __NV_E2M3).x, float(stored<__nv_fp6_e2m3>(six)));
  wrong += wrongWide(e3m2Format(), six, __nv_cvt_fp6_to_halfraw(six, __NV_E3M2).x, float(stored<__nv_fp6_e3m2>(six)));
  wrong +=
      wrongWide(e2m1Format(), four, __nv_cvt_fp4_to_halfraw(four, __NV_E2M1).x, float(stored<__nv_fp4_e2m1>(four)));
  wrong += asBits(float(stored<__nv_fp4_e0m3>(four))) != asBits(four & 8 ? -static_cast<float>(four & 7) : four & 7);
  wrong += asBits(float(stored<__nv_fp8_ue5m3>(code))) != encode(singleFormat(), decode(ue5m3Format(), code), nearest);
  double scale = code == 255 ? 0 : __builtin_ldexp(1.0, static_cast<int>(code) - 127);
  float single = float(stored<__nv_fp8_e8m0>(code));
  wrong += code == 255 ? single == single : static_cast<double>(single) != scale;
  wrong += code != 255 && static_cast<double>(__bfloat162float(__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(code)))) != scale;
  wrong += double(stored<__nv_fp8_e4m3>(code)) == 1.5 ? code != 0x3c : code == 0x3c;
  float value = float(stored<__nv_fp8_e4m3>(code));
  bool number = value == value;
  wrong += int(stored<__nv_fp8_e4m3>(code)) != (number ? static_cast<int>(value) : 0);
  wrong += bool(stored<__nv_fp8_e4m3>(code)) != (value != 0);
  wrong += (unsigned char)(stored<__nv_fp8_e4m3>(code)) != (!number || value < 1 ? 0
                                                            : value > 255        ? 255
                                                                                 : static_cast<int>(value));
  return wrong;
}

// Vectors: x lies lowest.
BOTH int wrongVectors() {
  int wrong = 0;
  float2 two = make_float2(1.5f, -3.0f);
  float4 four = make_float4(1.5f, -3.0f, 0.5f, 6.0f);
  wrong += __nv_cvt_float2_to_fp8x2(two, __NV_SATFINITE, __NV_E4M3) != 0xc43c || __nv_fp8x2_e4m3(two).__x != 0xc43c;
  wrong += __nv_fp8x4_e4m3(four).__x != 0x4c30c43cu || __nv_fp8x4_e5m2(four).__x != 0x4638c23eu;
  wrong += __nv_cvt_float2_to_fp4x2(two, __NV_E2M1, cudaRoundNearest) != 0xd3 || __nv_fp4x4_e2m1(four).__x != 0x71d3;
  wrong +=
      __nv_cvt_float2_to_fp6x2(two, __NV_E2M3, cudaRoundNearest) != 0x340c || __nv_fp6x4_e3m2(four).__x != 0x1608320eu;
  wrong += __nv_fp8x4_e4m3(make_double4(1.5, -3.0, 0.5, 6.0)).__x != 0x4c30c43cu;
  wrong += __nv_fp8x4_e4m3(__floats2half2_rn(1.5f, -3.0f), __floats2half2_rn(0.5f, 6.0f)).__x != 0x4c30c43cu;
  wrong += __nv_fp8x4_e4m3(__floats2bfloat162_rn(1.5f, -3.0f), __floats2bfloat162_rn(0.5f, 6.0f)).__x != 0x4c30c43cu;
  float2 back2 = float2(__nv_fp4x2_e2m1(two));
  float4 back4 = float4(__nv_fp4x4_e2m1(four));
  wrong += back2.x != two.x || back2.y != two.y;
  wrong += back4.x != four.x || back4.y != four.y || back4.z != four.z || back4.w != four.w;
  back4 = float4(__nv_fp6x4_e2m3(four));
  wrong += back4.x != four.x || back4.y != four.y || back4.z != four.z || back4.w != four.w;
  __half2 halves = __half2(__nv_fp8x2_e5m2(two));
  wrong += __low2float(halves) != 1.5f || __high2float(halves) != -3.0f;
  __half2_raw raws = __nv_cvt_fp8x2_to_halfraw2(0xc43c, __NV_E4M3);
  wrong += raws.x != 0x3e00 || raws.y != 0xc200;
  raws = __nv_cvt_fp4x2_to_halfraw2(0xd3, __NV_E2M1);
  wrong += raws.x != 0x3e00 || raws.y != 0xc200;
  raws = __nv_cvt_fp6x2_to_halfraw2(0x340c, __NV_E2M3);
  wrong += raws.x != 0x3e00 || raws.y != 0xc200;
  wrong += __nv_fp8x2_e8m0(two).__x != 0x8180 || __nv_fp8x4_e8m0(four).__x != 0x827e8180u;
  wrong += __nv_cvt_e8m0x2_to_bf162raw(0x8180).y != 0x4080;
  wrong += __nv_fp8_e4m3(1000).__x != 0x7e || __nv_fp8_e5m2(-7LL).__x != 0xc7 || __nv_fp4_e2m1(5u).__x != 6;
  return wrong;
}

BOTH int wrongOf(unsigned high, const unsigned* low, unsigned count) {
  int wrong = wrongSixteen(high);
  if (high < 256) wrong += wrongByte(high);
  if (high == 0) wrong += wrongVectors();
  for (unsigned i = 0; i < count; ++i) {
    unsigned bits = high << 16 | (low ? low[i] : i);
    wrong += wrongFloatToFp8(bits);
    if (low) wrong += wrongFloatToSmall(bits);
  }
  return wrong;
}

__global__ void check(unsigned* wrong, const unsigned* low, unsigned count) {
  int found = wrongOf(blockIdx.x * blockDim.x + threadIdx.x, low, count);
  if (found) atomicAdd(wrong, static_cast<unsigned>(found));
}

int main(int argc, char**) {
  const unsigned patterns[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
  unsigned *wrong, *low = nullptr;
  cudaMallocManaged(&wrong, 4);
  *wrong = 0;
  if (argc == 1) {
    cudaMallocManaged(&low, sizeof patterns);
    for (int i = 0; i < 6; ++i) low[i] = patterns[i];
  }
  check<<<512, 128>>>(wrong, low, low ? 6 : 65536);
  cudaDeviceSynchronize();
  cudaError_t error = cudaGetLastError();
  int host = 0;
  for (unsigned high = 0; high < 65536; high += high < 256 ? 1 : 31) host += wrongOf(high, patterns, 6);
  printf("%u wrong, on the host %d (%s)\n", *wrong, host, cudaGetErrorString(error));
  return error || *wrong || host;
}
