// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects with virtual functions, made by one kernel with device `new`, used by another and deleted by a third; with
// multiple inheritance, a virtual call that meets, device memory from `malloc`, and objects built in memory of the host's
// choosing.
#include "check.h"
#include <new>
struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual unsigned area(unsigned scale) const = 0;
  __device__ virtual unsigned shared(unsigned value) const { return value; }
};
struct Named {
  unsigned name = 0;
  __device__ virtual unsigned who() const { return name; }
  __device__ virtual ~Named() {}
};
__device__ unsigned destroyed;
struct Square : Shape, Named {
  unsigned side;
  __device__ Square(unsigned s) : side(s) { name = 1000 + s; }
  __device__ unsigned area(unsigned scale) const override { return side * side * scale; }
  __device__ unsigned shared(unsigned value) const override { return __reduce_add_sync(0xffffffffu, value); }
  __device__ ~Square() override { atomicAdd(&destroyed, 1u); }
};
struct Line : Shape {
  unsigned *points, count;
  __device__ Line(unsigned n) : points(new unsigned[n]), count(n) {
    for (unsigned i = 0; i < n; ++i) points[i] = i;
  }
  __device__ unsigned area(unsigned scale) const override { return points[count - 1] + scale; }
  __device__ ~Line() override {
    delete[] points;
    atomicAdd(&destroyed, 100u);
  }
};
__global__ void make(Shape** shapes, char* memory) {
  unsigned t = threadIdx.x;
  if (t % 3 == 0) shapes[t] = new Square(t);
  else if (t % 3 == 1) shapes[t] = new Line(t + 1);
  else shapes[t] = new (memory + t * sizeof(Square)) Square(t * 2);
}
__global__ void use(Shape** shapes, unsigned* out) {
  unsigned t = threadIdx.x;
  out[t * 3] = shapes[t]->area(3);
  out[t * 3 + 1] = shapes[0]->shared(1);
  auto* named = t % 3 == 1 ? nullptr : static_cast<Named*>(static_cast<Square*>(shapes[t]));
  out[t * 3 + 2] = named ? named->who() : 0;
}
__global__ void drop(Shape** shapes) {
  if (threadIdx.x % 3 == 2) shapes[threadIdx.x]->~Shape();
  else delete shapes[threadIdx.x];
}
__global__ void scratch(unsigned* out) {
  auto* words = static_cast<unsigned*>(malloc(64 * (threadIdx.x + 1)));
  for (unsigned i = 0; i < 16 * (threadIdx.x + 1); ++i) words[i] = i;
  unsigned sum = 0;
  for (unsigned i = 0; i < 16 * (threadIdx.x + 1); ++i) sum += words[i];
  out[threadIdx.x] = sum;
  free(words);
}
int main() {
  const unsigned threads = 128;
  Shape** shapes;
  char* memory;
  SUCCEEDS(cudaMalloc(&shapes, threads * sizeof(Shape*)));
  SUCCEEDS(cudaMalloc(&memory, threads * sizeof(Square)));
  unsigned* out = toDevice(std::vector<unsigned>(threads * 3, 0));
  make<<<1, threads>>>(shapes, memory);
  use<<<1, threads>>>(shapes, out);
  auto got = toHost(out, threads * 3);
  for (unsigned t = 0; t < threads; ++t) {
    unsigned area = t % 3 == 0 ? t * t * 3 : t % 3 == 1 ? t + 3 : t * 2 * t * 2 * 3;
    checkEqual("area", t, got[t * 3], area);
    checkEqual("shared", t, got[t * 3 + 1], warpWidth());
    checkEqual("who", t, got[t * 3 + 2], t % 3 == 0 ? 1000 + t : t % 3 == 1 ? 0 : 1000 + t * 2);
  }
  drop<<<1, threads>>>(shapes);
  unsigned gone = 0;
  SUCCEEDS(cudaMemcpyFromSymbol(&gone, destroyed, 4));
  checkEqual("destroyed", 0, gone, 43 * 100 + 85);
  scratch<<<2, threads>>>(out);
  got = toHost(out, threads);
  for (unsigned t = 0; t < threads; ++t) checkEqual("scratch", t, got[t], 16 * (t + 1) * (16 * (t + 1) - 1) / 2);
  return wrongs() != 0;
}
