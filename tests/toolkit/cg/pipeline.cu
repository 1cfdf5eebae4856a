// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipeline and barrier primitives, and the classes over them: a double-buffered copy, producers and consumers that
// meet at barriers in shared memory.
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>
#include "check.h"

__global__ void primitives(int* bad) {
  __shared__ __align__(16) int stage[2][128];
  __shared__ __mbarrier_t barrier;
  int t = threadIdx.x;
  int source[4] = {t, t + 1, t + 2, t + 3};
  if (t == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    __pipeline_memcpy_async(&stage[round % 2][t], &source[round], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    EXPECT(__mbarrier_token_pending_count(token) <= blockDim.x);
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    EXPECT(stage[round % 2][127 - t] == 127 - t + round);
  }
  __align__(16) int filled[4] = {9, 9, 9, 9};
  __pipeline_memcpy_async(filled, source, 16, 8);
  EXPECT(filled[0] == t && filled[1] == t + 1 && filled[2] == 0 && filled[3] == 0);
}

__global__ void classes(int* bad) {
  using nvcuda::experimental::awbarrier;
  __shared__ awbarrier ready, taken;
  __shared__ int buffer[64];
  int t = threadIdx.x;
  if (t == 0) {
    init(&ready, blockDim.x);
    init(&taken, blockDim.x);
  }
  __syncthreads();
  nvcuda::experimental::pipeline pipe;
  for (int round = 0; round < 5; ++round) {
    if (t < 64) {
      int value = round * 100 + t;
      memcpy_async(buffer[t], value, pipe);
      pipe.commit_and_wait();
      ready.arrive();
      taken.arrive_and_wait();
    } else {
      ready.arrive_and_wait();
      EXPECT(buffer[127 - t] == round * 100 + 127 - t);
      taken.arrive();
    }
  }
}

int main() { return runChecked(primitives, 2, 128) != 0 || runChecked(classes, 2, 128) != 0; }
