// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX on bits and bytes against the same in C++.
#include "check.h"

CHECK_KERNEL(run) {
  Report r{pairs + threadIdx.x * kPairs};
  unsigned v, a = 0x12345678u + u, b = 0x9abcdef0u, c = 0x0f0f00ffu; int i; unsigned long long q; long long sq;
  asm("and.b32 %0, %1, %2;" : "=r"(v) : "r"(a), "r"(b)); r.same(v, a & b);
  asm("not.b64 %0, %1;" : "=l"(sq) : "l"(l)); r.same(sq, ~l);
  asm("cnot.b32 %0, %1;" : "=r"(v) : "r"(a)); r.same(v, 0u);
  asm("shl.b32 %0, %1, %2;" : "=r"(v) : "r"(a), "r"(40)); r.same(v, 0u);
  asm("shr.s32 %0, %1, %2;" : "=r"(i) : "r"(s), "r"(40)); r.same(i, -1);
  asm("shr.u64 %0, %1, 60;" : "=l"(q) : "l"(~0ull)); r.same(q, 15ull);
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(v) : "r"(a), "r"(b), "r"(8)); r.same(v, b << 8 | a >> 24);
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(v) : "r"(a), "r"(b), "r"(50)); r.same(v, b);
  asm("popc.b64 %0, %1;" : "=r"(v) : "l"(l)); r.same(v, (unsigned)__popcll(l));
  asm("clz.b32 %0, %1;" : "=r"(v) : "r"(a)); r.same(v, (unsigned)__clz(a));
  asm("brev.b32 %0, %1;" : "=r"(v) : "r"(1u)); r.same(v, 0x80000000u);
  asm("bfind.u32 %0, %1;" : "=r"(v) : "r"(0x00100000u)); r.same(v, 20u);
  asm("bfind.s32 %0, %1;" : "=r"(v) : "r"(-1)); r.same(v, 0xffffffffu);
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(v) : "r"(0x00100000u)); r.same(v, 11u);
  asm("bfe.u32 %0, %1, 4, 8;" : "=r"(v) : "r"(a)); r.same(v, a >> 4 & 0xff);
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(i) : "r"(0x00f00000), "r"(20), "r"(4)); r.same(i, -1);
  asm("bfe.u64 %0, %1, 8, 0;" : "=l"(q) : "l"(l)); r.same(q, 0ull);
  asm("bfi.b32 %0, %1, %2, 8, 12;" : "=r"(v) : "r"(a), "r"(b)); r.same(v, (b & ~0xfff00u) | (a & 0xfff) << 8);
  asm("bfi.b32 %0, %1, %2, 28, 32;" : "=r"(v) : "r"(a), "r"(b)); r.same(v, (b & 0x0fffffffu) | a << 28);
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(v) : "r"(a), "r"(b), "r"(c)); r.same(v, a ^ b ^ c);
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(v) : "r"(a), "r"(b), "r"(c), "n"((0xf0 & 0xcc) | 0xaa)); r.same(v, (a & b) | c);
  asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(v) : "r"(a), "r"(b)); r.same(v, (b & 0xffff) << 16 | (a & 0xffff));
  asm("prmt.b32 %0, %1, %2, 0x8cb7;" : "=r"(v) : "r"(0x80000000u), "r"(0x11ff3380u)); r.same(v, 0x00ffff11u);
  asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(v) : "r"(a), "r"(b), "r"(1)); r.same(v, a >> 8 | b << 24);
  asm("bmsk.clamp.b32 %0, 4, 8;" : "=r"(v)); r.same(v, 0xff0u);
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(i) : "r"(0x01ff02fe), "r"(0x01010203), "r"(10)); r.same(i, 1 - 1 + 4 - 6 + 10);
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(v) : "r"(0xff000001u), "r"(0xff000002u), "r"(1)); r.same(v, 255u * 255 + 3);
  asm("dp2a.hi.s32.s32 %0, %1, %2, %3;" : "=r"(i) : "r"(0x00010002), "r"(0x03ff0000), "r"(0)); r.same(i, 3 - 2);
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(v) : "r"(0x01020304u), "r"(0x04030201u), "r"(5)); r.same(v, 13u);
  asm("vadd4.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(v) : "r"(0xff01ff01u), "r"(0x02020202u), "r"(0)); r.same(v, 0xff03ff03u);
  asm("vshr.u32.u32.u32.clamp.add %0, %1, %2, %3;" : "=r"(v) : "r"(a), "r"(4), "r"(b)); r.same(v, (a >> 4) + b);
  asm("vadd.s32.s32.u32.sat %0, %1, %2;" : "=r"(i) : "r"(0x7fffffff), "r"(5)); r.same(i, 0x7fffffff);
  asm("vabsdiff.u32.u32.u32 %0, %1.b1, %2.h1;" : "=r"(v) : "r"(a), "r"(b)); r.same(v, (b >> 16) - (a >> 8 & 255));
  asm("add.u32 %0, %1, 32-2*(1<<3)|~0x1f&0x60;" : "=r"(v) : "r"(a)); r.same(v, a + 0x70);
  // A scope that a later asm closes.
  asm("{ .reg .pred odd; setp.ne.u32 odd, %0, 0;" :: "r"(a & 1));
  for (int k = 0; k < 2; ++k) { v = k; asm("@odd mov.b32 %0, %1;" : "+r"(v) : "r"(b)); r.same(v, a & 1 ? b : k); }
  asm("}");
  // Predicates, selections, comparisons.
  asm("{ .reg .pred p; setp.lt.s32 p, %1, 0; selp.b32 %0, 7, 9, p; }" : "=r"(v) : "r"(s)); r.same(v, 7u);
  asm("{ .reg .pred p, q; setp.lt.and.u32 p|q, %1, 100, 1; @p mov.u32 %0, 1; @q mov.u32 %0, 2; }" : "=r"(v) : "r"(u)); r.same(v, 1u);
  asm("{ .reg .pred %%p<2>; setp.eq.f32 %%p0, %1, %1; not.pred %%p1, %%p0; @!%%p1 mov.u32 %0, 5; }" : "=r"(v) : "f"(f)); r.same(v, 5u);
  asm("set.gt.u32.s32 %0, %1, 5;" : "=r"(v) : "r"(s)); r.same(v, 0u);
  asm("slct.s32.f32 %0, 1, 2, %1;" : "=r"(i) : "f"(-1.0f)); r.same(i, 2);
  asm("{ .reg .pred p; testp.infinite.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(v) : "f"(1.0f / 0.0f)); r.same(v, 1u);
  // A loop with labels.
  asm("{ .reg .u32 k; .reg .pred p; mov.u32 k, 0; mov.u32 %0, 0;\n"
      "again_%=: add.u32 %0, %0, k; add.u32 k, k, 1; setp.le.u32 p, k, %1; @p bra again_%=; }" : "=&r"(v) : "r"(10u));
  r.same(v, 55u);
  asm("mov.b64 %0, {%1, %2};" : "=l"(q) : "r"(a), "r"(b)); r.same(q, (unsigned long long)b << 32 | a);
  unsigned lo, hi;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(l)); r.same(lo, (unsigned)l); r.same(hi, (unsigned)(l >> 32));
  unsigned short h0, h1;
  asm("{ mov.b32 {%0,%1}, %2; } // halves" : "=h"(h0), "=h"(h1) : "r"(a)); r.same(h0, (unsigned short)a); r.same(h1, (unsigned short)(a >> 16));
  asm volatile("" ::: "memory");
  v = a; asm volatile("/* nothing */" : "+r"(v)); r.same(v, a);
  float g = f; asm("" : "+f"(g)); r.same(g, f);
  v = 1; asm("add.u32 %0, %0, %1;" : "+r"(v) : "r"(a)); r.same(v, a + 1);
}

CHECK_MAIN(run, 53, 2)
