// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C05: a compaction with one atomic for each warp: vote, leader `tid & 31 == 0`, base broadcast from lane 0. At 64 lanes
// two leaders reserve the low half's count each, everybody takes the first one's base, and slots collide: the output is
// no permutation of what was kept.
#include "oracle.h"
__global__ void kernel(unsigned* out, unsigned* count) {
  unsigned t = threadIdx.x, l = t & 31;
  bool keep = t * 11 % 13 < 6;
  unsigned m = __ballot_sync(0xffffffffu, keep);
  unsigned base = 0;
  if (l == 0) base = atomicAdd(count, __popc(m));
  base = __shfl_sync(0xffffffffu, base, 0);
  if (keep) atomicAdd(&out[base + __popc(m & ((1u << l) - 1))], 1000 + t);
}
int main() {
  const unsigned threads = 64;  // one warp of 64, or two of 32 in either order
  unsigned* out = oracle::output(threads + 1);
  cudaMemset(out, 0, (threads + 1) * 4);
  kernel<<<1, threads>>>(out, out + threads);
  auto expected = [&](unsigned width, bool upperFirst) {
    oracle::Block block{threads, width};
    oracle::Values made(threads + 1, 0);
    auto keep = [](unsigned t) { return t * 11 % 13 < 6; };
    unsigned of[2] = {block.ballot(0, keep), block.ballot(32, keep)}, base[2];
    base[upperFirst] = 0;
    base[!upperFirst] = oracle::bits(of[upperFirst]);
    made[threads] = oracle::bits(of[0]) + oracle::bits(of[1]);
    for (unsigned t = 0; t < threads; ++t) {
      unsigned half = t / 32, from = width == 64 ? 0 : half;
      if (keep(t)) made[base[from] + oracle::bits(of[half] & ((1u << t % 32) - 1))] += 1000 + t;
    }
    return made;
  };
  unsigned width = oracle::width();
  oracle::Values first(threads + 1);
  cudaMemcpy(first.data(), out, first.size() * 4, cudaMemcpyDeviceToHost);
  bool upperFirst = first != expected(width, false);
  return oracle::compare(out, expected(width, upperFirst)) | oracle::differs(expected(32, false), expected(64, false));
}
