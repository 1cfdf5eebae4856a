// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How programs write 16-bit code: conversions from and to the built-in types, assignments from them, initialisers,
// constants, templates, device and constant variables, a tiled product with float sums, a softmax in pairs.
#include <cuda_bf16.h>
#include <cuda_fp16.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <type_traits>
#include <vector>

static_assert(sizeof(half) == 2 && alignof(half) == 2 && sizeof(half2) == 4 && alignof(half2) == 4, "layout");
static_assert(std::is_trivially_copyable<half>::value && std::is_trivially_copyable<nv_bfloat162>::value, "unions");
static_assert(std::is_convertible<float, half>::value && std::is_convertible<half, float>::value, "implicit");
static_assert(!std::is_convertible<nv_bfloat16, half>::value, "explicit");

__constant__ half weights[4];
__device__ half2 total;
__device__ const unsigned short kBits = 0x3c00;

template <class T>
__host__ __device__ int wrongScalars() {
  T zero = 0.0f, one(1), two = 2.0, three(3u), seven = 7LL, list{1.5f}, empty = {};
  T copy = one;
  int wrong = 0;
  wrong += !(empty == zero) + !(copy == T(1.0f)) + !(list < two) + !(seven > three) + !(-one < zero) + !(one != two);
  copy += 2.0f;
  copy *= two;
  copy -= 1;
  copy /= T(5);
  wrong += !(copy == one);
  copy = 4;
  copy = 4.5;
  copy = static_cast<short>(3);
  wrong += !(copy++ == three) + !(--copy == three);
  float single = three * two + one;
  double wide = seven;
  int whole = T(-2.75f);
  unsigned natural = T(2.75f);
  long long large = T(-100.5f);
  unsigned char byte = T(300.0f);
  wrong += single != 7.0f || wide != 7.0 || whole != -2 || natural != 2 || large != -100 || byte != 255;
  wrong += zero ? 1 : 0;
  if (!one) ++wrong;
  wrong += (one && two) ? 0 : 1;
  T chosen = single > 3 ? two : three;
  wrong += static_cast<float>(chosen) * 2.0f != 4.0f || static_cast<double>(chosen) / 4 != 0.5 ||
           static_cast<int>(chosen) != 2;
  T array[3] = {one, T(2.0f), 3.0f};
  T sum = T(0);
  for (T& element : array) sum += element;
  wrong += !(sum == T(6.0f));
  volatile T stored;
  stored = one;
  return wrong;
}

__host__ __device__ int wrongPairs() {
  half2 zero = {}, pair(1.0f, 2.0f), list{3.0f, 4.0f}, made = make_half2(half(5), half(6)),
        both = __float2half2_rn(0.5f);
  zero = {};  // clang must not see two candidates
  int wrong = 0;
  wrong += !(zero == half2(half(0.0f), half(0.0f))) + !(pair + list == half2(4.0f, 6.0f)) +
           !(list * both == half2(1.5f, 2.0f));
  made -= pair;
  made /= half2(2.0f, 4.0f);
  wrong += !(made == half2(2.0f, 1.0f)) + !(made != pair) + !(-made < zero);
  float2 floats = __half22float2(__hfma2(pair, list, both));
  wrong += floats.x != 3.5f || floats.y != 8.5f;
  wrong += __low2float(pair) != 1.0f || __high2float(pair) != 2.0f || !(__hmax2(pair, both) == pair);
  half2 fromFloats = __floats2half2_rn(0.1f, 0.2f), same = __float22half2_rn(make_float2(0.1f, 0.2f));
  wrong += !(fromFloats == same) || !__hbeq2(fromFloats, same);
  unsigned bits = *reinterpret_cast<unsigned*>(&pair);
  wrong += bits != 0x40003c00u || __half_as_ushort(pair.x) != 0x3c00;
  __half_raw raw = pair.y;
  half back = raw;
  __half2_raw rawPair = pair;
  half2 backPair(rawPair);
  wrong += raw.x != 0x4000 || !(back == half(2.0f)) || !(backPair == pair);
  nv_bfloat162 product = __hmul2(__float2bfloat162_rn(3.0f), __floats2bfloat162_rn(1.0f, 0.5f));
  float2 products = __bfloat1622float2(product);
  wrong += products.x != 3.0f || products.y != 1.5f || !(half(product.x) == half(3.0f)) ||
           !(nv_bfloat16(half(1.5f)) == product.y);
  wrong += !__hisinf(CUDART_INF_FP16) || !__hisnan(CUDART_NAN_FP16) || !(CUDART_ONE_BF16 == nv_bfloat16(1.0f));
  wrong += static_cast<float>(CUDART_MAX_NORMAL_FP16) != 65504.0f || !(CUDART_MIN_DENORM_FP16 > CUDART_ZERO_FP16);
  half2 complex = __hcmadd(half2(1.0f, 2.0f), half2(3.0f, 4.0f), half2(0.5f, 0.25f));
  return wrong + !(complex == half2(-4.5f, 10.25f));
}

