// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The learned equation of state: two dense layers by cuBLAS with TF32 allowed, the activation by hand.
#include "solver.h"

constexpr int kFeatures = 16;
constexpr int kHidden = 64;

__global__ void reluKernel(float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = fmaxf(values[i], 0.0f);
}

void inferPressure(cublasHandle_t handle, const float* w1, const float* w2, const float* features, float* hidden,
                   float* pressure, int count, cudaStream_t stream) {
  const float one = 1.0f, zero = 0.0f;
  cublasSetStream(handle, stream);
  cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, kHidden, count, kFeatures, &one, w1, kHidden, features, kFeatures, &zero,
              hidden, kHidden);
  reluKernel<<<(count * kHidden + 255) / 256, 256, 0, stream>>>(hidden, count * kHidden);
  cublasSgemv(handle, CUBLAS_OP_T, kHidden, count, &one, hidden, kHidden, w2, 1, &zero, pressure, 1);
}
