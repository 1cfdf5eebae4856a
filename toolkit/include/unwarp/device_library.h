// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C and C++ libraries give host code and CUDA gives device code too: printf, malloc, free, new, delete, assert.
#pragma once

#include "opaque.h"

#include <stddef.h>

extern "C" {
__device__ int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
__device__ void* malloc(size_t bytes);
__device__ void free(void* memory);
}

// Device `new` and `delete` come with clang's own <new>.

extern "C" __device__ __attribute__((noreturn)) inline void __assert_fail(const char* message, const char* file, unsigned line,
                                                                          const char* function) {
  __uw_assert_fail(message, file, line, function);
}

