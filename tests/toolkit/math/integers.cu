// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -O1
//
// Integer intrinsics against loops over bits and 128-bit arithmetic.
#include "check.h"

struct Inputs {
  unsigned a, b, c;
  unsigned long long p, q;
};
constexpr int kOutputs = 44;

__global__ void all(const Inputs* in, long long* out, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  Inputs v = in[i];
  int x = int(v.a), y = int(v.b), z = int(v.c);
  long long* r = out + kOutputs * i;
  r[0] = __popc(v.a), r[1] = __popcll(v.p), r[2] = __clz(x), r[3] = __clzll((long long)v.p);
  r[4] = __ffs(x), r[5] = __ffsll((long long)v.p), r[6] = __brev(v.a), r[7] = (long long)__brevll(v.p);
  r[8] = __byte_perm(v.a, v.b, v.c), r[9] = __fns(v.a, v.b & 31, z % 9);
  r[10] = __funnelshift_l(v.a, v.b, v.c & 63), r[11] = __funnelshift_lc(v.a, v.b, v.c & 63);
  r[12] = __funnelshift_r(v.a, v.b, v.c & 63), r[13] = __funnelshift_rc(v.a, v.b, v.c & 63);
  r[14] = __hadd(x, y), r[15] = __rhadd(x, y), r[16] = __uhadd(v.a, v.b), r[17] = __urhadd(v.a, v.b);
  r[18] = __sad(x, y, v.c), r[19] = __usad(v.a, v.b, v.c), r[20] = __mul24(x, y), r[21] = __umul24(v.a, v.b);
  r[22] = __mulhi(x, y), r[23] = __umulhi(v.a, v.b), r[24] = __mul64hi((long long)v.p, (long long)v.q);
  r[25] = (long long)__umul64hi(v.p, v.q), r[26] = __dp4a(x, y, z), r[27] = __dp4a(v.a, v.b, v.c);
  r[28] = __dp2a_lo(x, y, z), r[29] = __dp2a_hi(x, y, z), r[30] = __dp2a_lo(v.a, v.b, v.c), r[31] = __dp2a_hi(v.a, v.b, v.c);
  r[32] = min(x, y), r[33] = max(v.a, v.b), r[34] = min(x, v.b), r[35] = abs(x), r[36] = (long long)ullmax(v.p, v.q);
  r[37] = llmin((long long)v.p, (long long)v.q), r[38] = llabs((long long)v.p >> 1), r[39] = umin(v.a, v.b);
  r[40] = mulhi(v.a, v.b), r[41] = (long long)max((long long)v.p, 3ull), r[42] = __nv_bswap32(v.a), r[43] = std::abs(x / 2);
}

unsigned reversed(unsigned x) {
  unsigned r = 0;
  for (int i = 0; i < 32; ++i) r |= (x >> i & 1) << (31 - i);
  return r;
}
int top(unsigned long long x) {
  int n = 0;
  for (; x; x >>= 1) ++n;
  return n;
}
int lowest(unsigned long long x) {
  for (int i = 0; i < 64; ++i) {
    if (x >> i & 1) return i + 1;
  }
  return 0;
}
int ones(unsigned long long x) {
  int n = 0;
  for (; x; x >>= 1) n += int(x & 1);
  return n;
}
unsigned nthSet(unsigned mask, int base, int n) {
  if (n == 0) return mask >> base & 1 ? unsigned(base) : ~0u;
  for (int i = base; i >= 0 && i < 32; i += n > 0 ? 1 : -1) {
    if ((mask >> i & 1) && (n > 0 ? --n : ++n) == 0) return unsigned(i);
  }
  return ~0u;
}
unsigned permuted(unsigned a, unsigned b, unsigned s) {
  unsigned char bytes[8];
  std::memcpy(bytes, &a, 4);
  std::memcpy(bytes + 4, &b, 4);
  unsigned r = 0;
  for (int i = 0; i < 4; ++i) r |= unsigned(bytes[s >> (4 * i) & 7]) << (8 * i);
  return r;
}
int dots(int a, int b, int step, int from) {
  int sum = 0;
  for (int i = 0; i < 4 / step; ++i) {
    int left = step == 1 ? (signed char)(a >> 8 * i) : short(a >> 16 * i);
    sum += left * (signed char)(b >> (8 * (i + from)));
  }
  return sum;
}
unsigned udots(unsigned a, unsigned b, int step, int from) {
  unsigned sum = 0;
  for (int i = 0; i < 4 / step; ++i) {
    unsigned left = step == 1 ? (a >> 8 * i & 255) : (a >> 16 * i & 65535);
    sum += left * (b >> (8 * (i + from)) & 255);
  }
  return sum;
}
int low24(unsigned x) { return int(x << 8) >> 8; }

