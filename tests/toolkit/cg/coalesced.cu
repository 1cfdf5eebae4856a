// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of the lanes that are converged: in a branch, after partitions by label and by predicate.
#include <cooperative_groups.h>
#include "check.h"

namespace cg = cooperative_groups;

__device__ int aggregatedAdd(int* counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int old = 0;
  if (active.thread_rank() == 0) old = atomicAdd(counter, active.size());
  return active.shfl(old, 0) + active.thread_rank();
}

__global__ void coalesced(int* bad) {
  __shared__ int counter;
  __shared__ int seen[128];
  auto block = cg::this_thread_block();
  unsigned t = block.thread_rank(), lane = t % warpSize;
  if (t == 0) counter = 0;
  seen[t] = 0;
  block.sync();
  if (t % 3 == 0) {
    int slot = aggregatedAdd(&counter);
    atomicAdd(&seen[slot], 1);
  }
  block.sync();
  EXPECT(counter == 43 && seen[t] == (t < 43));
  if (lane % 2 == 1) {
    auto odd = cg::coalesced_threads();
    unsigned size = warpSize / 2, rank = lane / 2;
    EXPECT(odd.size() == size && odd.thread_rank() == rank);
    EXPECT(odd.shfl(lane, 3) == 7u);
    EXPECT(odd.shfl_up(lane, 2) == (rank >= 2 ? lane - 4 : lane));
    EXPECT(odd.shfl_down(lane, 2) == (rank + 2 < size ? lane + 4 : lane));
    EXPECT(odd.ballot(rank < 4) == 15u && odd.ballot(1) == (size == 32 ? ~0u : (1u << size) - 1));
    EXPECT(odd.any(rank == 1) && odd.all(lane % 2 == 1) && !odd.all(rank == 1));
    EXPECT(odd.match_any(rank / 4) == 15u << rank / 4 * 4);
    int all = 1;
    odd.match_all(rank, all);
    EXPECT(!all);
    auto fours = cg::tiled_partition<4>(odd);
    EXPECT(fours.size() == 4 && fours.thread_rank() == rank % 4 && fours.meta_group_rank() == rank / 4 && fours.meta_group_size() == size / 4);
    EXPECT(fours.shfl(lane, 0) == rank / 4 * 8 + 1);
    auto dynamic = cg::tiled_partition(odd, 2);
    EXPECT(dynamic.shfl(rank, 1) == (rank | 1));
    odd.sync();
  }
  auto tile = cg::tiled_partition<32>(block);
  auto labeled = cg::labeled_partition(tile, tile.thread_rank() / 5);
  EXPECT(labeled.size() == (tile.thread_rank() >= 30 ? 2 : 5) && labeled.thread_rank() == tile.thread_rank() % 5);
  auto halves = cg::binary_partition(tile, tile.thread_rank() < 10);
  EXPECT(halves.size() == (tile.thread_rank() < 10 ? 10 : 22));
  EXPECT(halves.shfl(tile.thread_rank(), 1) == (tile.thread_rank() < 10 ? 1u : 11u));
  int count = 0;
  cg::invoke_one(tile, [&] { count = 1; });
  EXPECT(count == (tile.thread_rank() == 0));
  EXPECT(cg::invoke_one_broadcast(tile, [](int x) { return x * 2; }, (int)tile.meta_group_rank()) == (int)tile.meta_group_rank() * 2);
  cg::thread_group base = labeled;
  EXPECT(base.size() == labeled.size() && base.thread_rank() == labeled.thread_rank());
}

int main() { return runChecked(coalesced, 2, 128) != 0; }
