// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Votes, shuffles, matches, reductions, barriers and special registers in PTX. Masks keep their 32 bits at 64 lanes.
#include "check.h"

CHECK_KERNEL(run) {
  Report r{pairs + threadIdx.x * kPairs};
  __shared__ int shared[128];
  unsigned t = threadIdx.x, lane = t % warpSize, half = lane & ~31u, low = lane & 31u;
  unsigned long long below = (1ull << lane) - 1;
  unsigned v, p, ok;
  asm("mov.u32 %0, %%laneid;" : "=r"(v)); r.same(v, lane);
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(v)); r.same(v, (unsigned)below);
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(v)); r.same(v, (unsigned)~below);
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(v)); r.same(v, (unsigned)(below + 1));
  asm("mov.u32 %0, %%warpid;" : "=r"(v)); r.same(v, t / warpSize);
  asm("mad.lo.u32 %0, %%ctaid.x, %%ntid.x, %%tid.x;" : "=r"(v)); r.same(v, t);
  asm("{ .reg .u32 a, b; mov.u32 a, %%smid; mov.u32 b, %%nsmid; set.lt.u32.u32 %0, a, b; }" : "=r"(v)); r.same(v, ~0u);
  unsigned long long first, second;
  asm("mov.u64 %0, %%clock64;" : "=l"(first)); asm("mov.u64 %0, %%globaltimer;" : "=l"(second));
  r.same(first != 0 && second != 0, true);
  asm("mov.u64 %0, %%clock64;" : "=l"(second)); r.same(second >= first, true);
  asm volatile("{ .reg .pred a; setp.lt.u32 a, %1, 3; vote.sync.ballot.b32 %0, a, 0xffffffff; }" : "=r"(v) : "r"(lane)); r.same(v, 7u);
  asm volatile("{ .reg .pred a; setp.lt.u32 a, %1, 3; vote.ballot.sync.b32 %0, a, %2; }" : "=r"(v) : "r"(lane), "r"(-1)); r.same(v, 7u);
  asm volatile("{ .reg .pred a, b; setp.lt.u32 a, %1, 3; vote.sync.any.pred b, a, -1; selp.u32 %0, 1, 0, b; }" : "=r"(v) : "r"(lane)); r.same(v, 1u);
  asm volatile("{ .reg .pred a, b; setp.lt.u32 a, %1, 3; vote.sync.all.pred b, !a, -1; selp.u32 %0, 1, 0, b; }" : "=r"(v) : "r"(lane)); r.same(v, 0u);
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, -1;" : "=r"(v) : "r"(t)); r.same(v, t ^ 1);
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;" : "=r"(v) : "r"(t), "r"(3), "r"(0x1f), "r"(0xffffffffu)); r.same(v, t - low + 3);
  asm volatile("{ .reg .pred q; shfl.sync.up.b32 %0|q, %2, 4, 0, -1; selp.u32 %1, 1, 0, q; }" : "=r"(v), "=r"(ok) : "r"(t));
  r.same(v, low >= 4 ? t - 4 : t); r.same(ok, low >= 4 ? 1u : 0u);
  asm volatile("{ .reg .pred q; shfl.sync.down.b32 %0|q, %2, 2, 0x181f, -1; @!q mov.u32 %0, 0; selp.u32 %1, 1, 0, q; }" : "=r"(v), "=r"(ok) : "r"(t));
  r.same(ok, low % 8 < 6 ? 1u : 0u); r.same(v, low % 8 < 6 ? t + 2 : 0u);
  asm volatile("match.any.sync.b32 %0, %1, -1;" : "=r"(v) : "r"(lane < 5 ? 1 : 2)); r.same(v, lane < 5 ? 31u : ~31u);
  asm volatile("{ .reg .pred q; match.all.sync.b32 %0|q, %2, -1; selp.u32 %1, 1, 0, q; }" : "=r"(v), "=r"(p) : "r"(6)); r.same(v, ~0u); r.same(p, 1u);
  asm volatile("redux.sync.add.s32 %0, %1, -1;" : "=r"(v) : "r"(1)); r.same(v, (unsigned)warpSize);
  asm volatile("redux.sync.max.u32 %0, %1, -1;" : "=r"(v) : "r"(lane)); r.same(v, (unsigned)warpSize - 1);
  asm volatile("activemask.b32 %0;" : "=r"(v)); r.same(v, ~0u);
  asm volatile("{ .reg .pred q; elect.sync _|q, -1; selp.u32 %0, 1, 0, q; }" : "=r"(v)); r.same(v, lane == 0 ? 1u : 0u);
  shared[t] = t;
  asm volatile("bar.sync 0;" ::: "memory"); r.same(shared[127 - t], (int)(127 - t));
  asm volatile("{ .reg .pred q; setp.lt.u32 q, %1, 10; bar.red.popc.u32 %0, 1, q; }" : "=r"(v) : "r"(t)); r.same(v, 10u);
  asm volatile("bar.warp.sync 0xffffffff; barrier.sync 2, 128;" ::: "memory");
  // The second half produces and goes on, the first half waits for it.
  if (t >= 64) { shared[t] = 1000; asm volatile("bar.arrive 3, 128;" ::: "memory"); }
  else { asm volatile("bar.sync 3, 128;" ::: "memory"); }
  r.same(t < 64 ? shared[t + 64] : 1000, 1000);
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  if (t == 5) asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("nanosleep.u32 10;");
  if (t % 2 == 1) { asm volatile("exit;"); }
  __syncthreads();
  r.same(half % 32, 0u);
  if (t % 2 == 0) pairs[(t + 1) * kPairs + 29] = {0, 0};
}

CHECK_MAIN(run, 30, 128)
