// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// M05: a mask of 32 ones that is a value, not the literal that stands for the whole warp, names lanes 0 to 31 at 64 lanes.
// Votes, matches and reductions are blind to the upper half, which gets the verdict of the lower one; shuffles ignore
// the mask and reach everybody.
#include "oracle.h"
enum { kWords = 8 };
__global__ void kernel(unsigned* out, unsigned full) {
  unsigned t = threadIdx.x, *own = out + t * kWords;
  bool dirty = t % 64 == 40, clean = t % 64 < 50;
  own[0] = __any_sync(full, dirty);
  own[1] = __all_sync(full, clean);
  own[2] = __ballot_sync(full, t % 3 == 0);
  own[3] = __match_any_sync(full, t / 8 % 4);
  own[4] = __reduce_add_sync(full, t);
  own[5] = __shfl_sync(full, t * 2, 45);
  own[6] = __any_sync(0xffffffffu, dirty);
  own[7] = __reduce_max_sync(0xffffffffu, t);
}
int main() {
  const unsigned threads = 128;
  unsigned* out = oracle::output(threads * kWords);
  kernel<<<1, threads>>>(out, 0xffffffffu);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Block block{threads, width};
    oracle::Values expected, doubled = block.each([](unsigned t) { return t * 2; });
    for (unsigned t = 0; t < threads; ++t) {
      auto named = [&](unsigned i) { return block.lane(i) < 32; };
      auto dirty = [](unsigned i) { return i % 64 == 40; };
      unsigned sum = 0;
      for (unsigned i = block.first(t); i < block.first(t) + 32; ++i) sum += i;
      oracle::Values own = {block.lanes(t, dirty, named) != 0,
                            block.lanes(t, [](unsigned i) { return i % 64 >= 50; }, named) == 0,
                            block.ballot(t, [](unsigned i) { return i % 3 == 0; }, named),
                            block.ballot(t, [&](unsigned i) { return i / 8 % 4 == t / 8 % 4; }, named),
                            sum,
                            block.index(doubled, t, 45, width),
                            block.lanes(t, dirty) != 0,
                            block.end(t) - 1};
      expected.insert(expected.end(), own.begin(), own.end());
    }
    return expected;
  });
}
