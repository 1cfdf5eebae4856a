// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <torch/extension.h>

#include <c10/cuda/CUDAGuard.h>

void gatherMeanLauncher(const float* values, const int* offsets, float* out, int rows, int columns, void* stream);
void* currentStream();

torch::Tensor gatherMean(torch::Tensor values, torch::Tensor offsets) {
  TORCH_CHECK(values.is_cuda() && offsets.is_cuda(), "gather_mean needs CUDA tensors");
  const c10::cuda::CUDAGuard guard(values.device());
  const int rows = static_cast<int>(offsets.size(0)) - 1, columns = static_cast<int>(values.size(1));
  torch::Tensor out = torch::empty({rows, columns}, values.options());
  gatherMeanLauncher(values.data_ptr<float>(), offsets.data_ptr<int>(), out.data_ptr<float>(), rows, columns, currentStream());
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) { module.def("gather_mean", &gatherMean); }
