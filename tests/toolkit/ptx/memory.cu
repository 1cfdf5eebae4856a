// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores, atomics, address windows and asynchronous copies in PTX.
#include "check.h"

__constant__ int table[4] = {10, 20, 30, 40};

__device__ unsigned windowOf(const void* p) {
  unsigned address;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(address) : "l"(p));
  return address;
}

CHECK_KERNEL(run) {
  Report r{pairs + threadIdx.x * kPairs};
  __shared__ __align__(16) int shared[64];
  extern __shared__ int unused[];
  int* mine = shared + 32 * threadIdx.x;
  for (int k = 0; k < 32; ++k) mine[k] = k;
  unsigned at = windowOf(mine);
  r.same(at, (unsigned)__cvta_generic_to_shared(mine));
  r.same((int*)__cvta_shared_to_generic(at), mine);
  unsigned v, w, x, y; int i; unsigned long long q; float g;
  asm volatile("ld.shared.u32 %0, [%1+8];" : "=r"(v) : "r"(at)); r.same(v, 2u);
  asm volatile("st.shared.u32 [%0 + 4], %1;" :: "r"(at), "r"(99) : "memory"); r.same(mine[1], 99);
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4+16];" : "=r"(v), "=r"(w), "=r"(x), "=r"(y) : "r"(at));
  r.same(v + w * 100 + x * 10000 + y * 1000000, 7060504u);
  asm volatile("ld.v2.s32 {%0, %1}, [%2+-4];" : "=r"(v), "=r"(w) : "l"(mine + 3)); r.same(v + w * 100, 302u);
  asm volatile("ld.const.s32 %0, [%1];" : "=r"(i) : "l"(table + 2)); r.same(i, 30);
  unsigned char bytes[8] = {0xfe, 2, 3, 4, 5, 6, 7, 8};
  asm volatile("ld.local.s8 %0, [%1];" : "=r"(i) : "l"(bytes)); r.same(i, -2);
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v2.u8 {%0, %1}, [%2];" : "=r"(v), "=r"(w) : "l"(bytes + 2)); r.same(v + w, 7u);
  float* cell = (float*)mine + 8; *cell = 0.5f;
  asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(g) : "r"(at + 32)); r.same(g, 0.5f);
  asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(v) : "l"(mine + 4)); r.same(v, 4u);
  asm volatile("st.release.cta.b64 [%0], %1;" :: "l"(mine + 10), "l"(0x500000004ll) : "memory"); r.same(mine[11], 5);
  asm volatile("st.global.cs.v2.f32 [%0], {%1, %2};" :: "l"(mine + 12), "f"(f), "f"(tenth) : "memory"); r.same(((float*)mine)[13], tenth);
  asm volatile("atom.add.u32 %0, [%1], %2;" : "=r"(v) : "l"(mine + 20), "r"(5)); r.same(v, 20u); r.same(mine[20], 25);
  asm volatile("red.shared.max.s32 [%0], %1;" :: "r"(at + 84), "r"(500) : "memory"); r.same(mine[21], 500);
  asm volatile("atom.acq_rel.gpu.global.cas.b32 %0, [%1], %2, %3;" : "=r"(v) : "l"(mine + 22), "r"(22), "r"(1)); r.same(v, 22u); r.same(mine[22], 1);
  asm volatile("atom.inc.u32 %0, [%1], 23;" : "=r"(v) : "l"(mine + 23)); r.same(mine[23], 0);
  asm volatile("atom.shared::cta.exch.b32 %0, [%1], 3;" : "=r"(v) : "r"(at + 96)); r.same(v, 24u);
  asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" :: "l"(cell), "f"(1.0f) : "memory"); r.same(*cell, 1.5f);
  mine[26] = 0x3c003c00;
  asm volatile("red.add.noftz.f16x2 [%0], %1;" :: "l"(mine + 26), "r"(0x3c004000) : "memory"); r.same(mine[26], 0x40004200);
  asm volatile("red.relaxed.gpu.global.add.v2.f32 [%0], {%1, %2};" :: "l"(mine + 12), "f"(1.0f), "f"(2.0f) : "memory");
  r.same(((float*)mine)[12], f + 1.0f); r.same(((float*)mine)[13], tenth + 2.0f);
  asm volatile("atom.global.max.noftz.f16x2 %0, [%1], %2;" : "=r"(v) : "l"(mine + 26), "r"(0x41004000)); r.same(v, 0x40004200u); r.same(mine[26], 0x41004200);
  unsigned char* from = (unsigned char*)pairs + 2048 * 0 + 16 * 100 + 16 * kPairs * threadIdx.x;
  unsigned long long* data = (unsigned long long*)from; data[0] = 0x1111; data[1] = 0x2222;
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;\ncp.async.commit_group;\ncp.async.wait_group %2;" :: "r"(at), "l"(from), "n"(0) : "memory");
  q = ((unsigned long long*)mine)[1]; r.same(q, 0x2222ull);
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p cp.async.ca.shared.global [%0], [%1], 8, %3; }" :: "r"(at), "l"(from), "r"(1), "r"(1) : "memory");
  q = ((unsigned long long*)mine)[0]; r.same(q, 0x11ull);
  r.same(__isShared(mine) != 0, true); r.same(__isShared(pairs) != 0, false);
  r.same(__isGlobal(pairs) != 0, true); r.same(__isGlobal(bytes) != 0, false); r.same(__isLocal(bytes) != 0, true);
  asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(v) : "l"(mine)); r.same(v, 1u);
  asm volatile("prefetch.global.L2 [%0];" :: "l"(pairs));
  asm volatile("membar.gl; fence.acq_rel.gpu;\n fence.proxy.async;" ::: "memory");
  asm volatile("{ .reg .b64 policy; createpolicy.fractional.L2::evict_last.b64 policy, 1.0; "
               "ld.global.L2::cache_hint.u32 %0, [%1], policy; }" : "=r"(v) : "l"(mine + 5)); r.same(v, 5u);
}

CHECK_MAIN(run, 37, 2)
