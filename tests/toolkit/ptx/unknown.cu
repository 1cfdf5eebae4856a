// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stderr: PTX instruction 'mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32' is not supported
// stderr: kernel _Z6tensorPf: PTX
// stderr: in inline PTX of tensor(float*)
// An instruction that cannot run here refuses the kernel that needs it, and only that one.
#include <cstdio>

__global__ void tensor(float* out) {
  float a = 0, b = 0, c = 0, d = 0;
  unsigned x = 1;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
               : "+f"(a), "+f"(b), "+f"(c), "+f"(d) : "r"(x));
  *out = a;
}

__global__ void plain(float* out) {
  asm volatile("st.global.f32 [%0], 0f40000000;" :: "l"(out));
}

int main() {
  float* out = nullptr;
  float host = 0;
  cudaMalloc(&out, 4);
  tensor<<<1, 1>>>(out);
  bool refused = cudaGetLastError() != cudaSuccess;
  plain<<<1, 1>>>(out);
  cudaMemcpy(&host, out, 4, cudaMemcpyDeviceToHost);
  printf("%d %f\n", refused, host);
  return !(refused && host == 2.0f);
}
