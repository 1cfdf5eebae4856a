// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of one grid that wait for each other: a prefix sum in one pass in which each block looks back at those before
// it, the last block to finish adding up what the others left, a barrier of the whole grid made of atomics, and the grid
// barrier of a cooperative launch.
#include "check.h"
enum { kThreads = 64, kBlocks = 300 };
__global__ void lookBack(const unsigned* in, unsigned* out, unsigned* ticket, volatile unsigned long long* state) {
  __shared__ unsigned block, before, part[kThreads];
  if (threadIdx.x == 0) block = atomicAdd(ticket, 1u);
  __syncthreads();
  part[threadIdx.x] = in[block * kThreads + threadIdx.x];
  __syncthreads();
  for (unsigned d = 1; d < kThreads; d *= 2) {
    unsigned v = threadIdx.x >= d ? part[threadIdx.x - d] : 0;
    __syncthreads();
    part[threadIdx.x] += v;
    __syncthreads();
  }
  if (threadIdx.x == kThreads - 1) {  // state: 0 nothing, 1 own sum, 2 sum of all up to here; value in the upper half
    unsigned long long own = part[kThreads - 1];
    state[block] = own << 32 | (block == 0 ? 2 : 1);
    unsigned total = 0;
    for (int i = int(block) - 1; i >= 0;) {
      unsigned long long seen = state[i];
      if ((seen & 3) == 0) continue;
      total += unsigned(seen >> 32);
      if ((seen & 3) == 2) break;
      --i;
    }
    __threadfence();
    state[block] = (own + total) << 32 | 2;
    before = total;
  }
  __syncthreads();
  out[block * kThreads + threadIdx.x] = before + part[threadIdx.x];
}
__global__ void lastBlock(const unsigned* in, unsigned* partial, unsigned* arrived, unsigned* out) {
  __shared__ bool last;
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * kThreads + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
    sum = 0;
  }
  __syncthreads();
  if (!last) return;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) atomicAdd(&sum, partial[i]);
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}
__global__ void atomicBarrier(unsigned* arrived, unsigned* data, unsigned* out) {
  for (unsigned round = 1; round <= 3; ++round) {
    if (threadIdx.x == 0) {
      atomicAdd(data + round, blockIdx.x + 1);
      __threadfence();
      atomicAdd(arrived, 1u);
      while (atomicAdd(arrived, 0u) < round * gridDim.x) {
      }
    }
    __syncthreads();
    out[(round - 1) * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x] = data[round];
  }
}
__global__ void gridSync(unsigned* data, unsigned* out) {
  unsigned self = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (unsigned round = 0; round < 4; ++round) {
    if (round == 2 && self % 7 == 3) return;  // threads that have left hold up nobody
    data[self] = self + round;
    __uw_grid_sync();
    out[self] += data[(self * 5 + round) % all];
    __uw_grid_sync();
  }
}
int main() {
  std::vector<unsigned> in(kThreads * kBlocks);
  for (size_t i = 0; i < in.size(); ++i) in[i] = i * 7919 % 1000;
  unsigned *din = toDevice(in), *out = toDevice(in), *scratch = toDevice(std::vector<unsigned>(1024, 0));
  auto* state = toDevice(std::vector<unsigned long long>(kBlocks, 0));
  lookBack<<<kBlocks, kThreads>>>(din, out, scratch, state);
  auto got = toHost(out, in.size());
  unsigned sum = 0;
  for (size_t i = 0; i < in.size(); ++i) checkEqual("lookBack", i, got[i], sum += in[i]);
  for (int again = 0; again < 2; ++again) {
    lastBlock<<<kBlocks, kThreads>>>(din, scratch + 1, scratch + 500, out);
    checkEqual("lastBlock", again, toHost(out, 1)[0], sum);
  }
  SUCCEEDS(cudaMemset(scratch, 0, 4096));
  atomicBarrier<<<40, 33>>>(scratch, scratch + 1, out);
  got = toHost(out, 3 * 40 * 33);
  for (size_t i = 0; i < got.size(); ++i) checkEqual("atomicBarrier", i, got[i], 40 * 41 / 2);
  const unsigned blocks = 20, threads = 48, all = blocks * threads;
  SUCCEEDS(cudaMemset(out, 0, all * 4));
  unsigned* data = toDevice(std::vector<unsigned>(all, 0));
  void* arguments[] = {&data, &out};
  SUCCEEDS(cudaLaunchCooperativeKernel(gridSync, dim3(blocks), dim3(threads), arguments));
  got = toHost(out, all);
  for (unsigned self = 0; self < all; ++self) {
    unsigned expected = 0;
    for (unsigned round = 0; round < (self % 7 == 3 ? 2 : 4); ++round) {
      unsigned from = (self * 5 + round) % all;
      expected += from + (from % 7 == 3 && round > 1 ? 1 : round);
    }
    checkEqual("gridSync", self, got[self], expected);
  }
  return wrongs() != 0;
}
