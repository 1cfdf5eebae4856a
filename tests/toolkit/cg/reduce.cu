// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reduce and scans over tiles, wide tiles and coalesced groups, with the usual operators and with one of the user's
// that does not commute.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include "check.h"

namespace cg = cooperative_groups;

struct Affine { unsigned a, b; };  // x -> a x + b, modulo 2^32
struct Compose {
  __device__ Affine operator()(const Affine& f, const Affine& g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};

template <unsigned Size>
__device__ void checkTile(int* bad) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int rank = tile.thread_rank(), n = Size;
  EXPECT(cg::reduce(tile, rank, cg::plus<int>()) == n * (n - 1) / 2);
  EXPECT(cg::reduce(tile, rank - 5, cg::less<int>()) == -5);
  EXPECT(cg::reduce(tile, (unsigned)rank, cg::greater<unsigned>()) == Size - 1);
  EXPECT(cg::reduce(tile, 1u << rank % 32, cg::bit_or<unsigned>()) == (Size >= 32 ? ~0u : (1u << Size % 32) - 1));
  EXPECT(cg::reduce(tile, (double)rank, cg::plus<double>()) == n * (n - 1) / 2);
  EXPECT(cg::reduce(tile, (long long)rank << 33, cg::greater<long long>()) == (long long)(n - 1) << 33);
  EXPECT(cg::reduce(tile, 1.0f) == (float)n);
  Affine own{3u + rank, (unsigned)rank}, total = cg::reduce(tile, own, Compose()), wanted{3, 0}, upTo{3, 0};
  for (int i = 1; i < n; ++i) {
    wanted = Compose()(wanted, Affine{3u + i, (unsigned)i});
    if (i <= rank) upTo = wanted;
  }
  EXPECT(total.a == wanted.a && total.b == wanted.b);
  Affine scanned = cg::inclusive_scan(tile, own, Compose());
  EXPECT(scanned.a == upTo.a && scanned.b == upTo.b);
  EXPECT(cg::inclusive_scan(tile, rank) == rank * (rank + 1) / 2);
  EXPECT(cg::exclusive_scan(tile, rank) == rank * (rank - 1) / 2);
  EXPECT(cg::exclusive_scan(tile, rank, cg::greater<int>()) == (rank ? rank - 1 : -2147483647 - 1));
  auto lambda = [](int x, int y) { return x ^ y; };
  int mixed = 0;
  for (int i = 0; i < n; ++i) mixed ^= i * 7;
  EXPECT(cg::reduce(tile, rank * 7, lambda) == mixed);
}

__global__ void reductions(int* bad) {
  checkTile<4>(bad); checkTile<32>(bad); checkTile<64>(bad); checkTile<128>(bad);
  unsigned lane = threadIdx.x % warpSize;
  if (lane % 3 == 0) {
    auto group = cg::coalesced_threads();
    int n = group.size(), rank = group.thread_rank();
    EXPECT(n == (warpSize + 2) / 3);
    EXPECT(cg::reduce(group, rank, cg::plus<int>()) == n * (n - 1) / 2);
    EXPECT(cg::reduce(group, 0.5f, cg::plus<float>()) == n * 0.5f);
    EXPECT(cg::inclusive_scan(group, 2, cg::plus<int>()) == 2 * (rank + 1));
    EXPECT(cg::exclusive_scan(group, 1) == rank);
  }
}

// 40 threads: the second tile has 8.
__global__ void partial(int* bad) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int count = threadIdx.x < 32 ? 32 : 8;
  const float half = 0.5f;
  EXPECT(cg::reduce(tile, 1, cg::plus<int>()) == count);
  EXPECT(cg::reduce(tile, half, cg::plus<float>()) == count * 0.5f);
  EXPECT(cg::exclusive_scan(tile, 1u) == threadIdx.x % 32);
  EXPECT(tile.shfl(half, 3) == half);
}

int main() { return runChecked(reductions, 1, 128) != 0 || runChecked(partial, 1, 40) != 0; }