// The shape of a tensor-core-free GEMM: half tiles, float accumulators.
__global__ void multiply(const half* a, const half* b, half* c, int n) {
  __shared__ half left[16][16], right[16][16 + 1];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 16) {
    left[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += __half2float(left[threadIdx.y][k]) * (float)right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = __float2half(sum);
}

// Row maximum and sum over one warp, in pairs.
__global__ void softmax(const half2* in, half2* out) {
  half2 x = in[threadIdx.x];
  half largest = __hmax(x.x, x.y);
  for (int offset = warpSize / 2; offset > 0; offset >>= 1)
    largest = __hmax(largest, __shfl_xor_sync(0xffffffffu, largest, offset));
  half2 e = h2exp(__hsub2(x, __half2half2(largest)));
  float sum = __low2float(e) + __high2float(e);
  for (int offset = warpSize / 2; offset > 0; offset >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  out[threadIdx.x] = __h2div(e, __float2half2_rn(sum));
}

__global__ void check(int* wrong) {
  *wrong = wrongScalars<half>() + wrongScalars<nv_bfloat16>() + wrongPairs();
  total = __halves2half2(weights[0] + weights[1], weights[2] * weights[3]);
  *wrong += !(total == half2(3.0f, 12.0f)) + !(__ushort_as_half(kBits) == half(1));
}

int main() {
  int host = wrongScalars<half>() + wrongScalars<nv_bfloat16>() + wrongPairs();
  half values[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  cudaMemcpyToSymbol(weights, values, sizeof values);
  int* wrong;
  cudaMallocManaged(&wrong, 4);
  check<<<1, 1>>>(wrong);
  const int n = 32;
  half *a, *c;
  half2* e;
  cudaMallocManaged(&a, n * n * sizeof(half));
  cudaMallocManaged(&c, n * n * sizeof(half));
  cudaMallocManaged(&e, 64 * sizeof(half2));
  for (int i = 0; i < n * n; ++i) a[i] = half(i % 7 - 3);
  multiply<<<dim3(2, 2), dim3(16, 16)>>>(a, a, c, n);
  int lanes = 32;
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  lanes = properties.warpSize;
  for (int i = 0; i < lanes; ++i) e[i] = half2(float(i % 5), -1.0f);
  softmax<<<1, lanes>>>(e, e);
  cudaDeviceSynchronize();
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += float(a[row * n + k]) * float(a[k * n + column]);
      host += !(c[row * n + column] == half(sum));
    }
  }
  float sum = 0;
  for (int i = 0; i < lanes; ++i) sum += float(e[i].x) + float(e[i].y);
  host += std::fabs(sum - 1) > 0.01f;
  std::vector<half> sorted = {3.0f, -1.0f, 2.0f};
  std::sort(sorted.begin(), sorted.end());
  host += !(sorted[0] == half(-1.0f)) + !(std::max(sorted[1], sorted[2]) == half(3.0f));
  cudaError_t error = cudaGetLastError();
  printf("%d wrong on the device, %d on the host (%s)\n", *wrong, host, cudaGetErrorString(error));
  return error || *wrong || host;
}
