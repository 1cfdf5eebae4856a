// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The macros that switch conversions and operators off, as PyTorch sets them: functions still work, a program may bring
// operators of its own, and nothing converts by itself.
// flags: -D__CUDA_NO_HALF_OPERATORS__ -D__CUDA_NO_HALF_CONVERSIONS__ -D__CUDA_NO_HALF2_OPERATORS__
// flags: -D__CUDA_NO_BFLOAT16_CONVERSIONS__ -D__CUDA_NO_BFLOAT16_OPERATORS__ -D__CUDA_NO_BFLOAT162_OPERATORS__
// flags: -D__CUDA_NO_FP8_CONVERSIONS__ -D__CUDA_NO_FP8_CONVERSION_OPERATORS__ -DCUDA_NO_HALF
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdio>
#include <type_traits>

static_assert(!std::is_convertible<float, __half>::value && !std::is_convertible<__half, float>::value, "off");
static_assert(!std::is_constructible<__nv_bfloat16, int>::value && !std::is_constructible<__nv_fp8_e4m3, float>::value,
              "off");
static_assert(!std::is_constructible<float, __nv_fp8_e5m2>::value, "off");

// With CUDA_NO_HALF the short names belong to the program.
struct half {
  __half value;
};
__host__ __device__ half operator+(half a, half b) {
  return {__hadd(a.value, b.value)};
}
__host__ __device__ __half2 operator*(const __half2& a, const __half2& b) {
  return __hmul2_rn(a, b);
}
__host__ __device__ bool operator==(const __half& a, const __half& b) {
  return __heq(a, b);
}

__global__ void check(int* wrong) {
  half sum = half{__float2half(1.5f)} + half{__int2half_rn(2)};
  __half2 product = __float2half2_rn(3.0f) * __floats2half2_rn(0.5f, 2.0f);
  __nv_bfloat16 b = __hadd(__float2bfloat16(1.0f), __double2bfloat16(0.5));
  __nv_fp8_storage_t e = __nv_cvt_float_to_fp8(1.0f, __NV_SATFINITE, __NV_E4M3);
  __half raw = __nv_cvt_fp8_to_halfraw(e, __NV_E4M3);
  *wrong = !(sum.value == __float2half(3.5f)) + (__low2float(product) != 1.5f) + (__high2float(product) != 6.0f) +
           (__bfloat162float(b) != 1.5f) + (__half2float(raw) != 1.0f);
}

int main() {
  int* wrong;
  cudaMallocManaged(&wrong, 4);
  check<<<1, 1>>>(wrong);
  cudaDeviceSynchronize();
  cudaError_t error = cudaGetLastError();
  printf("%d wrong (%s)\n", *wrong, cudaGetErrorString(error));
  return error || *wrong;
}
