// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the even numbers: each warp votes, its first lane reserves room, each lane stores at its rank in the vote.
// WRONG at 64: the vote is kept in 32 bits, rank and leader are counted modulo 32, and two groups get one base.
#include <algorithm>

#include "check.h"

__global__ void compactEven(const int* values, int* kept, int* count) {
  int lane = threadIdx.x & 31;
  int value = values[blockIdx.x * blockDim.x + threadIdx.x];
  bool keep = value % 2 == 0;
  unsigned votes = __ballot_sync(0xffffffff, keep);
  int base = 0;
  if (lane == 0) base = atomicAdd(count, __popc(votes));
  base = __shfl_sync(0xffffffff, base, 0);
  if (keep) kept[base + __popc(votes & ((1u << lane) - 1))] = value;
}

int main() {
  const int blocks = 40, block = 256, n = blocks * block;
  std::vector<int> values = numbers(n, 1000), expected;
  for (int value : values)
    if (value % 2 == 0) expected.push_back(value);
  DeviceArray<int> device(values), kept(2 * n), count(1);
  compactEven<<<blocks, block>>>(device.get(), kept.get(), count.get());
  finishLaunch();
  std::vector<int> actual = kept.toHost();
  actual.resize(std::min<std::size_t>(count.toHost()[0], actual.size()));
  std::sort(expected.begin(), expected.end());  // groups arrive in any order
  std::sort(actual.begin(), actual.end());
  if (actual.size() != expected.size()) {
    std::printf("FAIL compact_ballot: kept %zu numbers instead of %zu\n", actual.size(), expected.size());
    return 1;
  }
  return verdict("compact_ballot", expected, actual);
}
