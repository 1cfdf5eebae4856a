// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point formats by their definition, in integers only: a number is m * 2^e, an operation gives such a number
// exactly (far-away digits become one sticky digit), and one rounding makes a code of it. Written apart from the
// toolkit's headers, so that a mistake there has no twin here.
#pragma once

#include <cstdio>

namespace reference {

enum Mode { nearest, zero, down, up };

struct Format {
  int exponentBits, fractionBits;
  int largest, infinite, nan;  // codes without sign; infinite or nan -1: has none
};

#define BOTH __host__ __device__ inline

BOTH Format halfFormat() {
  return {5, 10, 0x7bff, 0x7c00, 0x7fff};
}
BOTH Format bfloatFormat() {
  return {8, 7, 0x7f7f, 0x7f80, 0x7fff};
}
BOTH Format singleFormat() {
  return {8, 23, 0x7f7fffff, 0x7f800000, 0x7fffffff};
}
BOTH Format e4m3Format() {
  return {4, 3, 0x7e, -1, 0x7f};
}
BOTH Format e5m2Format() {
  return {5, 2, 0x7b, 0x7c, 0x7f};
}
BOTH Format e3m2Format() {
  return {3, 2, 0x1f, -1, -1};
}
BOTH Format e2m3Format() {
  return {2, 3, 0x1f, -1, -1};
}
BOTH Format e2m1Format() {
  return {2, 1, 0x07, -1, -1};
}

BOTH Format ue5m3Format() {
  return {5, 3, 0xfe, -1, 0xff};
}

enum Kind { ordinary, endless, notANumber };

struct Number {
  Kind kind = ordinary;
  bool negative = false;
  unsigned __int128 m = 0;
  int e = 0;
};

BOTH Number decode(const Format& format, unsigned code) {
  Number x;
  unsigned magnitude = code & ((1u << (format.exponentBits + format.fractionBits)) - 1);
  x.negative = code != magnitude;
  if (format.infinite >= 0 && magnitude == static_cast<unsigned>(format.infinite)) {
    x.kind = endless;
  } else if (magnitude > static_cast<unsigned>(format.largest)) {
    x.kind = notANumber;
  } else {
    int field = static_cast<int>(magnitude >> format.fractionBits);
    int bias = (1 << (format.exponentBits - 1)) - 1;
    x.m = magnitude & ((1u << format.fractionBits) - 1);
    if (field > 0) x.m += 1u << format.fractionBits;
    x.e = (field > 0 ? field : 1) - bias - format.fractionBits;
  }
  return x;
}

BOTH Number fromDouble(double value) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &value, 8);
  Number x;
  x.negative = bits >> 63;
  int field = static_cast<int>((bits >> 52) & 0x7ff);
  x.m = bits & 0xfffffffffffffull;
  if (field == 0x7ff) {
    x.kind = x.m ? notANumber : endless;
  } else {
    if (field > 0) x.m += 1ull << 52;
    x.e = (field > 0 ? field : 1) - 1075;
  }
  return x;
}

BOTH Number fromInteger(__int128 value) {
  Number x;
  x.negative = value < 0;
  x.m = static_cast<unsigned __int128>(value < 0 ? -value : value);
  return x;
}

BOTH int topBit(unsigned __int128 m) {
  unsigned long long high = static_cast<unsigned long long>(m >> 64);
  return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(static_cast<unsigned long long>(m));
}

// m / 2^shift, and whether half of the last place or something more was lost.
struct Cut {
  unsigned __int128 kept;
  bool half, more;
};
BOTH Cut cut(unsigned __int128 m, int shift) {
  const unsigned __int128 one = 1;
  if (shift <= 0) return {m << -shift, false, false};
  if (shift > 127) return {0, false, m != 0};
  return {m >> shift, (m >> (shift - 1) & 1) != 0, (m & ((one << (shift - 1)) - 1)) != 0};
}
BOTH bool roundsUp(const Cut& part, bool negative, Mode mode) {
  if (mode == nearest) return part.half && (part.more || (part.kept & 1));
  if (!part.half && !part.more) return false;
  return mode == (negative ? down : up);
}

// The code of x, rounded once. `saturate`: what is too large becomes the largest number.
BOTH unsigned encode(const Format& format, const Number& x, Mode mode, bool saturate = false) {
  unsigned sign = x.negative ? 1u << (format.exponentBits + format.fractionBits) : 0u;
  bool hasBeyond = format.infinite >= 0 || format.nan >= 0;
  unsigned beyond = format.infinite >= 0 ? sign | format.infinite : static_cast<unsigned>(format.nan);
  if (saturate || !hasBeyond) beyond = sign | format.largest;
  if (x.kind == notANumber) return format.nan >= 0 ? format.nan : format.largest;
  if (x.kind == endless) return beyond;
  if (x.m == 0) return sign;
  int least = 2 - (1 << (format.exponentBits - 1));
  int order = topBit(x.m) + x.e;
  int unit = (order < least ? least : order) - format.fractionBits;  // exponent of the last place
  Cut part = cut(x.m, unit - x.e);
  unsigned q = static_cast<unsigned>(part.kept) + roundsUp(part, x.negative, mode);
  if (q >> (format.fractionBits + 1)) {
    q >>= 1;
    ++unit;
  }
  int field = q >> format.fractionBits ? unit + format.fractionBits - least + 1 : 0;
  int fraction = static_cast<int>(q & ((1u << format.fractionBits) - 1));
  if (field < (1 << format.exponentBits) && (field << format.fractionBits | fraction) <= format.largest) {
    return sign | static_cast<unsigned>(field << format.fractionBits | fraction);
  }
  bool inward = mode == zero || mode == (x.negative ? up : down);
  return inward ? sign | format.largest : beyond;
}

