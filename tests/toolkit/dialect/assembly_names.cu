// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special registers in inline assembly with one percent sign, as much public code writes them: nvcc takes both.
#include <cstdio>

#define READ(to, name) asm volatile("mov.u32 %0, " name ";" : "=r"(to))
#define LANE(to) asm("mov.u32 %0, %laneid;" : "=r"(to))

__global__ void names(unsigned* out) {
  unsigned sum, lane, shape, local;
  asm volatile(
      "{\n\t.reg .u32 t;\n\t"
      "mov.u32 t, %ctaid.x;\n\tadd.u32 t, t, %tid.x;\n\t"
      "add.u32 %0, t, %ntid.x;\n\t}"
      : "=r"(sum));
  LANE(lane);
  READ(shape, "%nctaid.x");
  asm("{ .reg .u32 %r1; mov.u32 %r1, %%tid.x; add.u32 %0, %r1, 1; }" : "=r"(local));
  unsigned long long time;
  asm volatile("mov.u64 %0, %clock64;" : "=l"(time));
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sum == blockIdx.x + threadIdx.x + blockDim.x && lane == threadIdx.x && shape == gridDim.x &&
           local == threadIdx.x + 1 && time != 0;
}

int main() {
  unsigned* out;
  if (cudaMallocManaged(&out, 64 * sizeof *out) != cudaSuccess) return 1;
  names<<<2, 32>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int wrong = 0;
  for (int i = 0; i < 64; ++i) wrong += out[i] != 1;
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
