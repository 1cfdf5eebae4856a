// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::experimental::pipeline, the class over the primitives of cuda_pipeline_primitives.h.
#pragma once

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace nvcuda {
namespace experimental {

class pipeline {
 public:
  __device__ pipeline() = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  __device__ size_t commit() { return batch_++; }
  __device__ void commit_and_wait() { wait(commit()); }
  __device__ void wait(size_t) {}
  template <unsigned N>
  __device__ void wait_prior() {}
  __device__ void arrive_on(awbarrier& barrier) { __pipeline_arrive_on(&barrier.state_); }

 private:
  size_t batch_ = 0;
};

template <class T>
__device__ __forceinline__ void memcpy_async(T& target, const T& source, pipeline&) {
  __builtin_memcpy(&target, &source, sizeof(T));
}

}  // namespace experimental
}  // namespace nvcuda
#endif
