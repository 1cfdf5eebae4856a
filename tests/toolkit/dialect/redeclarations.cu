// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions declared without __device__ and defined with it are one function in nvcc: a prototype that is called before
// the definition, a friend that needs its rights, a friend operator template.
#include <cstdio>

int early(int);
float* pointer(float* p);

class Box {
  int secret = 3;
  friend int peek(const Box& box);

 public:
  __host__ __device__ Box() {}
};

template <class T>
class Value;
template <class T>
Value<T> operator+(const Value<T>&, const Value<T>&);
template <class T>
class Value {
  T value;

 public:
  __host__ __device__ Value(T v) : value(v) {}
  __host__ __device__ T get() const { return value; }
  friend Value operator+<>(const Value&, const Value&);
};

__global__ void use(int* to, float* from) {
  Box box;
  to[0] = early(4);
  to[1] = peek(box);
  to[2] = (Value<int>(2) + Value<int>(3)).get();
  to[3] = static_cast<int>(*pointer(from));
}

__device__ int early(int x) { return x + 1; }
__device__ float* pointer(float* p) { return p + 1; }
__device__ int peek(const Box& box) { return box.secret; }
template <class T>
__host__ __device__ Value<T> operator+(const Value<T>& a, const Value<T>& b) {
  return Value<T>(a.value + b.value);
}

int main() {
  int *device = nullptr, back[4] = {};
  float *given = nullptr, numbers[2] = {1, 9};
  cudaMalloc(&device, sizeof back);
  cudaMalloc(&given, sizeof numbers);
  cudaMemcpy(given, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  use<<<1, 1>>>(device, given);
  cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %d\n", back[0], back[1], back[2], back[3]);
  return !(back[0] == 5 && back[1] == 3 && back[2] == 5 && back[3] == 9);
}
