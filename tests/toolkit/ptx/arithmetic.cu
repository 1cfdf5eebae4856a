// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer and floating-point PTX against the same in C++.
#include "check.h"

CHECK_KERNEL(run) {
  Report r{pairs + threadIdx.x * kPairs};
  unsigned v, w, x; int i, j; long long q; unsigned long long uq; float g; double h; unsigned short us;
  asm("add.u32 %0, %1, 5;" : "=r"(v) : "r"(u));
  r.same(v, u + 5);
  asm("sub.s32 %0, %1, %2;" : "=r"(i) : "r"(s), "r"(3));
  r.same(i, s - 3);
  asm("mul.lo.s32 %0, %1, %2; mul.hi.s32 %3, %1, %2;" : "=&r"(i) : "r"(s), "r"(0x7fffffff), "r"(0));
  r.same(i, (int)((unsigned)s * 0x7fffffffu));
  asm("mul.hi.s32 %0, %1, %2;" : "=r"(i) : "r"(s), "r"(0x7fffffff));
  r.same(i, (int)(((long long)s * 0x7fffffff) >> 32));
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(uq) : "l"(0xdeadbeefcafef00dull), "l"(0x123456789abcdef0ull));
  r.same(uq, (unsigned long long)(((unsigned __int128)0xdeadbeefcafef00dull * 0x123456789abcdef0ull) >> 64));
  asm("mul.wide.u32 %0, %1, %1;" : "=l"(uq) : "r"(0xfffffff0u + u));
  r.same(uq, (unsigned long long)(0xfffffff0u + u) * (0xfffffff0u + u));
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(i) : "r"(s), "r"(9), "r"(4));
  r.same(i, s * 9 + 4);
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(q) : "r"(s), "r"(1 << 30), "l"(l));
  r.same(q, (long long)s * (1 << 30) + l);
  asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(v) : "r"(0xf0000000u), "r"(u), "r"(1));
  r.same(v, (unsigned)((0xf0000000ull * u) >> 32) + 1);
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(v) : "r"(0xff000003u), "r"(u));
  r.same(v, 3 * u);
  asm("add.sat.s32 %0, %1, %2;" : "=r"(i) : "r"(0x7ffffff0), "r"(100));
  r.same(i, 0x7fffffff);
  asm("div.s32 %0, %1, 7;\n\trem.s32 %2, %1, 7;" : "=r"(i) : "r"(s), "r"(0));
  r.same(i, s / 7);
  asm("{ .reg .u32 t; div.u32 t, %1, 5; rem.u32 %0, t, 4; }" : "=r"(v) : "r"(u));
  r.same(v, u / 5 % 4);
  asm("abs.s32 %0, %1;" : "=r"(i) : "r"(s)); r.same(i, -s);
  asm("neg.s64 %0, %1;" : "=l"(q) : "l"(l)); r.same(q, -l);
  asm("min.s32 %0, %1, %2;" : "=r"(i) : "r"(s), "r"(3)); r.same(i, s);
  asm("max.u32 %0, %1, %2;" : "=r"(v) : "r"(s), "r"(3)); r.same(v, (unsigned)s);
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(i) : "r"(s), "r"(10), "r"(5)); r.same(i, 10 - s + 5);
  // 128 + 128 bits, and 64 x 64 bits in halves, with the flag across asm statements.
  unsigned c0, c1, c2, c3;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(c0) : "r"(0xffffffffu), "r"(u));
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(c1) : "r"(0xffffffffu), "r"(0u));
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(c2) : "r"(7u), "r"(8u));
  asm volatile("addc.u32 %0, 0, 0;" : "=r"(c3));
  r.same(c0, u - 1); r.same(c1, 0u); r.same(c2, 16u); r.same(c3, 0u);
  asm volatile("sub.cc.u64 %0, %1, %2; subc.u64 %3, %4, 0;" : "=l"(uq) : "l"(1ull), "l"(2ull), "l"(0ull), "l"(5ull));
  r.same(uq, ~0ull);
  asm volatile("{\n\t"
      "mad.lo.cc.u32 %0, %2, %3, %4;\n\t"
      "madc.hi.u32 %1, %2, %3, 0;\n\t}" : "=r"(v), "=r"(w) : "r"(0xfffffff7u), "r"(0xabcdef01u), "r"(0x80000000u));
  unsigned long long product = 0xfffffff7ull * 0xabcdef01u + 0x80000000u;
  r.same(v, (unsigned)product); r.same(w, (unsigned)(product >> 32));
  asm("add.f32 %0, %1, 0f3F800000;" : "=f"(g) : "f"(f)); r.same(g, f + 1.0f);
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(g) : "f"(f), "f"(tenth), "f"(tenth)); r.same(g, fmaf(f, tenth, tenth));
  asm("mul.rn.f64 %0, %1, 0d4000000000000000;" : "=d"(h) : "d"(d)); r.same(h, d * 2);
  asm("div.rn.f32 %0, %1, %2;" : "=f"(g) : "f"(f), "f"(tenth)); r.same(g, f / tenth);
  asm("sqrt.rn.f64 %0, %1;" : "=d"(h) : "d"(-d)); r.same(h, sqrt(-d));
  asm("rcp.rn.f32 %0, %1;" : "=f"(g) : "f"(f)); r.same(g, 1.0f / f);
  asm("min.f32 %0, %1, %2;" : "=f"(g) : "f"(f), "f"(tenth)); r.same(g, tenth);
  asm("max.NaN.f32 %0, %1, 0f7FC00000;" : "=f"(g) : "f"(f)); r.same(g != g, true);
  asm("neg.f32 %0, %1;" : "=f"(g) : "f"(f)); r.same(g, -f);
  asm("abs.f64 %0, %1;" : "=d"(h) : "d"(d)); r.same(h, -d);
  asm("copysign.f32 %0, %1, %2;" : "=f"(g) : "f"(-1.0f), "f"(f)); r.same(g, -f);
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(g) : "f"(3.0f)); r.same(g, 8.0f);
  asm("lg2.approx.f32 %0, %1;" : "=f"(g) : "f"(32.0f)); r.same(g, 5.0f);
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(g) : "f"(16.0f)); r.same(g, 0.25f);
  asm("tanh.approx.f32 %0, %1;" : "=f"(g) : "f"(0.0f)); r.same(g, 0.0f);
  asm("sin.approx.f32 %0, %1;" : "=f"(g) : "f"(tenth)); r.same(fabsf(g - sinf(tenth)) < 1e-6f, true);
  asm("add.sat.f32 %0, %1, %2;" : "=f"(g) : "f"(f), "f"(f)); r.same(g, 1.0f);
  asm("add.ftz.f32 %0, %1, 0f00000000;" : "=f"(g) : "f"(1e-40f)); r.same(g, 0.0f);
  // Directed rounding: one tenth times itself is not a float.
  float down, up, zero;
  asm("mul.rm.f32 %0, %1, %1;" : "=f"(down) : "f"(tenth));
  asm("mul.rp.f32 %0, %1, %1;" : "=f"(up) : "f"(tenth));
  asm("mul.rz.f32 %0, %1, %2;" : "=f"(zero) : "f"(tenth), "f"(-tenth));
  r.same(rawBits(up), rawBits(down) + 1); r.same(zero, -down);
  r.same(down <= tenth * tenth && tenth * tenth <= up, true);
  asm("add.rp.f64 %0, %1, %2;" : "=d"(h) : "d"(1.0), "d"(1e-30)); r.same(h > 1.0, true);
  asm("fma.rm.f32 %0, %1, %2, %3;" : "=f"(g) : "f"(1.0f), "f"(1.0f), "f"(-1e-30f)); r.same(g < 1.0f, true);
  asm("{.reg .b16 a, b; cvt.rn.f16.f32 a, %1; fma.rn.f16 b, a, a, a; cvt.f32.f16 %0, b;}" : "=f"(g) : "f"(1.5f));
  r.same(g, 3.75f);
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(us) : "f"(1.00390625f)); r.same(us, (unsigned short)0x3f80);
  asm("{.reg .b32 a; cvt.rn.f16x2.f32 a, %1, %2; add.f16x2 %0, a, a;}" : "=r"(v) : "f"(1.0f), "f"(2.0f));
  r.same(v, 0x40004400u);
  // 16-bit floats from values that the compiler does not know.
  asm("{.reg .b16 a, b; cvt.rn.f16.f32 a, %1; fma.rn.f16 b, a, a, a; cvt.f32.f16 %0, b;}" : "=f"(g) : "f"(f)); r.same(g, 10.3125f);
  asm("{.reg .b16 a; cvt.rn.f16.f64 a, %1; cvt.f32.f16 %0, a;}" : "=f"(g) : "d"(d)); r.same(g, -3.69921875f);
  asm("{.reg .b16 a; cvt.rp.f16.f64 a, %1; cvt.f32.f16 %0, a;}" : "=f"(g) : "d"(d)); r.same(g, -3.69921875f);
  asm("{.reg .b16 a; cvt.rm.f16.f64 a, %1; cvt.f32.f16 %0, a;}" : "=f"(g) : "d"(d)); r.same(g, -3.701171875f);
  asm("{.reg .b16 a; cvt.rn.bf16.f64 a, %1; fma.rn.bf16 a, a, a, a; cvt.f32.bf16 %0, a;}" : "=f"(g) : "d"(d)); r.same(g, 10.0f);
  asm("fma.rn.f16x2 %0, %1, %1, %1;" : "=r"(v) : "r"(0x40003c00u + u - 77)); r.same(v, 0x46004000u);
  asm("max.bf16x2 %0, %1, %2;" : "=r"(v) : "r"(0x3f80bf80u + u - 77), "r"(0x00004000u)); r.same(v, 0x3f804000u);
  asm("{.reg .b16 a; cvt.rn.f16.s32 a, %1; cvt.rzi.s32.f16 %0, a;}" : "=r"(i) : "r"(s)); r.same(i, s);
  asm("tanh.approx.f16x2 %0, %1;" : "=r"(v) : "r"(0x00007c00u)); r.same(v, 0x00003c00u);
  asm("ex2.approx.f16 %0, %1;" : "=h"(us) : "h"((unsigned short)0x4000)); r.same(us, (unsigned short)0x4400);
}

CHECK_MAIN(run, 67, 2)
