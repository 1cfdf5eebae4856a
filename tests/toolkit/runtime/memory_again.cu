// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that was freed and is handed out again: poisoned whole, at its own size, and out of reach in between.
#include "check.h"

#include <vector>

__global__ void fill(unsigned* out, size_t n, unsigned value) {
  size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}

static void once(size_t n, unsigned value) {
  unsigned* memory = nullptr;
  OK(cudaMalloc(&memory, n * sizeof(unsigned)));
  std::vector<unsigned> seen(n);
  OK(cudaMemcpy(seen.data(), memory, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  size_t poisoned = 0;
  for (unsigned word : seen) poisoned += word == 0xffffffffu;
  EXPECT(poisoned == n);
  fill<<<(n + 255) / 256, 256>>>(memory, n, value);
  OK(cudaMemcpy(seen.data(), memory, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  EXPECT(seen.front() == value && seen.back() == value);
  OK(cudaFree(memory));
  // Freed memory is no one's: a kernel that writes to it fails whether or not its pages wait for their next use.
  if (value != 6) return;
  fill<<<1, 1>>>(memory, 1, value);
  GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

int main() {
  const size_t sizes[] = {1 << 20, 3 << 20, (3 << 20) - 1000, 2 << 20, (40 << 20) + 7, 30 << 20};
  for (unsigned i = 0; i < 6; ++i) once(sizes[i], i + 1);
  return failures;
}
