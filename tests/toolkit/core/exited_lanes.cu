// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp functions with masks that still name lanes which have exited: the others do not wait for them, and what they read
// from each other is right.
#include "check.h"
enum { kThreads = 128 };
__global__ void leave(unsigned* out, unsigned keep) {
  unsigned lane = threadIdx.x % warpSize;
  if (lane >= keep) return;
  unsigned* own = out + threadIdx.x * 6;
  own[0] = __ballot_sync(0xffffffffu, lane % 2 == 0);
  own[1] = __shfl_sync(0xffffffffu, threadIdx.x * 3, 1);
  own[2] = __shfl_up_sync(0xffffffffu, lane + 100, 1);
  own[3] = __reduce_add_sync(0xffffffffu, 1u);
  own[4] = __all_sync(0xffffffffu, lane < keep);
  __shfl_down_sync(0xffffffffu, lane, 1);  // the last lane reads one that is gone: undefined, but no hang
  __syncwarp();
  own[5] = __match_any_sync(0xffffffffu, lane / 2);
}
int main() {
  int width = warpWidth();
  for (unsigned keep : {2u, 5u, 17u, 31u}) {
    unsigned* out = toDevice(std::vector<unsigned>(kThreads * 6, 77));
    leave<<<1, kThreads>>>(out, keep);
    auto got = toHost(out, kThreads * 6);
    unsigned live = (1u << keep) - 1;
    for (unsigned t = 0; t < kThreads; ++t) {
      unsigned lane = t % width, pair = (3u << (lane / 2 * 2)) & live;
      unsigned expected[6] = {0x55555555u & live, (t - lane + 1) * 3, lane ? lane + 99 : 100, keep, 1, pair};
      for (int i = 0; i < 6; ++i) checkEqual("word", t * 6 + i, got[t * 6 + i], lane < keep ? expected[i] : 77);
    }
    cudaFree(out);
  }
  return wrongs() != 0;
}
