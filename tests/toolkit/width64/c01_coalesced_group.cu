// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C01: the group of lanes that took a branch, kept in 32 bits as old coalesced groups did. With 33 to 64 members at 64
// lanes its size, its ranks and the votes inside it are those of the members below lane 32.
#include "oracle.h"
struct Group {
  unsigned mask;
  __device__ unsigned size() const { return __popc(mask); }
  __device__ unsigned rank() const { return __popc(mask & ((1u << threadIdx.x % warpSize) - 1)); }
  __device__ unsigned ballot(bool p) const { return __ballot_sync(mask, p); }
  __device__ unsigned shuffle(unsigned v, unsigned member) const {
    unsigned m = mask;
    while (member-- > 0) m &= m - 1;
    return __shfl_sync(mask, v, __ffs(m) - 1);
  }
};
__global__ void kernel(unsigned* out) {
  unsigned t = threadIdx.x;
  if (t % 8 == 3) return;
  Group group{__activemask()};
  out[t * 4] = group.size();
  out[t * 4 + 1] = group.rank();
  out[t * 4 + 2] = group.ballot(t % 3 == 0);
  out[t * 4 + 3] = group.shuffle(t, 4);
}
int main() {
  const unsigned threads = 192;
  unsigned* out = oracle::output(threads * 4);
  kernel<<<1, threads>>>(out);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Block block{threads, width};
    oracle::Values self = block.each([](unsigned t) { return t; }), expected(threads * 4, oracle::kFill);
    auto member = [](unsigned i) { return i % 8 != 3; };
    for (unsigned t = 0; t < threads; ++t) {
      if (!member(t)) continue;
      unsigned mask = block.ballot(t, member);
      auto named = [&](unsigned i) { return member(i) && block.lane(i) < 32; };
      expected[t * 4] = oracle::bits(mask);
      expected[t * 4 + 1] = oracle::bits(mask & ((1u << block.lane(t) % 32) - 1));
      expected[t * 4 + 2] = block.ballot(t, [](unsigned i) { return i % 3 == 0; }, named);
      expected[t * 4 + 3] = block.index(self, t, 5, width, member);  // member 4 of lanes 0 1 2 4 5 6 ...
    }
    return expected;
  });
}
