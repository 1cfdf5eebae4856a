// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores with a cache policy, of scalars, vectors and structures seen through vectors; `__ldcv` sees what
// another block writes meanwhile.
#include <cstdio>

struct Packed {
  unsigned short part[8];
};

__global__ void copy(const int* in, int* out, const float4* vectors, float4* vectorsOut, const Packed* packed,
                     unsigned* wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = __ldg(&in[i]);
  unsigned bad = __ldca(in + i) != value || __ldcg(in + i) != value || __ldcs(in + i) != value;
  bad += __ldlu(in + i) != value || __ldcv(in + i) != value;
  __stcs(&out[i], value + 1);
  float4 v = __ldcs(&vectors[i]);
  float4 again = __ldcv(&vectors[i]);
  bad += v.x != again.x || v.w != again.w;
  __stcg(&vectorsOut[i], make_float4(v.w, v.z, v.y, v.x));
  uint4 bits = __ldg(reinterpret_cast<const uint4*>(packed));
  bad += (bits.w >> 16) != packed->part[7];
  const char* bytes = reinterpret_cast<const char*>(in);
  bad += __ldg(bytes) != bytes[0] || __ldg(reinterpret_cast<const unsigned long long*>(in)) != (1ull << 32);
  if (bad) atomicAdd(wrong, bad);
}

__global__ void wait(int* flag, int* seen) {
  if (blockIdx.x == 0) {
    while (__ldcv(flag) == 0) {
    }
    *seen = __ldcg(flag);
  } else {
    __stwt(flag, 7);
  }
}

int main() {
  const int n = 128;
  int *in, *out, *flag;
  float4 *vectors, *vectorsOut;
  Packed* packed;
  unsigned* wrong;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&vectors, n * sizeof(float4));
  cudaMallocManaged(&vectorsOut, n * sizeof(float4));
  cudaMallocManaged(&packed, sizeof(Packed));
  cudaMallocManaged(&wrong, 4);
  cudaMallocManaged(&flag, 8);
  *wrong = 0;
  flag[0] = flag[1] = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = i;
    vectors[i] = make_float4(i, i + 1, i + 2, i + 3);
  }
  for (int i = 0; i < 8; ++i) packed->part[i] = static_cast<unsigned short>(1000 * i);
  copy<<<4, 32>>>(in, out, vectors, vectorsOut, packed, wrong);
  wait<<<2, 1>>>(flag, flag + 1);
  cudaDeviceSynchronize();
  int bad = flag[1] != 7;
  for (int i = 0; i < n; ++i) bad += out[i] != i + 1 || vectorsOut[i].x != i + 3 || vectorsOut[i].w != i;
  cudaError_t error = cudaGetLastError();
  printf("%u wrong loads, %d wrong values (%s)\n", *wrong, bad, cudaGetErrorString(error));
  return error || *wrong || bad;
}
