// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W09: the host launches one block for `threads / 32` rows, the kernel gives each warp one row. At 64 lanes half of the
// rows have no warp: their results keep the fill pattern.
#include "oracle.h"
__global__ void rowSums(unsigned* out, unsigned columns, unsigned rows) {
  unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, sum = 0;
  if (row >= rows) return;
  for (unsigned c = threadIdx.x % warpSize; c < columns; c += warpSize) sum += row * 7 + c;
  for (unsigned o = warpSize / 2; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
  if (threadIdx.x % warpSize == 0) out[row] = sum;
}
int main() {
  const unsigned rows = 48, columns = 90, threads = 128;
  unsigned* out = oracle::output(rows);
  rowSums<<<rows / (threads / 32), threads>>>(out, columns, rows);
  return oracle::judge(out, [&](unsigned width) {
    oracle::Values expected(rows, oracle::kFill);
    for (unsigned row = 0; row < rows / (threads / 32) * threads / width; ++row) {
      expected[row] = row * 7 * columns + columns * (columns - 1) / 2;
    }
    return expected;
  });
}
