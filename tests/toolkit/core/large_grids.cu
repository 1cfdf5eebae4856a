// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A million blocks of little, with and without meetings; grids and blocks of three dimensions; block indices that do not
// fit 16 bits in each dimension that allows it; the largest block.
#include "check.h"
__global__ void count(unsigned long long* sum) {
  if (blockIdx.x % 1000 == 999) atomicAdd(sum, (unsigned long long)blockIdx.x);
}
__global__ void countWithBarrier(unsigned long long* sum) {
  __shared__ unsigned block;
  if (threadIdx.x == 0) block = blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 1 && block % 1000 == 999) atomicAdd(sum, (unsigned long long)block);
}
__global__ void places(unsigned* out, unsigned* visits) {
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned all = blockDim.x * blockDim.y * blockDim.z, self = block * all + thread;
  atomicAdd(&visits[self], 1u);
  unsigned lane = __ballot_sync(0xffffffffu, 1) ? thread % warpSize : 0;
  out[self] = threadIdx.x + 100 * threadIdx.y + 10000 * threadIdx.z + 1000000 * lane;
}
__global__ void wholeBlock(unsigned* out) {
  __shared__ unsigned s[1024];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.y] = s[1023] + gridDim.y;
}
int main() {
  auto* sum = toDevice(std::vector<unsigned long long>(1, 0));
  unsigned long long expected = 0;
  for (unsigned b = 999; b < 1000000; b += 1000) expected += b;
  count<<<1000000, 1>>>(sum);
  checkEqual("count", 0, toHost(sum, 1)[0], expected);
  SUCCEEDS(cudaMemset(sum, 0, 8));
  countWithBarrier<<<1000000, 2>>>(sum);
  checkEqual("countWithBarrier", 0, toHost(sum, 1)[0], expected);
  int width = warpWidth();
  for (dim3 block : {dim3(4, 5, 3), dim3(1, 1, 64), dim3(33, 2, 1), dim3(1, 70, 2)}) {
    dim3 grid(3, 4, 2);
    unsigned threads = block.x * block.y * block.z, all = threads * 24;
    unsigned *out = toDevice(std::vector<unsigned>(all, 0)), *visits = toDevice(std::vector<unsigned>(all, 0));
    places<<<grid, block>>>(out, visits);
    auto got = toHost(out, all), seen = toHost(visits, all);
    for (unsigned i = 0; i < all; ++i) {
      unsigned t = i % threads, x = t % block.x, y = t / block.x % block.y, z = t / block.x / block.y;
      checkEqual("visits", i, seen[i], 1);
      checkEqual("places", i, got[i], x + 100 * y + 10000 * z + 1000000 * (t % width));
    }
  }
  unsigned* out = toDevice(std::vector<unsigned>(3, 0));
  wholeBlock<<<dim3(1, 3), 1024>>>(out);
  for (unsigned y = 0; y < 3; ++y) checkEqual("wholeBlock", y, toHost(out, 3)[y], 1026);
  SUCCEEDS(cudaGetLastError());
  count<<<dim3(1, 65535, 1), 1>>>(sum);
  count<<<dim3(1, 1, 65535), 1>>>(sum);
  SUCCEEDS(cudaDeviceSynchronize());
  return wrongs() != 0;
}