void compute(const Inputs& v, long long* r) {
  long long x = int(v.a), y = int(v.b), ua = v.a, ub = v.b;
  int z = int(v.c);
  unsigned s = v.c & 63, clamped = s < 32 ? s : 32;
  unsigned long long both = (unsigned long long)v.b << 32 | v.a;
  long long p = (long long)v.p, q = (long long)v.q;
  r[0] = ones(v.a), r[1] = ones(v.p), r[2] = 32 - top(v.a), r[3] = 64 - top(v.p), r[4] = lowest(v.a), r[5] = lowest(v.p);
  r[6] = reversed(v.a), r[7] = (long long)((unsigned long long)reversed(unsigned(v.p)) << 32 | reversed(unsigned(v.p >> 32)));
  r[8] = permuted(v.a, v.b, v.c), r[9] = nthSet(v.a, int(v.b & 31), z % 9);
  r[10] = unsigned((both << (s & 31)) >> 32), r[11] = unsigned((both << clamped) >> 32);
  r[12] = unsigned(both >> (s & 31)), r[13] = unsigned(both >> clamped);
  r[14] = int((x + y) >> 1), r[15] = int((x + y + 1) >> 1), r[16] = unsigned((ua + ub) >> 1), r[17] = unsigned((ua + ub + 1) >> 1);
  r[18] = unsigned((x > y ? x - y : y - x) + v.c), r[19] = unsigned((ua > ub ? ua - ub : ub - ua) + v.c);
  r[20] = int((long long)low24(v.a) * low24(v.b)), r[21] = unsigned((ua & 0xffffff) * (ub & 0xffffff));
  r[22] = int((x * y) >> 32), r[23] = unsigned((unsigned long long)ua * (unsigned long long)ub >> 32);
  r[24] = (long long)((__int128)p * q >> 64), r[25] = (long long)((unsigned __int128)v.p * v.q >> 64);
  r[26] = int(v.c + unsigned(dots(int(x), int(y), 1, 0))), r[27] = v.c + udots(v.a, v.b, 1, 0);
  r[28] = int(v.c + unsigned(dots(int(x), int(y), 2, 0))), r[29] = int(v.c + unsigned(dots(int(x), int(y), 2, 2)));
  r[30] = unsigned(v.c + udots(v.a, v.b, 2, 0)), r[31] = unsigned(v.c + udots(v.a, v.b, 2, 2));
  r[32] = x < y ? x : y, r[33] = ua > ub ? ua : ub, r[34] = ua < ub ? ua : ub, r[35] = int(unsigned(x < 0 ? -x : x));
  r[36] = (long long)(v.p > v.q ? v.p : v.q), r[37] = p < q ? p : q, r[38] = (p >> 1) < 0 ? -(p >> 1) : p >> 1, r[39] = ua < ub ? ua : ub;
  r[40] = r[23], r[41] = (long long)(v.p > 3 ? v.p : 3), r[42] = permuted(v.a, 0, 0x0123), r[43] = int(x / 2) < 0 ? -int(x / 2) : int(x / 2);
}

int main() {
  constexpr int kCount = 3000;
  Inputs* in = shared<Inputs>(kCount);
  long long* out = shared<long long>(kOutputs * kCount);
  uint64_t state = 3;
  for (int i = 0; i < kCount; ++i) {
    unsigned shift = i % 4 == 0 ? unsigned(draw(state) % 32) : 0;
    in[i] = {unsigned(draw(state)) >> shift, unsigned(draw(state)) >> shift, unsigned(draw(state)), draw(state) >> 2 * shift, draw(state)};
  }
  in[0] = {0, 0, 0, 0, 0};
  in[1] = {0x80000000u, 0x80000000u, 0x80000000u, 1ull << 63, 1ull << 63};
  in[2] = {~0u, ~0u, ~0u, ~0ull, ~0ull};
  all<<<(kCount + 127) / 128, 128>>>(in, out, kCount);
  cudaDeviceSynchronize();
  for (int i = 0; i < kCount; ++i) {
    long long wanted[kOutputs];
    compute(in[i], wanted);
    for (int k = 0; k < kOutputs; ++k) expect("output", out[kOutputs * i + k], wanted[k], k, in[i].a, in[i].b);
  }
  return finish();
}
