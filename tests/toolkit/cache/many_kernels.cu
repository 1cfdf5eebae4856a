// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Twelve kernels that take a while to compile, in both tiers, each with a result that the host knows: what
// run_shared_cache.py lets many processes compile at once. Alone it is an ordinary program that checks itself.
#include <cstdio>

constexpr int kThreads = 192;
constexpr int kBlocks = 3;

__host__ __device__ unsigned mixed(unsigned x, unsigned salt) {
  for (unsigned round = 0; round < 5 + salt; ++round) {
    x ^= x >> (7 + salt % 5);
    x = x * 2654435761u + salt;
    x = (x << (salt % 31)) | (x >> (31 - salt % 31));
  }
  return x;
}

template <unsigned Salt>
__global__ void alone(const unsigned* in, unsigned* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = mixed(in[i], Salt);
}

template <unsigned Salt>
__global__ void together(const unsigned* in, unsigned* out) {
  __shared__ unsigned row[kThreads];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  row[threadIdx.x] = mixed(in[i], Salt);
  __syncthreads();
  out[i] = row[kThreads - 1 - threadIdx.x];
}

template <class Kernel>
int check(Kernel kernel, unsigned salt, bool reversed, const unsigned* in, unsigned* out) {
  kernel<<<kBlocks, kThreads>>>(in, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int wrong = 0;
  for (int block = 0; block < kBlocks; ++block) {
    for (int t = 0; t < kThreads; ++t) {
      int from = block * kThreads + (reversed ? kThreads - 1 - t : t);
      wrong += out[block * kThreads + t] != mixed(in[from], salt);
    }
  }
  if (wrong) std::printf("salt %u%s: %d words are wrong\n", salt, reversed ? " together" : "", wrong);
  return wrong;
}

template <unsigned Salt>
int checkBoth(const unsigned* in, unsigned* out) {
  return check(alone<Salt>, Salt, false, in, out) + check(together<Salt>, Salt, true, in, out);
}

int main() {
  unsigned *in, *out;
  cudaMallocManaged(&in, kBlocks * kThreads * sizeof *in);
  cudaMallocManaged(&out, kBlocks * kThreads * sizeof *out);
  for (int i = 0; i < kBlocks * kThreads; ++i) in[i] = i * 40503u;
  int wrong = checkBoth<1>(in, out) + checkBoth<2>(in, out) + checkBoth<3>(in, out) + checkBoth<4>(in, out) +
              checkBoth<5>(in, out) + checkBoth<6>(in, out);
  return wrong != 0;
}
