// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Member templates of types yet unknown, called without the word `template`: nvcc and g++ know them by looking them up.
#include <cstdio>

template <class T>
struct Source {
  template <int Offset>
  __host__ __device__ T at(int i) const {
    return i + Offset;
  }
  template <class U>
  struct Pair {
    U value;
  };
};

template <class To, class From>
struct Cast {
  template <int Count>
  __host__ __device__ static void cast(To* to, const From* from) {
    for (int i = 0; i < Count; ++i) to[i] = static_cast<To>(from[i]);
  }
};

template <class To, class From, int Count>
__device__ void convert(To* to, const From* from) {
  Cast<To, From>::cast<Count>(
      to, from);
}

template <class T>
__global__ void members(T* out) {
  Source<T> source;
  const Source<T>* pointer = &source;
  typename Source<T>::Pair<int> pair{5};
  out[0] = source.at<3>(4);
  out[1] = pointer->at<1>(1) + pointer->at<2>(1);
  out[2] = pair.value;
  const float values[] = {8.5f, 9.5f};
  convert<T, float, 2>(out + 3, values);
}

int main() {
  int* out;
  if (cudaMallocManaged(&out, 5 * sizeof *out) != cudaSuccess) return 1;
  members<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("%d %d %d\n", out[0], out[1], out[2]);
  return out[0] != 7 || out[1] != 5 || out[2] != 5 || out[3] != 8 || out[4] != 9;
}
