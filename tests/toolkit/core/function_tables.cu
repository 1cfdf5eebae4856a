// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers to device functions: in __device__ and __constant__ tables, in a table that one kernel fills and another one
// calls through, handed to the host and back, in structs; functions called so use shared memory, meet and take structs.
#include "check.h"
struct Pair {
  double a;
  int b;
};
typedef unsigned (*Operation)(unsigned, unsigned);
typedef Pair (*OfPairs)(Pair, const Pair&);
__device__ unsigned plus(unsigned a, unsigned b) { return a + b; }
__device__ unsigned times(unsigned a, unsigned b) { return a * b; }
__device__ unsigned minus(unsigned a, unsigned b) { return a - b; }
__device__ unsigned fromNeighbour(unsigned a, unsigned b) { return __shfl_xor_sync(0xffffffffu, a, 1) + b; }
__device__ unsigned throughShared(unsigned a, unsigned b) {
  __shared__ unsigned slots[64];
  slots[threadIdx.x] = a;
  __syncthreads();
  unsigned got = slots[63 - threadIdx.x] + b;
  __syncthreads();
  return got;
}
__device__ Pair addPairs(Pair left, const Pair& right) { return {left.a + right.a, left.b + right.b}; }
__device__ Operation table[3] = {plus, times, minus};
__constant__ Operation fixedTable[2] = {fromNeighbour, throughShared};
__device__ Operation filled[3];
__device__ Operation forHost = times;
struct Step {
  Operation operation;
  unsigned operand;
};
__device__ Step steps[3] = {{plus, 5}, {times, 3}, {minus, 7}};
__global__ void fill() {
  filled[0] = minus;
  filled[1] = plus;
  filled[2] = table[1];
}
__global__ void call(unsigned* out, Operation given) {
  unsigned t = threadIdx.x, *own = out + t * 8;
  own[0] = table[t % 3](t, 10);
  own[1] = fixedTable[0](t, 1);
  own[2] = fixedTable[1](t, 2);
  own[3] = filled[t % 3](t, 4);
  own[4] = given(t, 6);
  unsigned value = t;
  for (const Step& step : steps) value = step.operation(value, step.operand);
  own[5] = value;
  OfPairs pairs = t % 2 ? addPairs : nullptr;
  Pair sum = pairs ? pairs({1.5, 2}, {double(t), int(t)}) : Pair{0, 0};
  own[6] = unsigned(sum.a * 2) + sum.b;
  auto lambda = [](unsigned a, unsigned b) { return a ^ b; };
  Operation fromLambda = lambda;
  own[7] = fromLambda(t, 12);
}
int main() {
  unsigned* out = toDevice(std::vector<unsigned>(64 * 8, 0));
  Operation given;
  SUCCEEDS(cudaMemcpyFromSymbol(&given, forHost, sizeof given));
  fill<<<1, 1>>>();
  call<<<1, 64>>>(out, given);
  auto got = toHost(out, 64 * 8);
  for (unsigned t = 0; t < 64; ++t) {
    unsigned o[3] = {t + 10, t * 10, t - 10}, f[3] = {t - 4, t + 4, t * 4};
    unsigned expected[8] = {o[t % 3], (t ^ 1) + 1, 63 - t + 2, f[t % 3], t * 6, (t + 5) * 3 - 7,
                            t % 2 ? unsigned((1.5 + t) * 2) + 2 + t : 0, t ^ 12};
    for (int i = 0; i < 8; ++i) checkEqual("word", t * 8 + i, got[t * 8 + i], expected[i]);
  }
  return wrongs() != 0;
}
