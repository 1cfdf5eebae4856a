// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies to shared memory as plain functions (Programming Guide, "Pipeline Primitives Interface"). A copy
// is done when the call returns, so committing and waiting have nothing left to do.
#pragma once

#include <stddef.h>

#include "cuda_awbarrier_primitives.h"

#if defined(__cplusplus) && defined(__CUDA__)

/// Copies `size - zeroFill` bytes (4, 8 or 16 in all) and clears the rest.
UW_DEVICE void __pipeline_memcpy_async(void* __restrict__ target, const void* __restrict__ source, size_t size,
                                       size_t zeroFill = 0) {
  size_t copied = zeroFill < size ? size - zeroFill : 0;
  for (size_t i = 0; i < size; ++i) {
    static_cast<char*>(target)[i] = i < copied ? static_cast<const char*>(source)[i] : 0;
  }
}
UW_DEVICE void __pipeline_commit() {}
UW_DEVICE void __pipeline_wait_prior(size_t) {}
UW_DEVICE void __pipeline_arrive_on(__mbarrier_t*) {}

#endif
