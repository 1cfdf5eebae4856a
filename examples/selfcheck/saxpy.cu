// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = a x + y with a grid-stride loop. No thread talks to another: right at any width.
#include "check.h"

__global__ void saxpy(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 100003;
  std::vector<int> xs = numbers(n, 1000, 1), ys = numbers(n, 1000, 2);
  std::vector<float> x(xs.begin(), xs.end()), y(ys.begin(), ys.end()), expected(n);
  for (int i = 0; i < n; ++i) expected[i] = 3.0f * x[i] + y[i];
  DeviceArray<float> deviceX(x), deviceY(y);
  saxpy<<<64, 256>>>(n, 3.0f, deviceX.get(), deviceY.get());
  finishLaunch();
  return verdict("saxpy", expected, deviceY.toHost());
}
