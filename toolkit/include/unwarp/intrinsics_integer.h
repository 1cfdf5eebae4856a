// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer functions and intrinsics (CUDA Math API, "Integer Mathematical Functions" and "Integer Intrinsics"). Shifts
// and differences go through unsigned types: CUDA's wrap where C++'s signed ones are undefined.
#pragma once

#include "../vector_types.h"
#include "math.h"

UW_MATH int __popc(unsigned x) { return __builtin_popcount(x); }
UW_MATH int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
UW_MATH int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
UW_MATH int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
UW_MATH int __ffs(int x) { return __builtin_ffs(x); }
UW_MATH int __ffsll(long long x) { return __builtin_ffsll(x); }
UW_MATH unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
UW_MATH unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
UW_MATH unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
UW_MATH unsigned __nv_bswap32(unsigned x) { return __builtin_bswap32(x); }
UW_MATH unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }

// Four bytes chosen from the eight of y:x; three bits of each nibble of the selector count.
UW_MATH unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
#pragma clang loop unroll(full)
  for (unsigned i = 0; i < 4; ++i) {
    unsigned from = selector >> (4 * i) & 7;
    result |= static_cast<unsigned>(bytes >> (8 * from) & 0xff) << (8 * i);
  }
  return result;
}

// The place of the n-th set bit at or above (n > 0), at or below (n < 0) the base; all ones when there is none.
UW_MATH unsigned __fns(unsigned mask, unsigned base, int n) {
  int left = n < 0 ? -n : n;
  int step = n > 0 ? 1 : -1;
  if (n == 0) return base < 32 && (mask >> base & 1) ? base : 0xffffffffu;
  for (int place = static_cast<int>(base); place >= 0 && place < 32; place += step) {
    if ((mask >> place & 1) && --left == 0) return static_cast<unsigned>(place);
  }
  return 0xffffffffu;
}

UW_MATH unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31)) >> 32);
}
UW_MATH unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32 | low) << (shift < 32 ? shift : 32)) >> 32);
}
UW_MATH unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
UW_MATH unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift < 32 ? shift : 32));
}

// Averages that cannot overflow: the sum is the common bits twice and the differing bits once.
UW_MATH int __hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
UW_MATH int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
UW_MATH unsigned __uhadd(unsigned x, unsigned y) { return (x & y) + ((x ^ y) >> 1); }
UW_MATH unsigned __urhadd(unsigned x, unsigned y) { return (x | y) - ((x ^ y) >> 1); }
UW_MATH unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x > y ? x - y : y - x) + z; }
UW_MATH unsigned __sad(int x, int y, unsigned z) {
  unsigned a = static_cast<unsigned>(x), b = static_cast<unsigned>(y);
  return (x > y ? a - b : b - a) + z;
}

UW_MATH int __mul24(int x, int y) {
  return static_cast<int>(static_cast<long long>(static_cast<int>(static_cast<unsigned>(x) << 8) >> 8) *
                          (static_cast<int>(static_cast<unsigned>(y) << 8) >> 8));
}
UW_MATH unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
UW_MATH int __mulhi(int x, int y) { return static_cast<int>((static_cast<long long>(x) * y) >> 32); }
UW_MATH unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) * y) >> 32);
}
UW_MATH long long __mul64hi(long long x, long long y) {
  return static_cast<long long>((static_cast<__int128>(x) * y) >> 64);
}
UW_MATH unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(x) * y) >> 64);
}
UW_MATH int mul24(int x, int y) { return __mul24(x, y); }
UW_MATH unsigned umul24(unsigned x, unsigned y) { return __umul24(x, y); }
UW_MATH int mulhi(int x, int y) { return __mulhi(x, y); }
UW_MATH unsigned mulhi(unsigned x, unsigned y) { return __umulhi(x, y); }
UW_MATH unsigned mulhi(int x, unsigned y) { return __umulhi(static_cast<unsigned>(x), y); }
UW_MATH unsigned mulhi(unsigned x, int y) { return __umulhi(x, static_cast<unsigned>(y)); }
UW_MATH unsigned umulhi(unsigned x, unsigned y) { return __umulhi(x, y); }
UW_MATH long long mul64hi(long long x, long long y) { return __mul64hi(x, y); }
UW_MATH unsigned long long mul64hi(unsigned long long x, unsigned long long y) { return __umul64hi(x, y); }
UW_MATH unsigned long long mul64hi(long long x, unsigned long long y) {
  return __umul64hi(static_cast<unsigned long long>(x), y);
}
UW_MATH unsigned long long mul64hi(unsigned long long x, long long y) {
  return __umul64hi(x, static_cast<unsigned long long>(y));
}
UW_MATH unsigned long long umul64hi(unsigned long long x, unsigned long long y) { return __umul64hi(x, y); }

// Dot products of packed small integers, added to c.
UW_MATH int __dp4a(int a, int b, int c) {
  unsigned sum = static_cast<unsigned>(c);
#pragma clang loop unroll(full)
  for (int i = 0; i < 4; ++i) {
    sum += static_cast<unsigned>(static_cast<signed char>(a >> (8 * i)) * static_cast<signed char>(b >> (8 * i)));
  }
  return static_cast<int>(sum);
}
UW_MATH unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
#pragma clang loop unroll(full)
  for (int i = 0; i < 4; ++i) c += (a >> (8 * i) & 0xff) * (b >> (8 * i) & 0xff);
  return c;
}
UW_MATH int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
UW_MATH unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return __dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}
// Two 16-bit values of a with the low or the high two bytes of b.
UW_MATH int __dp2a_lo(int a, int b, int c) {
  unsigned low = static_cast<unsigned>(static_cast<short>(a) * static_cast<signed char>(b));
  unsigned high = static_cast<unsigned>(static_cast<short>(a >> 16) * static_cast<signed char>(b >> 8));
  return static_cast<int>(static_cast<unsigned>(c) + low + high);
}
UW_MATH unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
UW_MATH int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
UW_MATH unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }
UW_MATH int __dp2a_lo(short2 a, char4 b, int c) {
  return __dp2a_lo(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
UW_MATH unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) {
  return __dp2a_lo(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}
UW_MATH int __dp2a_hi(short2 a, char4 b, int c) {
  return __dp2a_hi(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
UW_MATH unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) {
  return __dp2a_hi(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}
