// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 16-bit values between threads and through memory: shuffles alone and in pairs, atomic additions from many blocks,
// loads and stores with cache hints, shared arrays, unions, wide loads through reinterpret_cast.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

template <class T>
__device__ T number(int value) {
  return T(static_cast<float>(value));
}

template <class T, class T2>
__global__ void shuffles(unsigned* wrong) {
  int lane = static_cast<int>(threadIdx.x) % warpSize;
  unsigned all = 0xffffffffu;
  T mine = number<T>(lane);
  T2 both(mine, number<T>(-lane));
  unsigned bad = 0;
  bad += !(__shfl_sync(all, mine, 5) == number<T>(5));
  bad += !(__shfl_xor_sync(all, mine, 3) == number<T>(lane ^ 3));
  bad += !(__shfl_up_sync(all, mine, 1) == number<T>(lane > 0 ? lane - 1 : 0));
  bad += !(__shfl_down_sync(all, mine, 2, 16) == number<T>(lane % 16 < 14 ? lane + 2 : lane));
  T2 moved = __shfl_xor_sync(all, both, 1);
  bad += !(moved.x == number<T>(lane ^ 1) && moved.y == number<T>(-(lane ^ 1)));
  moved = __shfl_sync(all, both, warpSize - 1);
  bad += !(moved.x == number<T>(warpSize - 1) && moved.y == number<T>(1 - warpSize));
  moved = __shfl_down_sync(all, both, 1, 8);
  bad += !(moved.x == number<T>(lane % 8 < 7 ? lane + 1 : lane));
  moved = __shfl_up_sync(all, both, 4, 8);
  bad += !(moved.y == number<T>(lane % 8 >= 4 ? 4 - lane : -lane));
  // The usual warp sum: 0 + 1 + ... stays exact in half; bfloat16 has 8 digits, so it sums ones.
  T sum = number<T>(1);
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(all, sum, offset);
  bad += !(sum == number<T>(warpSize));
  if (bad) atomicAdd(wrong, bad);
}

template <class T, class T2>
__global__ void additions(T* one, T2* two, unsigned* seen) {
  T old = atomicAdd(one, number<T>(1));
  atomicAdd(two, T2(number<T>(1), number<T>(-2)));
  // Each old value is given out once.
  atomicAdd(&seen[static_cast<int>(static_cast<float>(old))], 1u);
}

union Word {
  unsigned bits;
  __half2 halves;
  __nv_bfloat162 bfloats;
  unsigned short parts[2];
};

__global__ void memory(const __half* in, __half* out, __half2* pairs, unsigned* wrong) {
  __shared__ __half tile[64][2];
  extern __shared__ __half2 dynamicTile[];
  int i = threadIdx.x;
  tile[i][0] = __ldg(&in[i]);
  tile[i][1] = __ldcg(&in[i]) + __ldcs(&in[i]);
  dynamicTile[i] = __ldca(reinterpret_cast<const __half2*>(in) + i / 2);
  __syncthreads();
  int other = 63 - i;
  __stcs(&out[i], tile[other][0] * __half(2) - tile[other][1] + tile[i][0]);
  __stcg(&pairs[i], __hadd2(dynamicTile[other], __half2(tile[i][0], tile[i][1])));
  __syncthreads();
  Word word;
  word.halves = pairs[i];
  unsigned bad =
      word.parts[0] != __half_as_ushort(pairs[i].x) || word.bits >> 16 != __half_as_ushort(__high2half(pairs[i]));
  if (i % 8 == 0) {
    float4 eight = *reinterpret_cast<const float4*>(in + i);
    const __half2* parts = reinterpret_cast<const __half2*>(&eight);
    for (int k = 0; k < 4; ++k) bad += !(parts[k] == __half2(in[i + 2 * k], in[i + 2 * k + 1]));
  }
  bad += !(__lowhigh2highlow(pairs[i]) == __halves2half2(pairs[i].y, pairs[i].x));
  bad += !(__lows2half2(pairs[i], pairs[other]) == __half2(pairs[i].x, pairs[other].x));
  bad += !(__highs2half2(pairs[i], pairs[i]) == __high2half2(pairs[i]));
  if (bad) atomicAdd(wrong, bad);
}

template <class T, class T2>
unsigned checkThreads(const char* name) {
  unsigned* wrong;
  T* one;
  T2* two;
  cudaMallocManaged(&wrong, 1024);
  cudaMallocManaged(&one, sizeof(T));
  cudaMallocManaged(&two, sizeof(T2));
  for (int i = 0; i < 256; ++i) wrong[i] = 0;
  *one = T(0.0f);
  *two = T2(T(0.0f), T(0.0f));
  shuffles<T, T2><<<2, 128>>>(wrong);
  additions<<<16, 16>>>(one, two, wrong);
  cudaDeviceSynchronize();
  unsigned bad = wrong[0] != 1;
  for (int i = 1; i < 256; ++i) bad += wrong[i] != 1;
  bad += !(*one == T(256.0f)) + !(two->x == T(256.0f)) + !(two->y == T(-512.0f));
  printf("%s: %u wrong\n", name, bad);
  return bad;
}

int main() {
  unsigned bad = checkThreads<__half, __half2>("half") + checkThreads<__nv_bfloat16, __nv_bfloat162>("bfloat16");
  __half *in, *out;
  __half2* pairs;
  unsigned* wrong;
  cudaMallocManaged(&in, 256);
  cudaMallocManaged(&out, 256);
  cudaMallocManaged(&pairs, 1024);
  cudaMallocManaged(&wrong, 4);
  *wrong = 0;
  for (int i = 0; i < 128; ++i) in[i] = __half(i * 0.25f);
  memory<<<1, 64, 64 * sizeof(__half2)>>>(in, out, pairs, wrong);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i) bad += !(out[i] == in[i]);
  cudaError_t error = cudaGetLastError();
  printf("%u wrong, %u in memory (%s)\n", bad, *wrong, cudaGetErrorString(error));
  return error || bad || *wrong;
}
