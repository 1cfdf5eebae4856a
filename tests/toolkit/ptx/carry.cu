// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The carry flag through chains of small functions, as big-number code is written: 256 x 256 bits in 32-bit words, and
// a Montgomery-like subtraction, against 128-bit integers on the host.
#include <cstdio>
#include <cstring>

using Word = unsigned;

#define CHAIN(NAME, OPCODE)                                                             \
  __device__ __forceinline__ Word NAME(Word a, Word b) {                                \
    Word r;                                                                             \
    asm volatile(OPCODE ".u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));                 \
    return r;                                                                           \
  }
CHAIN(addCc, "add.cc")
CHAIN(addcCc, "addc.cc")
CHAIN(addc, "addc")
CHAIN(subCc, "sub.cc")
CHAIN(subcCc, "subc.cc")
CHAIN(subc, "subc")
__device__ __noinline__ Word madLoCc(Word a, Word b, Word c) {
  Word r;
  asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
__device__ Word madcLoCc(Word a, Word b, Word c) {
  Word r;
  asm volatile("madc.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
__device__ Word madcHiCc(Word a, Word b, Word c) {
  Word r;
  asm volatile("madc.hi.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
__device__ Word madHiCc(Word a, Word b, Word c) {
  Word r;
  asm volatile("mad.hi.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

constexpr int kWords = 8;

__global__ void multiply(const Word* left, const Word* right, Word* product, Word* difference, int count) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count) return;
  const Word* a = left + t * kWords;
  const Word* b = right + t * kWords;
  Word p[2 * kWords] = {};
  for (int i = 0; i < kWords; ++i) {
    p[i] = madLoCc(a[0], b[i], p[i]);
    for (int j = 1; j < kWords; ++j) p[i + j] = madcLoCc(a[j], b[i], p[i + j]);
    p[i + kWords] = addc(p[i + kWords], 0);
    p[i + 1] = madHiCc(a[0], b[i], p[i + 1]);
    for (int j = 1; j < kWords; ++j) p[i + 1 + j] = madcHiCc(a[j], b[i], p[i + 1 + j]);
    if (i + 1 + kWords < 2 * kWords) p[i + 1 + kWords] = addc(p[i + 1 + kWords], 0);
  }
  for (int i = 0; i < 2 * kWords; ++i) product[t * 2 * kWords + i] = p[i];
  Word* d = difference + t * (kWords + 1);
  d[0] = subCc(a[0], b[0]);
  for (int i = 1; i < kWords; ++i) d[i] = subcCc(a[i], b[i]);
  d[kWords] = subc(0, 0);
  Word sum = addCc(d[0], b[0]);
  for (int i = 1; i < kWords; ++i) sum |= addcCc(d[i], b[i]) ^ a[i];
  if ((sum | d[0]) == 0x12345) d[0] = addcCc(0, 0);
}

int main() {
  constexpr int kCount = 200;
  static Word a[kCount * kWords], b[kCount * kWords], p[kCount * 2 * kWords], d[kCount * (kWords + 1)];
  unsigned long long seed = 1;
  for (int i = 0; i < kCount * kWords; ++i) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    a[i] = i % 3 ? seed >> 32 : ~0u;
    b[i] = i % 5 ? seed >> 20 : ~0u;
  }
  Word *da, *db, *dp, *dd;
  cudaMalloc(&da, sizeof a); cudaMalloc(&db, sizeof b); cudaMalloc(&dp, sizeof p); cudaMalloc(&dd, sizeof d);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  multiply<<<4, 64>>>(da, db, dp, dd, kCount);
  cudaMemcpy(p, dp, sizeof p, cudaMemcpyDeviceToHost);
  cudaMemcpy(d, dd, sizeof d, cudaMemcpyDeviceToHost);
  int bad = cudaGetLastError() != cudaSuccess;
  for (int t = 0; t < kCount; ++t) {
    Word wanted[2 * kWords] = {};
    for (int i = 0; i < kWords; ++i) {
      unsigned long long carry = 0;
      for (int j = 0; j < kWords; ++j) {
        unsigned long long x = (unsigned long long)a[t * kWords + j] * b[t * kWords + i] + wanted[i + j] + carry;
        wanted[i + j] = (Word)x;
        carry = x >> 32;
      }
      wanted[i + kWords] = (Word)carry;
    }
    bad += memcmp(wanted, p + t * 2 * kWords, sizeof wanted) != 0;
    long long borrow = 0;
    for (int i = 0; i < kWords; ++i) {
      long long x = (long long)a[t * kWords + i] - b[t * kWords + i] - borrow;
      bad += (Word)x != d[t * (kWords + 1) + i];
      borrow = x < 0;
    }
    bad += d[t * (kWords + 1) + kWords] != (borrow ? ~0u : 0u);
  }
  printf("%d bad\n", bad);
  return bad != 0;
}
