// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Independent progress: threads of one warp take the same lock one after the other, with the release behind the loop;
// one lock for all blocks; a ticket lock; a lane that waits for a flag which a later lane of its warp sets.
#include "check.h"
__global__ void perThread(int* lock, unsigned* count) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *count = *count + threadIdx.x;  // plain accesses: only the lock keeps them apart
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void perBlock(int* lock, unsigned* count) {
  if (threadIdx.x == 0) {
    while (atomicExch(lock, 1) != 0) __nanosleep(20);
  }
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) *count = *count + 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
__global__ void ticket(unsigned* next, volatile unsigned* serving, unsigned* order) {
  unsigned mine = atomicAdd(next, 1u);
  while (*serving != mine) {
  }
  order[mine] = mine ? order[mine - 1] + 1 : 1;
  __threadfence();
  *serving = mine + 1;
}
__device__ bool tryTake(int* lock) { return atomicCAS(lock, 0, 1) == 0; }
__global__ void hidden(int* lock, unsigned* count) {
  bool done = false;
  while (!done) {
    if (tryTake(lock)) {
      *count = *count + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
__global__ void chain(volatile unsigned* flag) {
  unsigned t = threadIdx.x;
  if (t + 1 < blockDim.x) {
    while (flag[t + 1] == 0) {
    }
  }
  flag[t] = t + 1 < blockDim.x ? flag[t + 1] + 1 : 1;
}
int main() {
  int* lock = toDevice(std::vector<int>(1, 0));
  unsigned* count = toDevice(std::vector<unsigned>(512, 0));
  perThread<<<5, 96>>>(lock, count);
  checkEqual("perThread", 0, toHost(count, 1)[0], 5 * 96 * 95 / 2);
  SUCCEEDS(cudaMemset(count, 0, 4));
  perBlock<<<200, 70>>>(lock, count);
  checkEqual("perBlock", 0, toHost(count, 1)[0], 200);
  SUCCEEDS(cudaMemset(count, 0, 512 * 4));
  ticket<<<4, 100>>>(count, count + 1, count + 100);
  checkEqual("ticket", 399, toHost(count + 100, 400)[399], 400);
  SUCCEEDS(cudaMemset(count, 0, 4));
  hidden<<<3, 64>>>(lock, count);
  checkEqual("hidden", 0, toHost(count, 1)[0], 192);
  SUCCEEDS(cudaMemset(count, 0, 512 * 4));
  chain<<<1, 256>>>(count);
  auto got = toHost(count, 256);
  for (unsigned t = 0; t < 256; ++t) checkEqual("chain", t, got[t], 256 - t);
  SUCCEEDS(cudaDeviceSynchronize());
  return wrongs() != 0;
}
