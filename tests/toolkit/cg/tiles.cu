// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks and tiles of every size: ranks, shuffles, votes relative to the tile, matches, tiles of tiles, dynamic tiles,
// tiles over several warps.
#include <cooperative_groups.h>
#include "check.h"

namespace cg = cooperative_groups;

template <int Size>
__device__ void checkTile(int* bad) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<Size>(block);
  static_assert(tile.size() == Size);
  int rank = tile.thread_rank(), base = block.thread_rank() - rank, all = 0;
  EXPECT(rank == block.thread_rank() % Size);
  EXPECT(tile.meta_group_rank() == block.thread_rank() / Size && tile.meta_group_size() == block.size() / Size);
  EXPECT(tile.shfl((int)block.thread_rank(), 0) == base);
  EXPECT(tile.shfl_xor((int)block.thread_rank(), Size / 2) == ((int)block.thread_rank() ^ (Size / 2)));
  EXPECT(tile.shfl_down(rank, 1) == (rank + 1 < Size ? rank + 1 : rank));
  EXPECT(tile.shfl_up(rank, 1) == (rank ? rank - 1 : 0));
  struct Big { double x; int y[5]; } big{rank * 1.5, {rank}};
  Big other = tile.shfl(big, Size - 1);
  EXPECT(other.x == (Size - 1) * 1.5 && other.y[0] == Size - 1);
  unsigned full = Size == 32 ? ~0u : (1u << Size % 32) - 1;
  EXPECT(tile.ballot(1) == full);
  EXPECT(tile.ballot(rank == 0) == 1u);
  EXPECT(tile.any(rank == Size - 1) && !tile.any(0) && tile.all(1) && (Size == 1 || !tile.all(rank == 0)));
  EXPECT(tile.match_any(rank == 0 ? 1 : 2) == (rank == 0 ? 1u : full & ~1u));
  EXPECT(tile.match_all(5.0, all) == full && all);
  tile.sync();
  cg::sync(tile);
}

__device__ int sumOf(const cg::thread_group& group, int* scratch, int value) {
  scratch[group.thread_rank()] = value;
  group.sync();
  int total = 0;
  for (unsigned i = 0; i < group.size(); ++i) total += scratch[i];
  group.sync();
  return total;
}

__device__ int takesBase(const cg::thread_block_tile<16>& tile) { return tile.shfl(7, 0) + tile.meta_group_size(); }

template <unsigned Size>
__device__ void checkWide(int* bad) {
  __shared__ int values[256];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<Size>(block);
  EXPECT(tile.size() == Size && tile.thread_rank() == block.thread_rank() % Size);
  values[block.thread_rank()] = block.thread_rank();
  tile.sync();
  EXPECT(values[block.thread_rank() ^ (Size - 1)] == (int)(block.thread_rank() ^ (Size - 1)));
  EXPECT(tile.any(block.thread_rank() == 1) == (block.thread_rank() < Size));
  EXPECT(tile.all(block.thread_rank() != 1) == (block.thread_rank() >= Size));
  block.sync();
}

__global__ void tiles(int* bad) {
  checkTile<1>(bad); checkTile<2>(bad); checkTile<4>(bad); checkTile<8>(bad); checkTile<16>(bad); checkTile<32>(bad);
  checkWide<64>(bad); checkWide<128>(bad);
  auto block = cg::this_thread_block();
  EXPECT(block.group_index().x == blockIdx.x && block.thread_index().y == threadIdx.y && block.dim_threads().x == blockDim.x);
  EXPECT(block.num_threads() == blockDim.x * blockDim.y && cg::group_size(block) == block.size());
  auto tile32 = cg::tiled_partition<32>(block);
  auto tile16 = cg::tiled_partition<16>(tile32);
  EXPECT(tile16.meta_group_size() == 2 && tile16.meta_group_rank() == tile32.thread_rank() / 16);
  EXPECT(takesBase(tile16) == 9);
  __shared__ int scratch[256];
  EXPECT(sumOf(block, scratch, 1) == (int)block.size());
  cg::thread_group dynamic = cg::tiled_partition(block, 8);
  EXPECT(dynamic.size() == 8 && dynamic.thread_rank() == block.thread_rank() % 8);
  EXPECT(sumOf(dynamic, scratch + block.thread_rank() / 8 * 8, 2) == 16);
  cg::thread_group pairs = cg::tiled_partition(dynamic, 2);
  EXPECT(pairs.size() == 2 && sumOf(pairs, scratch + block.thread_rank() / 2 * 2, block.thread_rank()) == (int)(block.thread_rank() / 2 * 4 + 1));
  cg::thread_group alone = cg::this_thread();
  alone.sync();
  EXPECT(alone.size() == 1 && alone.thread_rank() == 0);
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  EXPECT(cluster.num_blocks() == 1 && cluster.thread_rank() == block.thread_rank() && cluster.map_shared_rank(scratch, 0) == scratch);
  cg::grid_group grid = cg::this_grid();
  EXPECT(grid.size() == gridDim.x * block.size() && grid.thread_rank() == blockIdx.x * block.size() + block.thread_rank());
}

int main() { return runChecked(tiles, 3, dim3(64, 4)) != 0; }
