// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs one flag per number into 32-bit words, one ballot per word. 32 is the size of a word and silently also the width
// of a warp. WRONG at 64: one ballot covers two words, and the odd word gets the bits of the even one.
#include "check.h"

__global__ void packFlags(const int* values, unsigned* words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned bits = __ballot_sync(0xffffffff, values[i] > 500);
  if ((i & 31) == 0) words[i >> 5] = bits;
}

int main() {
  const int blocks = 20, block = 256, n = blocks * block;
  std::vector<int> values = numbers(n, 1000);
  std::vector<unsigned> expected(n / 32, 0);
  for (int i = 0; i < n; ++i)
    if (values[i] > 500) expected[i / 32] |= 1u << (i % 32);
  DeviceArray<int> device(values);
  DeviceArray<unsigned> words(n / 32);
  packFlags<<<blocks, block>>>(device.get(), words.get());
  finishLaunch();
  return verdict("bitpack", expected, words.toHost());
}
