// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that programs use without including their header, because what nvcc reads first brings them along.
__global__ void add(uint32_t* out, uint64_t wide, uint8_t narrow) { *out = wide + narrow; }

int main() {
  srand(time(NULL));
  clock_t start = clock();
  uint32_t *out, result = 0;
  cudaMalloc(&out, sizeof *out);
  add<<<1, 1>>>(out, 5, 3);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  assert(result == 8 && start >= 0 && CLOCKS_PER_SEC > 0 && INT64_MAX > UINT32_MAX);
  printf("%u\n", result);
  return result == 8 ? 0 : 1;
}