BOTH Number times(const Number& a, const Number& b) {
  Number x;
  x.negative = a.negative != b.negative;
  bool nothing = (a.kind == ordinary && a.m == 0) || (b.kind == ordinary && b.m == 0);
  if (a.kind == notANumber || b.kind == notANumber) {
    x.kind = notANumber;
  } else if (a.kind == endless || b.kind == endless) {
    x.kind = nothing ? notANumber : endless;
  } else {
    x.m = a.m * b.m;
    x.e = a.e + b.e;
  }
  return x;
}

BOTH Number dividedBy(const Number& a, const Number& b) {
  Number x;
  x.negative = a.negative != b.negative;
  bool undefined = a.kind == notANumber || b.kind == notANumber || (a.kind == endless && b.kind == endless) ||
                   (a.kind == ordinary && b.kind == ordinary && a.m == 0 && b.m == 0);
  if (undefined) {
    x.kind = notANumber;
  } else if (a.kind == endless || (b.kind == ordinary && b.m == 0)) {
    x.kind = endless;
  } else if (b.kind != endless && a.m != 0) {
    x.m = (a.m << 90) / b.m;
    if (x.m * b.m != a.m << 90) x.m |= 1;
    x.e = a.e - 90 - b.e;
  }
  return x;
}

BOTH Number minus(Number a) {
  a.negative = !a.negative;
  return a;
}

BOTH Number plus(Number a, Number b) {
  Number x;
  if (a.kind != ordinary || b.kind != ordinary) {
    bool opposite = a.kind == endless && b.kind == endless && a.negative != b.negative;
    x.kind = a.kind == notANumber || b.kind == notANumber || opposite ? notANumber : endless;
    x.negative = a.kind == endless ? a.negative : b.negative;
    return x;
  }
  if (a.m == 0 && b.m == 0) {
    x.negative = a.negative && b.negative;
    return x;
  }
  if (a.m == 0) return b;
  if (b.m == 0) return a;
  if (a.e < b.e) {
    Number other = a;
    a = b;
    b = other;
  }
  // Digits of at most 16 bits each: 90 places between them are more than any format tells apart.
  int apart = a.e - b.e;
  int raise = apart < 90 ? apart : 90;
  Cut low = cut(b.m, apart - raise);
  __int128 left = static_cast<__int128>(a.m << raise);
  __int128 right = static_cast<__int128>(low.kept | (low.half || low.more ? 1 : 0));
  __int128 sum = (a.negative ? -left : left) + (b.negative ? -right : right);
  x = fromInteger(sum);
  x.e = a.e - raise;
  return x;
}

// Integers of `bits` bits from x: saturated; NaN gives 0, of 64 bits the top bit alone.
BOTH unsigned long long toInteger(const Number& x, int bits, bool isSigned, Mode mode) {
  const unsigned long long top = 1ull << (bits - 1);
  const unsigned long long mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
  unsigned long long largest = isSigned ? top - 1 : mask;
  unsigned long long least = isSigned ? top : 0;
  if (x.kind == notANumber) return bits == 64 ? top : 0;
  if (x.kind == endless || (x.m != 0 && topBit(x.m) + x.e > 70)) return x.negative ? least : largest;
  Cut part = cut(x.m, -x.e);
  unsigned __int128 whole = part.kept + roundsUp(part, x.negative, mode);
  if (!x.negative) return whole > largest ? largest : static_cast<unsigned long long>(whole);
  if (!isSigned) return 0;
  return whole > top ? top : (0 - static_cast<unsigned long long>(whole)) & mask;
}

// A code's neighbours in spirit: codes at which formats, carries and ties turn.
template <class Visit>
void interesting(const Format& format, int wanted, Visit visit) {
  int fraction = format.fractionBits;
  int sign = 1 << (format.exponentBits + fraction);
  int one = ((1 << (format.exponentBits - 1)) - 1) << fraction;
  int normal = 1 << fraction;
  const int around[] = {0, normal, one, one + normal, one - normal, one + normal / 2, format.largest, format.infinite};
  int count = 0;
  for (int base : around) {
    for (int step = -2; step <= 2; ++step) {
      for (int s = 0; s < 2; ++s) {
        if (base + step < 0 || count >= wanted) continue;
        visit(((base + step) & (sign - 1)) | s * sign);
        ++count;
      }
    }
  }
  unsigned seed = 12345;
  for (; count < wanted; ++count) {
    seed = seed * 1664525u + 1013904223u;
    visit(static_cast<int>((seed >> 8) & (2 * sign - 1)));
  }
}

}  // namespace reference
