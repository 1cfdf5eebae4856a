// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that call themselves or each other, to depths that differ from lane to lane, with meetings at the bottom and
// with arrays on the stack.
#include "check.h"
__host__ __device__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__host__ __device__ bool isOdd(unsigned n);
__host__ __device__ bool isEven(unsigned n) { return n == 0 || isOdd(n - 1); }
__host__ __device__ bool isOdd(unsigned n) { return n != 0 && isEven(n - 1); }
__host__ __device__ unsigned ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ unsigned descend(unsigned depth, const unsigned* above) {
  unsigned own[16];
  for (unsigned i = 0; i < 16; ++i) own[i] = above[i] + i * depth;
  if (depth == 0) return __shfl_xor_sync(0xffffffffu, own[3], 1);
  unsigned below = descend(depth - 1, own);
  return below + own[depth % 16];
}
__host__ __device__ void sort(unsigned* data, int low, int high) {
  if (low >= high) return;
  unsigned pivot = data[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (data[i] < pivot) ++i;
    while (data[j] > pivot) --j;
    if (i <= j) {
      unsigned keep = data[i];
      data[i++] = data[j];
      data[j--] = keep;
    }
  }
  sort(data, low, j);
  sort(data, i, high);
}
__global__ void run(unsigned* out, unsigned* data) {
  unsigned t = threadIdx.x;
  out[t * 4] = fibonacci(t % 15);
  out[t * 4 + 1] = isEven(t);
  out[t * 4 + 2] = ackermann(2, t % 7);
  unsigned start[16];
  for (unsigned i = 0; i < 16; ++i) start[i] = t;
  out[t * 4 + 3] = descend(t / 2 % 9, start);  // pairs of lanes go equally deep, all of a warp meet at the bottom
  sort(data + t * 40, 0, 39);
}
unsigned descended(unsigned t) {
  unsigned depth = t / 2 % 9, own[10][16], sum = 0;
  for (unsigned i = 0; i < 16; ++i) own[depth][i] = t + i * depth;
  for (unsigned d = depth; d-- > 0;)
    for (unsigned i = 0; i < 16; ++i) own[d][i] = own[d + 1][i] + i * d;
  for (unsigned d = depth; d > 0; --d) sum += own[d][d % 16];
  unsigned bottom = t ^ 1;  // the neighbour's start, same depth
  for (unsigned d = depth + 1; d-- > 0;) bottom += 3 * d;
  return sum + bottom;
}
int main() {
  const unsigned threads = 128;
  std::vector<unsigned> data(threads * 40);
  for (size_t i = 0; i < data.size(); ++i) data[i] = i * 2654435761u >> 16;
  unsigned *out = toDevice(std::vector<unsigned>(threads * 4, 0)), *d = toDevice(data);
  run<<<1, threads>>>(out, d);
  auto got = toHost(out, threads * 4);
  auto sorted = toHost(d, data.size());
  for (unsigned t = 0; t < threads; ++t) {
    checkEqual("fibonacci", t, got[t * 4], fibonacci(t % 15));
    checkEqual("isEven", t, got[t * 4 + 1], isEven(t));
    checkEqual("ackermann", t, got[t * 4 + 2], ackermann(2, t % 7));
    checkEqual("descend", t, got[t * 4 + 3], descended(t));
    sort(data.data() + t * 40, 0, 39);
  }
  for (size_t i = 0; i < data.size(); ++i) checkEqual("sorted", i, sorted[i], data[i]);
  return wrongs() != 0;
}
