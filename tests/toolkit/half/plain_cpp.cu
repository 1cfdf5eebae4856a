// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers in plain C++11, as a library's host files include them: no CUDA words, no language beyond that standard.
// flags: -x c++ -std=c++11
// widths: 32
// tiers: auto
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <library_types.h>

#include <cstdio>

static_assert(CUDA_R_16F == 2 && CUDA_R_16BF == 14 && CUDA_R_8F_E4M3 == 28 && CUDA_R_4F_E2M1 == 33, "published values");

int main() {
  half h(1.5f);
  h += half(2);
  half2 pair = __floats2half2_rn(1.0f, 2.0f) * half2(h, h);
  nv_bfloat16 b = __float2bfloat16(3.0f);
  __nv_fp8_e4m3 eight(3.5f);
  __nv_fp6_e2m3 six(h);
  __nv_fp4_e2m1 four(b);
  float4 tetrad = {1.0f, 2.0f, 3.0f, 4.0f};
  __nv_fp8x4_e5m2 packed(tetrad);
  cudaDataType_t type = CUDA_R_8F_E5M2;
  bool good = float(h) == 3.5f && __low2float(pair) == 3.5f && __high2float(pair) == 7.0f && int(b) == 3 && h > half(b);
  good &= float(eight) == 3.5f && float(six) == 3.5f && float(four) == 3.0f && float4(packed).w == 4.0f && type == 29;
  std::printf("%s\n", good ? "right" : "wrong");
  return good ? 0 : 1;
}
