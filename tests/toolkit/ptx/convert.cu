// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cvt between integers and floats: all roundings, clamping, not-a-number.
#include "check.h"

CHECK_KERNEL(run) {
  Report r{pairs + threadIdx.x * kPairs};
  unsigned v; int i; long long q; unsigned long long uq; float g; double h; short sh;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(i) : "f"(2.5f)); r.same(i, 2);
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(-2.9f)); r.same(i, -2);
  asm("cvt.rmi.s32.f64 %0, %1;" : "=r"(i) : "d"(d)); r.same(i, -4);
  asm("cvt.rpi.s64.f32 %0, %1;" : "=l"(q) : "f"(f)); r.same(q, 3ll);
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(v) : "f"(-5.0f)); r.same(v, 0u);
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(1e20f)); r.same(i, 0x7fffffff);
  asm("cvt.rzi.s32.f32 %0, 0f7FC00000;" : "=r"(i)); r.same(i, 0);
  asm("cvt.rzi.s64.f64 %0, 0d7FF8000000000000;" : "=l"(uq)); r.same(uq, 1ull << 63);
  asm("cvt.rni.f32.f32 %0, %1;" : "=f"(g) : "f"(f)); r.same(g, 3.0f);
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(g) : "r"(16777217)); r.same(g, 16777216.0f);
  asm("cvt.rp.f32.s32 %0, %1;" : "=f"(g) : "r"(16777217)); r.same(g, 16777218.0f);
  asm("cvt.rz.f32.u64 %0, %1;" : "=f"(g) : "l"(~0ull)); r.same(rawBits(g), 0x5f7fffffull);
  asm("cvt.rn.f32.u64 %0, %1;" : "=f"(g) : "l"(~0ull)); r.same(g, 18446744073709551616.0f);
  asm("cvt.rm.f64.s64 %0, %1;" : "=d"(h) : "l"((1ll << 53) + 1)); r.same(h, 9007199254740992.0);
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(g) : "d"(0.1)); r.same(g, 0.1f);
  float down, up;
  asm("cvt.rm.f32.f64 %0, %1;" : "=f"(down) : "d"(0.1)); asm("cvt.rp.f32.f64 %0, %1;" : "=f"(up) : "d"(0.1));
  r.same(rawBits(up), rawBits(down) + 1); r.same((double)down < 0.1 && 0.1 < (double)up, true);
  asm("cvt.rz.f32.f64 %0, %1;" : "=f"(g) : "d"(-0.1)); r.same(g, -down);
  asm("cvt.rp.f32.f64 %0, %1;" : "=f"(g) : "d"(1e-300)); r.same(rawBits(g), 1ull);
  asm("cvt.rm.f32.f64 %0, %1;" : "=f"(g) : "d"(1e300)); r.same(rawBits(g), 0x7f7fffffull);
  asm("cvt.f64.f32 %0, %1;" : "=d"(h) : "f"(f)); r.same(h, (double)f);
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(g) : "f"(-f)); r.same(g, 0.0f);
  asm("cvt.s64.s32 %0, %1;" : "=l"(q) : "r"(s)); r.same(q, (long long)s);
  asm("cvt.u32.u64 %0, %1;" : "=r"(v) : "l"(l)); r.same(v, (unsigned)l);
  asm("cvt.s32.s8 %0, %1;" : "=r"(i) : "r"(0x1ff)); r.same(i, -1);
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(v) : "r"(300)); r.same(v, 255u);
  asm("cvt.sat.s16.s32 %0, %1;" : "=h"(sh) : "r"(-40000)); r.same(sh, (short)-32768);
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(v) : "f"(1.00048828125f)); r.same(v, 0x3f802000u);
  asm("{ .reg .b16 a; cvt.rz.f16.f32 a, %1; cvt.f32.f16 %0, a; }" : "=f"(g) : "f"(1.0009f)); r.same(g, 1.0f);
  asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(v) : "f"(-1.0f), "f"(1.0f)); r.same(v, 0x3f80u);
  asm("{ .reg .b16 a; mov.b16 a, 0x3fc0; cvt.f32.bf16 %0, a; }" : "=f"(g)); r.same(g, 1.5f);
}

CHECK_MAIN(run, 31, 2)
