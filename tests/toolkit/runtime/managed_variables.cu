// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One memory for host and device: first values are there before any call of the API, writes of each side are seen by the other.
#include "check.h"
struct Pair {
  int a;
  float b;
};
__managed__ int counter = 41;
__managed__ float table[4] = {1, 2, 3, 4};
__device__ __managed__ Pair pair = {7, 0.5f};
static __managed__ long long hidden;
namespace inner {
__managed__ double scale = 2.5;
}
__global__ void step() {
  counter += 1;
  table[threadIdx.x] *= 10;
  if (threadIdx.x == 0) {
    pair.a += counter;
    hidden = 123456789012LL;
    inner::scale *= 2;
  }
}
int main() {
  EXPECT(counter == 41 && table[3] == 4 && pair.a == 7 && pair.b == 0.5f && hidden == 0 && inner::scale == 2.5);
  counter = 100;
  table[1] = 20;
  step<<<1, 1>>>();
  OK(cudaDeviceSynchronize());
  EXPECT(counter == 101 && table[0] == 10 && table[1] == 20 && pair.a == 108);
  EXPECT(hidden == 123456789012LL && inner::scale == 5.0);
  void* address = nullptr;
  OK(cudaGetSymbolAddress(&address, counter));
  EXPECT(address == &counter);
  int five = 5, back = 0;
  OK(cudaMemcpyToSymbol(counter, &five, sizeof five));
  EXPECT(counter == 5);
  OK(cudaMemcpyFromSymbol(&back, counter, sizeof back));
  EXPECT(back == 5);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, &counter));
  EXPECT(attributes.type == cudaMemoryTypeManaged);
  OK(cudaMemAdvise(table, sizeof table, cudaMemAdviseSetReadMostly, 0));
  return failures;
}
