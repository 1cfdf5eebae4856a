// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++20 -O1
// widths: 32
//
// SIMD-in-a-word and DPX intrinsics, lane by lane against plain arithmetic in wide integers.
#include <algorithm>

#include "check.h"

// Columns: name, signedness of the lanes, result of one lane; compares give 1 or all ones in their own right.
#define LANE_WISE(X, n) \
  X(__vadd##n, u, a + b) X(__vaddss##n, s, clampSigned(a + b)) X(__vaddus##n, u, clampUnsigned(a + b)) \
  X(__vsub##n, u, a - b) X(__vsubss##n, s, clampSigned(a - b)) X(__vsubus##n, u, clampUnsigned(a - b)) \
  X(__vmaxs##n, s, std::max(a, b)) X(__vmaxu##n, u, std::max(a, b)) X(__vmins##n, s, std::min(a, b)) \
  X(__vminu##n, u, std::min(a, b)) X(__vabsdiffs##n, s, std::abs(a - b)) X(__vabsdiffu##n, u, std::abs(a - b)) \
  X(__vavgs##n, s, halfAway(a + b)) X(__vavgu##n, u, (a + b + 1) / 2) X(__vhaddu##n, u, (a + b) / 2) \
  X(__vcmpeq##n, u, a == b ? -1 : 0) X(__vcmpne##n, u, a != b ? -1 : 0) X(__vcmpges##n, s, a >= b ? -1 : 0) \
  X(__vcmpgts##n, s, a > b ? -1 : 0) X(__vcmples##n, s, a <= b ? -1 : 0) X(__vcmplts##n, s, a < b ? -1 : 0) \
  X(__vcmpgeu##n, u, a >= b ? -1 : 0) X(__vcmpgtu##n, u, a > b ? -1 : 0) X(__vcmpleu##n, u, a <= b ? -1 : 0) \
  X(__vcmpltu##n, u, a < b ? -1 : 0) X(__vseteq##n, u, a == b) X(__vsetne##n, u, a != b) X(__vsetges##n, s, a >= b) \
  X(__vsetgts##n, s, a > b) X(__vsetles##n, s, a <= b) X(__vsetlts##n, s, a < b) X(__vsetgeu##n, u, a >= b) \
  X(__vsetgtu##n, u, a > b) X(__vsetleu##n, u, a <= b) X(__vsetltu##n, u, a < b)
#define ONE_OPERAND(X, n) \
  X(__vabs##n, s, std::abs(a)) X(__vabsss##n, s, clampSigned(std::abs(a))) X(__vneg##n, s, -a) X(__vnegss##n, s, clampSigned(-a))

struct Words {
  unsigned a, b, c;
};
constexpr int kOutputs = 100, kDpx = 36;

__global__ void all(const Words* in, unsigned* out, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  unsigned a = in[i].a, b = in[i].b;
  unsigned* r = out + kOutputs * i;
#define PUT(name, sign, value) *r++ = name(a, b);
#define PUT_ONE(name, sign, value) *r++ = name(a);
  LANE_WISE(PUT, 2) LANE_WISE(PUT, 4) ONE_OPERAND(PUT_ONE, 2) ONE_OPERAND(PUT_ONE, 4)
  *r++ = __vsads2(a, b), *r++ = __vsadu2(a, b), *r++ = __vsads4(a, b), *r++ = __vsadu4(a, b);
}

int clampTo(long x, long low, long high) { return int(std::min(std::max(x, low), high)); }
int halfAway(int x) { return x >= 0 ? (x + 1) / 2 : -((-x + 1) / 2); }

template <class Rule>
unsigned lanes(unsigned a, unsigned b, int n, bool isSigned, Rule rule) {
  int bits = 32 / n;
  unsigned result = 0, mask = n == 2 ? 0xffff : 0xff;
  for (int i = 0; i < n; ++i) {
    int x = int(a >> bits * i & mask), y = int(b >> bits * i & mask);
    if (isSigned) x = x << (32 - bits) >> (32 - bits), y = y << (32 - bits) >> (32 - bits);
    result |= (unsigned(rule(x, y)) & mask) << bits * i;
  }
  return result;
}
unsigned total(unsigned a, unsigned b, int n, bool isSigned) {
  unsigned gaps = lanes(a, b, n, isSigned, [](int x, int y) { return std::abs(x - y); }), sum = 0;
  for (int i = 0; i < n; ++i) sum += gaps >> (32 / n) * i & (n == 2 ? 0xffff : 0xff);
  return sum;
}

void compare(const Words& in, const unsigned* r) {
  unsigned x = in.a, y = in.b;
#define JUDGE(name, sign, value)                                                                       \
  expect(#name, *r++, lanes(x, y, N, #sign[0] == 's', [](int a, int b) -> int { (void)b; return value; }), x, y);
#define N 2
#define clampSigned(v) clampTo(v, N == 2 ? -32768 : -128, N == 2 ? 32767 : 127)
#define clampUnsigned(v) clampTo(v, 0, N == 2 ? 65535 : 255)
  LANE_WISE(JUDGE, 2)
#undef N
#define N 4
  LANE_WISE(JUDGE, 4)
#undef N
#define N 2
  ONE_OPERAND(JUDGE, 2)
#undef N
#define N 4
  ONE_OPERAND(JUDGE, 4)
#undef N
  expect("__vsads2", *r++, total(x, y, 2, true), x, y), expect("__vsadu2", *r++, total(x, y, 2, false), x, y);
  expect("__vsads4", *r++, total(x, y, 4, true), x, y), expect("__vsadu4", *r++, total(x, y, 4, false), x, y);
}

// DPX, by the same code on both sides: the device's results are judged by `definition`, the host's are the same calls.
__host__ __device__ void dpx(unsigned a, unsigned b, unsigned c, unsigned* r) {
  int x = int(a), y = int(b), z = int(c);
  bool p = false, q = false;
  r[0] = __vimax3_s32(x, y, z), r[1] = __vimax3_u32(a, b, c), r[2] = __vimax3_s16x2(a, b, c), r[3] = __vimax3_u16x2(a, b, c);
  r[4] = __vimin3_s32(x, y, z), r[5] = __vimin3_u32(a, b, c), r[6] = __vimin3_s16x2(a, b, c), r[7] = __vimin3_u16x2(a, b, c);
  r[8] = __viaddmax_s32(x, y, z), r[9] = __viaddmax_u32(a, b, c), r[10] = __viaddmax_s16x2(a, b, c), r[11] = __viaddmax_u16x2(a, b, c);
  r[12] = __viaddmin_s32(x, y, z), r[13] = __viaddmin_u32(a, b, c), r[14] = __viaddmin_s16x2(a, b, c), r[15] = __viaddmin_u16x2(a, b, c);
  r[16] = __vimax_s32_relu(x, y), r[17] = __vimax_s16x2_relu(a, b), r[18] = __vimin_s32_relu(x, y), r[19] = __vimin_s16x2_relu(a, b);
  r[20] = __vimax3_s32_relu(x, y, z), r[21] = __vimax3_s16x2_relu(a, b, c), r[22] = __vimin3_s32_relu(x, y, z), r[23] = __vimin3_s16x2_relu(a, b, c);
  r[24] = __viaddmax_s32_relu(x, y, z), r[25] = __viaddmax_s16x2_relu(a, b, c), r[26] = __viaddmin_s32_relu(x, y, z), r[27] = __viaddmin_s16x2_relu(a, b, c);
  r[28] = __vibmax_s32(x, y, &p) + p, r[29] = __vibmax_u32(a, b, &p) + p, r[30] = __vibmin_s32(x, y, &p) + p, r[31] = __vibmin_u32(a, b, &p) + p;
  r[32] = __vibmax_s16x2(a, b, &p, &q) + 2 * p + q, r[33] = __vibmax_u16x2(a, b, &p, &q) + 2 * p + q;
  r[34] = __vibmin_s16x2(a, b, &p, &q) + 2 * p + q, r[35] = __vibmin_u16x2(a, b, &p, &q) + 2 * p + q;
}
__global__ void dpxOnDevice(const Words* in, unsigned* out, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) dpx(in[i].a, in[i].b, in[i].c, out + kDpx * i);
}

template <class Rule>
unsigned pairs(unsigned a, unsigned b, unsigned c, bool isSigned, Rule rule) {
  unsigned result = 0;
  for (int i = 0; i < 32; i += 16) {
    int v[3] = {int(a >> i & 0xffff), int(b >> i & 0xffff), int(c >> i & 0xffff)};
    int sum = (v[0] + v[1]) & 0xffff;
    if (isSigned) {
      for (int& one : v) one = short(one);
      sum = short(sum);
    }
    result |= (unsigned(rule(v[0], v[1], v[2], sum)) & 0xffff) << i;
  }
  return result;
}

void compareDpx(const Words& in, const unsigned* r) {
  unsigned a = in.a, b = in.b, c = in.c;
  int x = int(a), y = int(b), z = int(c), s = int(a + b);
  auto max3 = [](int p, int q, int t, int) { return std::max({p, q, t}); };
  auto min3 = [](int p, int q, int t, int) { return std::min({p, q, t}); };
  auto addMax = [](int, int, int t, int sum) { return std::max(sum, t); };
  auto addMin = [](int, int, int t, int sum) { return std::min(sum, t); };
  auto relu = [](auto rule) { return [rule](int p, int q, int t, int sum) { return std::max(rule(p, q, t, sum), 0); }; };
  auto max2 = [](int p, int q, int, int) { return std::max(p, q); };
  auto min2 = [](int p, int q, int, int) { return std::min(p, q); };
  auto flags = [&](bool isMax, bool isSigned) {
    int high[2] = {isSigned ? short(a >> 16) : int(a >> 16), isSigned ? short(b >> 16) : int(b >> 16)};
    int low[2] = {isSigned ? short(a) : int(a & 0xffff), isSigned ? short(b) : int(b & 0xffff)};
    return 2u * (isMax ? high[0] >= high[1] : high[0] <= high[1]) + (isMax ? low[0] >= low[1] : low[0] <= low[1]);
  };
  unsigned wanted[kDpx] = {
      unsigned(max3(x, y, z, 0)), std::max({a, b, c}), pairs(a, b, c, true, max3), pairs(a, b, c, false, max3),
      unsigned(min3(x, y, z, 0)), std::min({a, b, c}), pairs(a, b, c, true, min3), pairs(a, b, c, false, min3),
      unsigned(std::max(s, z)), std::max(a + b, c), pairs(a, b, c, true, addMax), pairs(a, b, c, false, addMax),
      unsigned(std::min(s, z)), std::min(a + b, c), pairs(a, b, c, true, addMin), pairs(a, b, c, false, addMin),
      unsigned(std::max({x, y, 0})), pairs(a, b, c, true, relu(max2)), unsigned(std::max(std::min(x, y), 0)), pairs(a, b, c, true, relu(min2)),
      unsigned(std::max({x, y, z, 0})), pairs(a, b, c, true, relu(max3)), unsigned(std::max(std::min({x, y, z}), 0)), pairs(a, b, c, true, relu(min3)),
      unsigned(std::max({s, z, 0})), pairs(a, b, c, true, relu(addMax)), unsigned(std::max(std::min(s, z), 0)), pairs(a, b, c, true, relu(addMin)),
      unsigned(std::max(x, y)) + (x >= y), std::max(a, b) + (a >= b), unsigned(std::min(x, y)) + (x <= y), std::min(a, b) + (a <= b),
      pairs(a, b, c, true, max2) + flags(true, true), pairs(a, b, c, false, max2) + flags(true, false),
      pairs(a, b, c, true, min2) + flags(false, true), pairs(a, b, c, false, min2) + flags(false, false)};
  for (int i = 0; i < kDpx; ++i) expect("dpx", r[i], wanted[i], i, a, b);
}

int main() {
  constexpr int kCount = 2000;
  Words* in = shared<Words>(kCount);
  unsigned* out = shared<unsigned>(kOutputs * kCount);
  unsigned* steps = shared<unsigned>(kDpx * kCount);
  uint64_t state = 5;
  for (int i = 0; i < kCount; ++i) {
    uint64_t ab = draw(state);
    in[i] = {unsigned(ab), unsigned(ab >> 32), unsigned(draw(state))};
    if (i % 5 == 0) in[i].b = in[i].a ^ (i % 10 ? 0xff : 0xff000000);
    if (i % 7 == 0) in[i].a = i % 2 ? 0x80008000u : 0x80807f7fu;
  }
  all<<<(kCount + 127) / 128, 128>>>(in, out, kCount);
  dpxOnDevice<<<(kCount + 127) / 128, 128>>>(in, steps, kCount);
  cudaDeviceSynchronize();
  for (int i = 0; i < kCount; ++i) {
    compare(in[i], out + kOutputs * i);
    compareDpx(in[i], steps + kDpx * i);
    unsigned onHost[kDpx];
    dpx(in[i].a, in[i].b, in[i].c, onHost);
    compareDpx(in[i], onHost);
  }
  return finish();
}
